/** What an auditor asks of the log itself: no service has to run, and no read model is believed. */
import { toDomainEvent } from '../../../../projections/projector/events.ts';
import { pagesOf } from '../../../../projections/projector/rebuild/pages.ts';
import type { DomainEvent } from '../../../domain/aggregates.ts';
import type { EventStore, StoredEvent } from '../../../infrastructure/event-store/event-store.ts';
import { stringify } from '../../../kernel/json.ts';
import { onLogAlone } from './beside.ts';
import { progressOutput } from './progress-output.ts';
import { describeTrialBalance, type TrialBalance, trialBalance } from './trial-balance.ts';

const pageMax = 1_000;

/**
 * Adds up all postings up to the last event that is there at the beginning. The exit code says whether the result is
 * zero. How far it has come is shown on standard error.
 */
export const showTrialBalance = ({ json = false }: { readonly json?: boolean }): Promise<void> =>
  onLogAlone(async ({ store }) => {
    const result = await trialBalanceOf(store);
    process.stdout.write(`${json ? stringify(result) : describeTrialBalance(result)}\n`);
    if (!result.isZero) process.exitCode = 1;
  });

async function trialBalanceOf(store: EventStore): Promise<TrialBalance> {
  const balance = trialBalance();
  const output = progressOutput(process.stderr, () => performance.now());
  const until = await store.last();
  let events = 0;
  try {
    if (until > 0n)
      for await (const page of pagesOf(store, { after: undefined, until, pageMax })) {
        for (const stored of page) balance.add(read(stored));
        events += page.length;
        output.show({ events, done: page.at(-1)?.position ?? 0n, total: until });
      }
    return balance.result();
  } finally {
    output.end();
  }
}

/** Throws for one that nobody can read, and says which it is. */
function read(stored: StoredEvent): DomainEvent {
  try {
    return toDomainEvent(stored);
  } catch (cause) {
    const { type, id, stream, position } = stored;
    throw new Error(`${type} ${id} of ${stream} at ${position} cannot be read: ${String(cause)}`, { cause });
  }
}
