/** What an auditor asks of the log itself: no service has to run, and no read model is believed. */
import type { StoredEvent } from '../../../../infrastructure/event-store/event-store.ts';
import type { LogReader } from '../../../../infrastructure/event-store/postgres/reader.ts';
import { stringify } from '../../../../kernel/json.ts';
import { onLogAlone } from '../beside.ts';
import { exitCodes } from './outcome.ts';
import { readable, wholeLog } from './reading.ts';
import { standingAt } from './standing.ts';
import { describeTrialBalance, type TrialBalance, trialBalance } from './sums.ts';
import { isWithin, type Until } from './until.ts';

type Options = { readonly until: Until; readonly json: boolean };

/** Adds up all postings. The exit code says whether the result is zero. */
export const showTrialBalance = ({ until, json }: Options): Promise<void> =>
  onLogAlone(async ({ log }) => {
    const result = await trialBalanceOf(await eventsUntil(log, until), until);
    process.stdout.write(`${json ? stringify(result) : describeTrialBalance(result)}\n`);
    if (!result.isZero) process.exitCode = exitCodes.wrong;
  });

/** The copies that a platform goes on with are of the time of what they are copies of: by time that is not there twice. */
async function eventsUntil(log: LogReader, until: Until): Promise<AsyncIterable<StoredEvent>> {
  if (until && 'clock' in until) return (await standingAt(log, until)).events();
  return wholeLog(log, { until: until?.position });
}

async function trialBalanceOf(events: AsyncIterable<StoredEvent>, until: Until): Promise<TrialBalance> {
  const balance = trialBalance();
  for await (const stored of events) {
    const read = readable(stored);
    if (isWithin(until, read)) balance.add(read.event);
  }
  return balance.result();
}
