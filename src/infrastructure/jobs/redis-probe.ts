import { Redis } from 'ioredis';

/** Asks Redis whether it is there, on a connection of its own. */
export type RedisProbe = {
  /** Throws when Redis does not answer in time. */
  readonly ask: () => Promise<void>;
  readonly close: () => void;
};

const answerMaxMs = 1_500;

/** Connects when it is asked first; a question that finds no connection makes one. */
export function openRedisProbe(url: string): RedisProbe {
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: answerMaxMs,
    commandTimeout: answerMaxMs,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
    enableOfflineQueue: false,
  });
  redis.on('error', () => undefined);
  return {
    async ask() {
      if (redis.status === 'wait' || redis.status === 'end') await redis.connect();
      await redis.ping();
    },
    close: () => redis.disconnect(),
  };
}
