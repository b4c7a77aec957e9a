/** A process with a queue on the Redis that it is given, until its standard input ends: it prints which connections it then has. */
import { openJobs } from '../../../src/infrastructure/jobs/queues.ts';
import { createLog } from '../../../src/infrastructure/observe/log.ts';

const [redisUrl = ''] = process.argv.slice(2);
const jobs = await openJobs({ redisUrl }, 1, createLog('silent'));
const queue = jobs.queue('left');
queue.work(async () => void process.stdout.write('ran\n'));
queue.add('one', {}, 0).catch(() => undefined);
for await (const _ of process.stdin);
await queue.close();
await jobs.close();
const ofConnections = /^(TCP|GetAddrInfo)/;
const left = process.getActiveResourcesInfo().filter((name) => ofConnections.test(name));
process.stdout.write(`left: ${left}\n`);
