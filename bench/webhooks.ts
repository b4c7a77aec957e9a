/**
 * `npm run bench:webhooks -- [--events 10000]`: how fast webhook events reach one quick receiver, on a service of its
 * own in a temporary folder. First one at a time, for the time from append to arrival; then many callers at once; then everything
 * again at once, for the rate.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { readConfig } from '../src/app/config.ts';
import { startService } from '../src/app/service.ts';
import { createLog } from '../src/infrastructure/observe/log.ts';
import { systemClock } from '../src/kernel/clock.ts';

const accountsCount = 200;
const pacedCount = 200;
const parallel = 16;
/** A fund call leads to two events: the balance, and the incoming payment. */
const eventsPerCall = 2;

const { values } = parseArgs({ options: { events: { type: 'string', default: '10000' } } });
const burstCount = Math.ceil(Number(values.events) / eventsPerCall);
const say = (line: string) => process.stdout.write(`${line}\n`);
const lastArrival = () => arrivals.at(-1)?.at ?? 0;
const seconds = (ms: number) => (ms / 1000).toFixed(1);
const perSecond = (count: number, ms: number) => Math.round(count / (ms / 1000));
const envelope = z.object({ data: z.object({ updatedAt: z.iso.datetime().optional() }) });

const arrivals: { readonly latencyMs: number; readonly at: number }[] = [];
const receiver = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  response.end();
  const { updatedAt } = envelope.parse(JSON.parse(Buffer.concat(chunks).toString())).data;
  const latencyMs = updatedAt ? systemClock.now().getTime() - Date.parse(updatedAt) : 0;
  arrivals.push({ latencyMs, at: performance.now() });
});
await new Promise<void>((listening) => receiver.listen(0, '127.0.0.1', listening));
const address = receiver.address();
const port = typeof address === 'object' && address ? address.port : 0;

const directory = await mkdtemp(join(tmpdir(), 'daybook-bench-'));
const config = { ...readConfig({ DAYBOOK_DATA_DIR: directory }), port: 0 };
const service = await startService(config, { log: createLog('warn') });
try {
  await bench();
} finally {
  await service.stop();
  receiver.closeAllConnections();
  receiver.close();
  await rm(directory, { recursive: true, force: true });
}

async function call<T>(method: string, path: string, schema: z.ZodType<T>, body?: object): Promise<T> {
  const { clientId, clientSecret } = service.credentials;
  const authorization = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
  const response = await fetch(`${service.url}${path}`, {
    method,
    headers: { authorization, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}`);
  return schema.parse(await response.json());
}

async function openAccount(): Promise<string> {
  const person = { customerType: 'INDIVIDUAL', fullName: 'Ada Lovelace', region: 'US', currencies: ['USD'] };
  const { id } = await call('POST', '/customers', z.object({ id: z.string() }), person);
  const accounts = z.object({ data: z.array(z.object({ id: z.string() })) });
  const { data } = await call('GET', `/customers/internal-accounts?customerId=${id}&currency=USD`, accounts);
  return data[0]?.id ?? '';
}

async function fundAll(accounts: readonly string[], count: number, workers: number): Promise<void> {
  let next = 0;
  const work = async () => {
    for (let n = next++; n < count; n = next++) {
      const path = `/sandbox/internal-accounts/${accounts[n % accounts.length]}/fund`;
      await call('POST', path, z.unknown(), { amount: 100 });
    }
  };
  await Promise.all(Array.from({ length: workers }, work));
}

async function untilArrived(count: number): Promise<void> {
  while (arrivals.length < count) await new Promise((resolve) => setTimeout(resolve, 20));
}

function describe(latencies: readonly number[]): string {
  const sorted = latencies.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  return `median ${at(0.5)} ms, 99 % within ${at(0.99)} ms, longest ${sorted.at(-1)} ms`;
}

async function bench(): Promise<void> {
  const accounts: string[] = [];
  for (let n = 0; n < accountsCount; n++) accounts.push(await openAccount());
  await call('PATCH', '/config', z.unknown(), { webhookEndpoint: `http://127.0.0.1:${port}/` });
  await untilArrived(1);

  arrivals.length = 0;
  await fundAll(accounts, pacedCount, 1);
  await untilArrived(pacedCount * eventsPerCall);
  say(`One call at a time: ${describe(arrivals.map(({ latencyMs }) => latencyMs))} from append to arrival.`);

  arrivals.length = 0;
  const since = systemClock.now().toISOString();
  const events = burstCount * eventsPerCall;
  const started = performance.now();
  await fundAll(accounts, burstCount, parallel);
  const appended = performance.now();
  await untilArrived(events);
  const rest = arrivals.filter(({ at }) => at > appended).length;
  say(`${events} events from ${parallel} callers, appended in ${seconds(appended - started)} s.`);
  say(`  ${rest} of them were still to arrive then; ${perSecond(events, lastArrival() - started)} a second.`);
  say(`  ${describe(arrivals.map(({ latencyMs }) => latencyMs))} from append to arrival.`);

  arrivals.length = 0;
  const again = performance.now();
  const { count } = await call('POST', '/webhooks/redeliver', z.object({ count: z.number() }), { since });
  await untilArrived(count);
  const lasted = lastArrival() - again;
  say(`${count} events sent again at once, in ${seconds(lasted)} s: ${perSecond(count, lasted)} a second.`);
}
