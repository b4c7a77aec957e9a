/** The connections of one queue to Redis, with those that BullMQ makes of them, which end whatever state they are in. */
import { Redis, type RedisOptions } from 'ioredis';

export type RedisConnections = {
  readonly open: (more?: { readonly maxRetriesPerRequest: null }) => Redis;
  /** None is left when this resolves, and whoever waits for one is told that it is closed. */
  readonly end: () => Promise<void>;
};

type Terms = Pick<RedisOptions, 'retryStrategy' | 'socketTimeout' | 'disconnectTimeout'>;

export function redisConnections(url: string, terms: Terms): RedisConnections {
  const opened: Redis[] = [];
  const kept = (redis: Redis): Redis => {
    opened.push(redis);
    // BullMQ tells of errors while it is at work; after that ioredis would write them to the console.
    redis.on('error', () => undefined);
    const duplicate = redis.duplicate.bind(redis);
    return Object.assign(redis, { duplicate: (more?: Partial<RedisOptions>) => kept(duplicate(more)) });
  };
  return {
    open: (more) => kept(new Redis(url, { ...terms, ...more })),
    end: async () => void (await Promise.all(opened.map(ended))),
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
