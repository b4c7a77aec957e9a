/** What an operator is told of a life who lets its log be verified, and its read models beside it. */
import { comparing } from '../../../../src/app/cli/commands/audit/read-models.ts';
import { verifiedLog } from '../../../../src/app/cli/commands/audit/verify.ts';
import type { Positions } from '../../../../src/app/cli/commands/beside.ts';
import { Fault } from '../../../../src/app/cli/verify/verify.mjs';
import type { LogReader } from '../../../../src/infrastructure/event-store/postgres/reader.ts';

/** As `daybook audit verify` does it. Nothing where all is right. */
export async function faultsOfAudit(
  url: string,
  log: LogReader,
  positions: Positions,
): Promise<readonly string[]> {
  const faults: string[] = [];
  try {
    await comparing(url, log, async (comparison) => {
      const { readModels } = await verifiedLog(log, positions, { comparison });
      if (!readModels?.compared) faults.push(readModels?.because ?? 'nothing was compared');
    });
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    faults.push(error.message);
  } finally {
    await log.close();
  }
  return faults;
}
