import { beforeEach, describe } from 'vitest';
import { queueContract } from '../../../infrastructure/jobs/queue-contract.ts';
import { createQueues, type SharedQueues } from './queue.ts';

describe('the queue of the simulation', () => {
  let queues: SharedQueues;
  beforeEach(() => {
    queues = createQueues((workers) => workers[0]);
  });
  queueContract(async () => queues.open());
});
