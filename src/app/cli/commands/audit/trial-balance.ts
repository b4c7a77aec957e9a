/** What an auditor asks of the log itself: no service has to run, and no read model is believed. */
import type { LogReader } from '../../../../infrastructure/event-store/postgres/reader.ts';
import { stringify } from '../../../../kernel/json.ts';
import { onLogAlone } from '../beside.ts';
import { exitCodes } from './outcome.ts';
import { readable } from './reading.ts';
import { standingAt } from './standing.ts';
import { describeTrialBalance, type TrialBalance, trialBalance } from './sums.ts';
import { isWithin, type Until } from './until.ts';

type Options = { readonly until: Until; readonly json: boolean };

/** Adds up all postings. The exit code says whether the result is zero. */
export const showTrialBalance = ({ until, json }: Options): Promise<void> =>
  onLogAlone(async ({ log }) => {
    const result = await trialBalanceAt(log, until);
    process.stdout.write(`${json ? stringify(result) : describeTrialBalance(result)}\n`);
    if (!result.isZero) process.exitCode = exitCodes.wrong;
  });

/**
 * Of what stood then: neither what a platform had left, nor what came late to it, nor, by time, the copies that it went
 * on with later, which are of the time of what they are copies of.
 */
export async function trialBalanceAt(log: LogReader, until: Until): Promise<TrialBalance> {
  const balance = trialBalance();
  const { events } = await standingAt(log, until);
  for await (const stored of events(until && 'position' in until ? until.position : undefined)) {
    const read = readable(stored);
    if (isWithin(until, read)) balance.add(read.event);
  }
  return balance.result();
}
