import { describe, expect, it, vi } from 'vitest';
import { createStates } from '../../../projections/projector/states.ts';
import { heldCredits, heldTogetherMax, oldestHeld } from '../../../src/domain/accounts/held-credits.ts';
import { aggregates } from '../../../src/domain/aggregates.ts';
import { closedEvery, foldingOf } from '../../../src/infrastructure/closings/fold.ts';
import { arrival, freeze, openAccount, unfreeze } from '../../support/builders/accounts.ts';
import { usd } from '../../support/builders/money.ts';
import { accountStream, closingsOf, emptyLog, startProcess } from '../../support/log/long-streams.ts';
import { query } from '../../support/postgres/database.ts';
import { testStart } from '../../support/time/clock.ts';
import { patienceMs } from '../../support/time/patience.ts';

const many = 1_730;
const arriving = (n: number) => arrival({ entryId: `payment-${n}`, amount: usd(1n) });
const release = { type: 'ReleaseHeldCredits', at: testStart } as const;

type Process = Awaited<ReturnType<typeof startProcess>>;

/** The log of an account that was frozen for long, and the process that has held what arrived for it. */
async function frozenForLong() {
  const url = await emptyLog();
  const process = await startProcess(url);
  await process.run(openAccount());
  await process.run(freeze());
  for (let n = 1; n <= many; n += 50)
    await Promise.all(
      Array.from({ length: Math.min(50, many + 1 - n) }, (_, i) => process.run(arriving(n + i))),
    );
  // One that is due while another is being made is left out.
  await vi.waitFor(async () => expect(await closingsOf(url)).toBeGreaterThanOrEqual(1), {
    timeout: patienceMs,
  });
  return { url, process };
}

/** Everything, by processes of which each has read the account anew, or by the one. */
async function releaseAll(of: () => Promise<Process>) {
  const lots: number[] = [];
  for (let command: typeof release | ReturnType<typeof unfreeze> = unfreeze(); ; command = release) {
    const { events } = await (await of()).run(command);
    const credits = events.flatMap(({ type, data }) => (type === 'AccountCredited' ? [data] : []));
    lots.push(credits.length);
    if (!credits.at(-1)?.more) return lots;
  }
}

const booked = (url: string) =>
  query<{ entry: string }>(
    url,
    `select data ->> 'entryId' as entry from daybook_log.events
     where type = 'AccountCredited' order by revision`,
  );

describe('what an account holds that is frozen for long', () => {
  it('takes a bounded part of memory, in whatever process', async () => {
    const { url, process } = await frozenForLong();
    const next = await startProcess(url);
    for (const { load } of [process, next]) {
      const state = await load();
      expect(state.held).toMatchObject({ oldest: { length: heldTogetherMax }, minor: BigInt(many) });
      expect(state.entries.size).toBeLessThan(5 * closedEvery);
    }
    expect(next.store.counts.events).toBeLessThan(2 * closedEvery + 100);
    const state = await next.load(oldestHeld(await next.load()));
    expect(heldCredits(state).map(({ entryId }) => entryId)).toEqual(
      Array.from({ length: heldTogetherMax }, (_, n) => `payment-${n + 1}`),
    );
  });

  it.each(['one process', 'processes that know nothing'])(
    'is credited in its order, once, lot by lot, by %s',
    async (which) => {
      const { url, process } = await frozenForLong();
      const lots = await releaseAll(which === 'one process' ? async () => process : () => startProcess(url));
      expect(lots.every((lot) => lot <= heldTogetherMax)).toBe(true);
      const next = await startProcess(url);
      expect(await next.load()).toMatchObject({
        balance: BigInt(many),
        held: { oldest: [], further: many + 1, next: many + 1, minor: 0n },
      });
      expect(await booked(url)).toEqual(
        Array.from({ length: many }, (_, n) => ({ entry: `payment-${n + 1}` })),
      );
      for (const command of [arriving(3), arriving(many), release])
        expect((await next.run(command)).events).toEqual([]);
      expect((await next.run(arriving(many + 1))).events).toMatchObject([{ type: 'AccountCredited' }]);
      const { state } = await foldingOf(next.store, aggregates.account).read(accountStream);
      expect(state).toMatchObject({ balance: BigInt(many + 1), held: { oldest: [], minor: 0n } });
    },
  );

  it('is followed where a former version credited it all at once, and named no number', async () => {
    const { url, process } = await frozenForLong();
    await releaseAll(async () => process);
    await query(
      url,
      `alter table daybook_log.events disable trigger all;
       update daybook_log.events set data = data - 'held' - 'more' where type = 'AccountCredited';
       truncate daybook.closings, daybook.closed_values, daybook.closing_filters`,
    );
    const next = await startProcess(url);
    const expected = { balance: BigInt(many), held: { oldest: [], minor: 0n } };
    expect(await next.load()).toMatchObject(expected);
    const [last] = await next.store.read(accountStream, 2 * many + 2);
    const [followed] = await createStates(next.store, next.closings).follow(last ? [last] : []);
    expect(followed).toMatchObject({ state: expected });
  });
});
