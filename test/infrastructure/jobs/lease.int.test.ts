import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { holdLease, pause } from '../../../src/infrastructure/jobs/lease.ts';
import { createLog } from '../../../src/infrastructure/observe/log.ts';
import { createDatabase } from '../../support/database.ts';
import { eventually } from '../../support/flows.ts';
import { backends, terminate, untilSome } from '../../support/raw-log.ts';

const log = createLog('silent');
let url: string;
beforeAll(async () => {
  url = await createDatabase();
});

/** Several who want one lease, and a record of who held it when. */
function contend(name: string, who: readonly string[]) {
  const owners = new Set<string>();
  const terms: string[] = [];
  let mostAtOnce = 0;
  const contenders = who.map((one) => {
    const lease = holdLease(url, name, log, async (signal) => {
      owners.add(one);
      terms.push(one);
      mostAtOnce = Math.max(mostAtOnce, owners.size);
      while (!signal.aborted) await pause(1_000, signal);
      owners.delete(one);
    });
    onTestFinished(() => lease.stop());
    return [one, lease] as const;
  });
  return { owners, terms, most: () => mostAtOnce, leases: new Map(contenders) };
}

const untilOwned = ({ owners }: ReturnType<typeof contend>, previous?: string): Promise<string> =>
  eventually(
    async () => [...owners][0] ?? '',
    (owner) => owner !== '' && owner !== previous,
  );

const holders = (name: string) => backends(url, `daybook-lease-${name}`);

describe('a lease', () => {
  it('has one owner among three contenders', async () => {
    const contest = contend('given-up', ['a', 'b', 'c']);
    const seen: string[] = [];
    for (let turn = 0; turn < 3; turn++) {
      const owner = await untilOwned(contest);
      seen.push(owner);
      await contest.leases.get(owner)?.stop();
    }
    expect(seen.sort()).toEqual(['a', 'b', 'c']);
    expect(contest.most()).toBe(1);
  });

  it('is handed over when the connection of its owner is killed', async () => {
    const contest = contend('killed', ['a', 'b', 'c']);
    const first = await untilOwned(contest);
    await terminate(url, await untilSome(() => holders('killed')));
    await eventually(
      async () => contest.owners.has(first),
      (isHolding) => !isHolding,
    );
    await untilOwned(contest);
    expect(contest.terms).toHaveLength(2);
    expect(contest.most()).toBe(1);
  });

  it('is separate from leases of other names', async () => {
    const [one, other] = [contend('one', ['a']), contend('other', ['b'])];
    expect([await untilOwned(one), await untilOwned(other)]).toEqual(['a', 'b']);
  });

  it('is tried again when the work fails or ends by itself', async () => {
    let runs = 0;
    const lease = holdLease(url, 'failing', log, async () => {
      runs += 1;
      if (runs === 1) throw new Error('the work broke');
    });
    onTestFinished(() => lease.stop());
    await eventually(
      async () => runs,
      (count) => count >= 3,
    );
  });

  it('stops while it waits for its turn without a connection left', async () => {
    const contest = contend('stopped', ['a', 'b']);
    const owner = await untilOwned(contest);
    await Promise.all([...contest.leases.values()].map((lease) => lease.stop()));
    expect(contest.terms).toEqual([owner]);
    await eventually(
      () => holders('stopped'),
      ({ length }) => length === 0,
    );
  });

  it('stops while the database cannot be reached', async () => {
    const lease = holdLease('postgres://nobody@127.0.0.1:1/none', 'far', log, async () => undefined);
    await sleep(20);
    await lease.stop();
  });
});
