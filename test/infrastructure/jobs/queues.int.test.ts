import { afterAll, beforeAll, describe } from 'vitest';
import { openJobs } from '../../../src/infrastructure/jobs/queues.ts';
import { createLog } from '../../../src/infrastructure/observe/log.ts';
import { createDatabase } from '../../support/postgres/database.ts';
import { noRedis, type RedisServer, startRedis } from '../../support/servers/redis.ts';
import { queueContract } from './queue-contract.ts';

describe('a queue on Postgres', () => {
  let databaseUrl: string;
  beforeAll(async () => {
    databaseUrl = await createDatabase();
  });
  queueContract(() => openJobs({ databaseUrl }, 3, createLog('silent')));
});

describe.skipIf(noRedis)(`a queue on Redis${noRedis ? ` (skipped: ${noRedis})` : ''}`, () => {
  let redis: RedisServer;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis.stop());
  queueContract(() => openJobs({ redisUrl: redis.url }, 3, createLog('silent')));
});
