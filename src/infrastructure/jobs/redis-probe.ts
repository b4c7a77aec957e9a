import { Redis } from 'ioredis';

/** Asks Redis whether it is there and takes jobs, on a connection of its own. */
export type RedisProbe = {
  /** Throws when Redis does not answer in time, or would not take a job. */
  readonly ask: () => Promise<void>;
  readonly close: () => void;
};

const answerMaxMs = 1_500;
/** What is written is gone by then. */
const keptMs = 60_000;
/** As those of jobs do, it writes, and of two keys. One without memory or rights, a replica and a cluster refuse it. */
const script = "for _, key in ipairs(KEYS) do redis.call('set', key, '1', 'px', ARGV[1]) end";
const keys = ['daybook_jobs:probe:one', 'daybook_jobs:probe:two'];

/** Connects when it is asked first; a question that finds no connection, or one that did not answer the last, makes one. */
export function openRedisProbe(url: string): RedisProbe {
  let redis = connectionTo(url);
  let asking: Promise<void> | undefined;
  const askNow = async () => {
    try {
      if (redis.status === 'wait' || redis.status === 'end') await redis.connect();
      // Where there is no such database the connection stays in the first one.
      await redis.select(redis.options.db ?? 0);
      await redis.eval(script, keys.length, ...keys, keptMs);
    } catch (error) {
      redis.disconnect();
      redis = connectionTo(url);
      throw error;
    } finally {
      asking = undefined;
    }
  };
  return {
    ask: () => {
      asking ??= askNow();
      return asking;
    },
    close: () => redis.disconnect(),
  };
}

function connectionTo(url: string): Redis {
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: answerMaxMs,
    commandTimeout: answerMaxMs,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
    enableOfflineQueue: false,
    // It asks by itself, and may not be allowed to ask more.
    enableReadyCheck: false,
  });
  redis.on('error', () => undefined);
  return redis;
}
