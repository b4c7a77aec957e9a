/**
 * What a test suite waits for: a fresh platform, seven days of attempts of a webhook, and the way back to a snapshot of a
 * thousand events.
 *
 *     npm run bench:testing
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { loadavg } from 'node:os';
import { startDaybook, type TestPlatform } from '../packages/testing/src/daybook.ts';

const runs = 20;
const say = (text: string) => process.stdout.write(`${text}\n`);

/** Of a receiver that refuses everything, and how often it was called. */
async function startRefusing() {
  let calls = 0;
  const server = createServer((request, response) => {
    calls += 1;
    request.resume().on('end', () => response.writeHead(500).end());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    calls: () => calls,
    close: () => server.close(),
  };
}

async function took(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

const shown = (what: string, times: readonly number[]) => {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
  say(`${what.padEnd(48)} median ${at(0.5).toFixed(0)} ms, slowest ${at(1).toFixed(0)} ms`);
};

/** What a platform tells nobody of, until its endpoint is set. */
async function customerOf({ client }: TestPlatform): Promise<string> {
  const body = { customerType: 'INDIVIDUAL', fullName: 'Ada Lovelace', region: 'US', currencies: ['USD'] };
  const { id } = await client.createCustomer({ body: body as never });
  return id;
}

async function sevenDays({ newPlatform }: { newPlatform(): Promise<TestPlatform> }): Promise<number> {
  const platform = await newPlatform();
  const { client } = platform;
  const receiver = await startRefusing();
  await client.sandboxFreezeClock({ body: {} });
  await client.updatePlatformConfig({ body: { webhookEndpoint: receiver.url } });
  const customerId = await customerOf(platform);
  const { data } = await client.listCustomerInternalAccounts({ query: { customerId, currency: 'USD' } });
  await client.fundInternalAccount({ path: { accountId: data[0]?.id ?? '' }, body: { amount: 1_000 } });
  const before = process.cpuUsage();
  const ms = await took(() => client.sandboxAdvanceClock({ body: { duration: 'P8D' } }));
  const { user, system } = process.cpuUsage(before);
  say(
    `  ${receiver.calls()} calls in ${ms.toFixed(0)} ms, ${((user + system) / 1_000).toFixed(0)} ms of the processor`,
  );
  receiver.close();
  return ms;
}

/** A thousand events of customers with accounts and deposits, and as many that came since. */
async function backToSnapshot({ newPlatform }: { newPlatform(): Promise<TestPlatform> }) {
  const platform = await newPlatform();
  const { client } = platform;
  const addMoney = async () => {
    const customerId = await customerOf(platform);
    const { data } = await client.listCustomerInternalAccounts({ query: { customerId, currency: 'USD' } });
    const path = { accountId: data[0]?.id ?? '' };
    await Promise.all([1, 2, 3].map((amount) => client.fundInternalAccount({ path, body: { amount } })));
  };
  const addMuch = async () => {
    for (let n = 0; n < 100; n += 10) await Promise.all(Array.from({ length: 10 }, addMoney));
  };
  await addMuch();
  const began = performance.now();
  const snapshot = await platform.snapshot();
  const took = performance.now() - began;
  const { data } = await client.sandboxListSnapshots();
  const events = data[0]?.events ?? 0;
  say(`  ${events} events; the snapshot took ${took.toFixed(0)} ms`);
  const times: number[] = [];
  for (let n = 0; n < 5; n++) {
    await addMuch();
    const going = performance.now();
    await snapshot.restore();
    times.push(((performance.now() - going) * 1_000) / events);
  }
  return times;
}

say(
  `load before: ${loadavg()
    .map((one) => one.toFixed(1))
    .join(' ')}`,
);
const begun = performance.now();
await using daybook = await startDaybook();
say(`${'the service'.padEnd(48)} ${(performance.now() - begun).toFixed(0)} ms`);

const platforms: number[] = [];
for (let n = 0; n < runs; n++) {
  platforms.push(await took(() => daybook.newPlatform()));
  // As a test file does between taking a platform and its end.
  await new Promise((resolve) => setTimeout(resolve, 100));
}
shown('a platform', platforms);

const weeks: number[] = [];
for (let n = 0; n < 5; n++) weeks.push(await sevenDays(daybook));
shown('seven days of attempts', weeks);
shown('back to a snapshot, for a thousand events', await backToSnapshot(daybook));
say(
  `load after: ${loadavg()
    .map((one) => one.toFixed(1))
    .join(' ')}`,
);
