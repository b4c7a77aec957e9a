import { expect, it, onTestFinished, vi } from 'vitest';
import { closedEvery } from '../../../src/infrastructure/closings/fold.ts';
import { deposit, openAccount } from '../../support/builders/accounts.ts';
import { usd } from '../../support/builders/money.ts';
import { closingsOf, emptyLog, startProcess } from '../../support/log/long-streams.ts';
import { startEventStoreDb } from '../../support/servers/eventstoredb-server/server.ts';
import { patienceMs } from '../../support/time/patience.ts';

const credit = (n: number) => deposit({ entryId: `entry-${n}`, requestedBy: 'request', amount: usd(1_00n) });

it('a log in EventStoreDB has closings in Postgres, which it bears out', async () => {
  const [url, server] = [await emptyLog(), await startEventStoreDb()];
  onTestFinished(() => server.close());
  const eventStoreUrl = server.url;
  const { run } = await startProcess(url, { eventStoreUrl });
  await run(openAccount());
  const total = 3 * closedEvery;
  for (let n = 0; n < total; n += 50)
    await Promise.all(Array.from({ length: 50 }, (_, i) => run(credit(n + i))));
  await vi.waitFor(async () => expect(await closingsOf(url)).toBeGreaterThanOrEqual(2), {
    timeout: patienceMs,
  });

  const next = await startProcess(url, { eventStoreUrl });
  expect(await next.load()).toMatchObject({ balance: BigInt(total) * 1_00n });
  expect(next.store.counts.events).toBeLessThan(2 * closedEvery + 100);
  expect((await next.run(credit(3))).events).toEqual([]);

  // The same books beside another log: nothing of them is believed.
  const other = await startEventStoreDb();
  onTestFinished(() => other.close());
  const elsewhere = await startProcess(url, { eventStoreUrl: other.url });
  await elsewhere.run(openAccount());
  for (let n = 0; n < total; n += 50)
    await Promise.all(Array.from({ length: 50 }, (_, i) => elsewhere.run(credit(10_000 + n + i))));
  const last = await startProcess(url, { eventStoreUrl: other.url });
  expect((await last.run(credit(3))).events).toHaveLength(1);
  expect((await last.run(credit(10_003))).events).toEqual([]);
  expect(await last.load()).toMatchObject({ balance: BigInt(total + 1) * 1_00n });
});
