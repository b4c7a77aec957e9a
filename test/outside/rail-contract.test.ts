import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import exampleRail from '../../docs/examples/my-rail.ts';
import type { PaymentRail } from '../../src/domain/ports/payment-rail.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { idOf, systemIds } from '../../src/kernel/ids.ts';
import { httpRail } from '../../src/outside/http-rail.ts';
import { railContract } from '../../src/outside/rail-contract.ts';
import { sandboxRail } from '../../src/sandbox/rail.ts';
import { fatefulRail } from '../simulation/rail.ts';
import { randomFrom } from '../simulation/random.ts';
import { beginProcess, runAs } from '../simulation/whole/engine/process.ts';
import { noFaults, promptTurns } from '../simulation/whole/engine/prompt.ts';
import { railService } from '../simulation/whole/ports/elsewhere/rail-service.ts';
import { routeConnections } from '../simulation/whole/ports/elsewhere/route.ts';
import { railPayment } from '../support/builders/rail-payments.ts';
import { noReports, railContext, railSecret } from '../support/rails/rail-modules.ts';
import { patienceMs } from '../support/time/patience.ts';

const newPayment = () => railPayment({ paymentId: idOf('Transaction', systemIds.uuid()) });

/** The same checks for each; `open` gives the rail, and gives it anew after a restart. */
function keepsTheContract(name: string, open: () => Promise<PaymentRail>): void {
  describe(`${name} as a rail`, () => {
    it.each(railContract)('$promise', async ({ check }) => {
      await check({ rail: await open(), newPayment, restarted: open });
    });
  });
}

// What the sandbox takes is in its memory, and nothing of it leaves the process.
const sandbox = sandboxRail(() => systemClock.now(), 1);
keepsTheContract('the sandbox', async () => sandbox);

const simulated = fatefulRail(() => systemClock.now());
keepsTheContract('the rail of the simulation', async () => simulated);

/** The same over HTTP, by the connector of the service, as in lives in which nothing goes wrong and nobody waits. */
const { process: daybook } = beginProcess('one');
const overHttp = railService({
  turns: promptTurns,
  faults: noFaults,
  random: randomFrom(1),
  now: () => systemClock.now().getTime(),
  newId: systemIds.uuid,
  post: async () => undefined,
  rail: simulated,
  connect: httpRail,
});
const connections = routeConnections({ turns: promptTurns, places: overHttp.places });
afterAll(() => connections.end());
keepsTheContract('the rail of the simulation over HTTP', async () => {
  const rail = overHttp.of(noReports);
  const asDaybook =
    <Of extends readonly unknown[], Answer>(ask: (...of: Of) => Promise<Answer>) =>
    (...of: Of) =>
      runAs(daybook, () => ask(...of));
  return {
    ...rail,
    submit: asDaybook(rail.submit),
    statusOf: asDaybook(rail.statusOf),
    withdraw: asDaybook(rail.withdraw),
  };
});

const directories: string[] = [];
afterAll(() => Promise.all(directories.map((one) => rm(one, { recursive: true, force: true }))));
let directory: Promise<string> | undefined;
keepsTheContract('the example module', async () => {
  directory ??= mkdtemp(join(tmpdir(), 'daybook-rail-'));
  directories.push(await directory);
  return exampleRail(railContext({ directory: await directory }));
});

const serverPath = join(import.meta.dirname, '../../docs/examples/rail-server.mjs');

it('the example server takes no messages without a secret', () => {
  for (const env of [{}, { RAIL_SECRET: 'whsec_' }]) {
    const ended = spawnSync(process.execPath, [serverPath], {
      env: { PORT: '0', ...env },
      timeout: patienceMs,
    });
    expect([ended.status, String(ended.stderr)]).toEqual([2, expect.stringContaining('RAIL_SECRET')]);
  }
});

let url = '';
let stop: () => void = () => undefined;
beforeAll(async () => {
  const env = { RAIL_SECRET: railSecret, PORT: '0' };
  const server = spawn(process.execPath, [serverPath], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  stop = () => void server.kill();
  const [line] = (await once(createInterface(server.stdout), 'line')) as [string];
  url = line.replace('rail at ', '');
});
afterAll(() => stop());
keepsTheContract('the example server', async () => {
  const { now, log } = railContext({});
  return httpRail({ url, secret: railSecret }, { reports: noReports, newId: systemIds.uuid, now, log });
});

describe('the contract', () => {
  const broken: readonly (readonly [string, string, Partial<PaymentRail>])[] = [
    [
      'forgets what it took',
      'knows what it was given, before',
      { statusOf: async () => ({ status: 'unknown' }) },
    ],
    [
      'takes a payment twice',
      'carries a payment once',
      { submit: async () => ({ status: 'accepted', reference: systemIds.uuid(), underway: true }) },
    ],
    ['lets nothing be withdrawn', 'never carries', { withdraw: async () => ({ status: 'unknown' }) }],
    [
      'claims what it never had',
      'does not know a payment',
      { statusOf: async () => ({ status: 'settled' }) },
    ],
  ];

  it.each(broken)('is not kept by a rail that %s', async (_what, promise, methods) => {
    const rail = { ...sandboxRail(() => systemClock.now(), 1), ...methods };
    const contract = railContract.find((one) => one.promise.startsWith(promise));
    const kept = contract?.check({ rail, newPayment, restarted: async () => rail });
    await expect(kept).rejects.toThrow();
  });
});
