/** The connections of one queue to Redis, with those that BullMQ makes of them, which end whatever state they are in. */
import { Redis, type RedisOptions } from 'ioredis';

export type RedisConnections = {
  readonly open: (more?: { readonly maxRetriesPerRequest: null }) => Redis;
  /** None is left when this resolves, and whoever waits for one is told that it is closed. */
  readonly end: () => Promise<void>;
};

type Terms = Pick<RedisOptions, 'retryStrategy' | 'socketTimeout' | 'disconnectTimeout'>;

/** Told what a server says that it does with keys for want of memory, where that is another thing than to take no more. */
export type Evicts = (policy: string) => void;

export function redisConnections(url: string, terms: Terms, evicts: Evicts): RedisConnections {
  const opened: Redis[] = [];
  const kept = (redis: Redis): Redis => {
    opened.push(redis);
    // BullMQ tells of errors while it is at work; after that ioredis would write them to the console.
    redis.on('error', () => undefined);
    const duplicate = redis.duplicate.bind(redis);
    const info = infoOf(redis.info.bind(redis), evicts);
    return Object.assign(redis, { duplicate: (more?: Partial<RedisOptions>) => kept(duplicate(more)), info });
  };
  return {
    open: (more) => kept(new Redis(url, { ...terms, ...more })),
    end: async () => void (await Promise.all(opened.map(ended))),
  };
}

/** What BullMQ takes for granted of a server whose user may not ask it: none before 6.2 has its commands. */
const leastInfo = 'redis_version:6.2.0\r\n';
const evictionIn = /^maxmemory_policy:(?!noeviction)(\S+)/m;

type Told = (error: Error | null, text?: string) => void;

/** BullMQ and ioredis ask a server about itself, and write what they do not like to the console: they are told it is fine. */
function infoOf(ask: () => Promise<string>, evicts: Evicts): (told?: Told) => Promise<string> {
  const info = async (): Promise<string> => {
    const text = await ask().catch((error: Error) => {
      if (error.message.startsWith('NOPERM')) return leastInfo;
      throw error;
    });
    const policy = evictionIn.exec(text)?.[1];
    if (policy !== undefined) evicts(policy);
    return text.replace(evictionIn, 'maxmemory_policy:noeviction');
  };
  return (told) => {
    const answer = info();
    if (told) answer.then((text) => told(null, text), told);
    return answer;
  };
}

async function ended(redis: Redis): Promise<void> {
  if (redis.status === 'end') return;
  const over = new Promise((end) => redis.once('end', end));
  redis.disconnect();
  // Between two tries there is nothing that could close, and it would be so for good: a try that is given up ends it.
  if (redis.status === 'reconnecting') {
    redis.connect().catch(() => undefined);
    redis.disconnect();
  }
  await over;
}
