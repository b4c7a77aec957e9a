/** What an auditor asks of the log itself: no service has to run, and no read model is believed. */
import type { LogReader } from '../../../../infrastructure/event-store/postgres/reader.ts';
import { stringify } from '../../../../kernel/json.ts';
import { onLogAlone } from '../beside.ts';
import { exitCodes } from './outcome.ts';
import { readable, wholeLog } from './reading.ts';
import { describeTrialBalance, type TrialBalance, trialBalance } from './sums.ts';
import { isWithin, type Until } from './until.ts';

type Options = { readonly until: Until; readonly json: boolean };

/** Adds up all postings. The exit code says whether the result is zero. */
export const showTrialBalance = ({ until, json }: Options): Promise<void> =>
  onLogAlone(async ({ log, shown }) => {
    // The copies that a platform goes on with are of the time of what they are copies of: by time that is not there twice.
    const isByTime = until !== undefined && 'clock' in until;
    const result = await trialBalanceOf(isByTime ? shown : log, until);
    process.stdout.write(`${json ? stringify(result) : describeTrialBalance(result)}\n`);
    if (!result.isZero) process.exitCode = exitCodes.wrong;
  });

async function trialBalanceOf(log: LogReader, until: Until): Promise<TrialBalance> {
  const balance = trialBalance();
  const end = until && 'position' in until ? until.position : undefined;
  for await (const stored of wholeLog(log, { until: end })) {
    const read = readable(stored);
    if (isWithin(until, read)) balance.add(read.event);
  }
  return balance.result();
}
