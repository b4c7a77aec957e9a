import { onTestFinished } from 'vitest';
import { createLog } from '../../../src/infrastructure/observe/log.ts';
import { startTestService, type TestOptions } from '../../support/processes/service.ts';
import { eventually, payoutParties } from '../../support/resources/flows.ts';
import { restoreSnapshot, takeSnapshot } from '../../support/resources/snapshots.ts';

/** A platform with a snapshot in which an account has 1,000. */
export async function withSnapshot(overrides: TestOptions = {}) {
  const lines: string[] = [];
  const log = createLog('error', { write: (line) => void lines.push(line) });
  const service = await startTestService({ log, ...overrides });
  onTestFinished(service.stop);
  const parties = await payoutParties(service.client, 1_000);
  const snapshot = await takeSnapshot(service.client);
  /** Goes back, until something keeps the platform from coming all the way. */
  const goHalfway = async () => {
    const back = restoreSnapshot(service.client, snapshot);
    back.catch(() => undefined);
    await eventually(
      async () => lines,
      (told) => told.some((line) => line.includes('halfway')),
    );
    return { back };
  };
  return { service, ...parties, snapshot, goHalfway };
}
