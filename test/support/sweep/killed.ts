/** A service whose processes are killed at their calls, and what is true of the books after each payment. */
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { createLog } from '../../../src/infrastructure/observe/log.ts';
import { startEmbeddedPostgres } from '../../../src/infrastructure/postgres/embedded.ts';
import type { Client, Json } from '../http/client.ts';
import { allTransactions, expectedBalance } from '../log/audit.ts';
import { inFlightOf, unbalanced } from '../log/books.ts';
import { removeDirectory } from '../processes/process.ts';
import { newCredentials } from '../processes/service.ts';
import { eventually, expectStatus } from '../resources/flows.ts';
import { customerWith, registerUsd } from '../resources/payments.ts';
import { testMaxMs } from '../time/patience.ts';
import { type Pay, type Swept, sweepOfRun, sweptService, type Victim } from './sweep.ts';
import { type Party, type Way, type WayName, ways } from './ways.ts';

/** Up to some 130 starts of the service, on a machine that is busy with other things. */
export const sweepMaxMs = 4 * testMaxMs;

/**
 * Nobody has decided in time, where the machine is busy with other things: ten seconds are soon over while a process
 * starts. The payment has failed then, and has moved nothing.
 */
const isOverdue = ({ failureReason }: Json): boolean => failureReason === 'PAYMENT_APPROVAL_TIMED_OUT';

/** Begins it and waits for its end, and for the end of its refund where it has one. */
const payBy =
  ({ status, begin }: Way, party: Party): Pay =>
  async (client, key) => {
    const id = await begin(client, key, party);
    return eventually(
      async () => (await client.get(`/transactions/${id}`)).body,
      (payment) => {
        if (payment.status !== status) return isOverdue(payment);
        return status === 'COMPLETED' || payment.refund?.status === 'COMPLETED';
      },
    );
  };

type Service = { readonly client: Client; readonly databaseUrl: string };

/** As many payments as were asked for have ended, each once; the accounts have what they left, and nothing is in flight. */
async function expectRight(
  { client, databaseUrl }: Service,
  { account, neighbours }: Party,
  { status, payments }: { readonly status: Way['status']; readonly payments: number },
): Promise<void> {
  const all = await allTransactions(client);
  const own = all.filter(({ source, destination }) =>
    [source.accountId, destination.accountId].includes(account.id),
  );
  const [fund, ...others] = own;
  expect(fund?.type).toBe('INCOMING');
  // One for each key, however often it was asked for.
  expect(others.length).toBe(payments);
  expect(others.filter((one) => one.status !== status && !isOverdue(one))).toEqual([]);
  expect(others.map((one) => one.status)).toContain(status);
  const moved = all.filter((one) => !isOverdue(one));
  for (const held of [account, neighbours]) {
    const { data } = expectStatus(
      await client.get('/customers/internal-accounts', { customerId: held.customerId }),
      200,
    );
    const { balance } = data.find(({ id }: Json) => id === held.id);
    expect(balance.amount).toBe(expectedBalance(moved, held.id));
  }
  for (const { id } of others) expect(await inFlightOf(databaseUrl, id)).toEqual({});
  expect(await unbalanced(client)).toEqual([]);
}

/** A service for the tests of a file, with a server of its own: the others go on when its processes are killed. */
export function sweepOfTests() {
  let cwd: string;
  let postgres: Awaited<ReturnType<typeof startEmbeddedPostgres>>;
  let swept: Swept;
  beforeAll(async () => {
    cwd = await mkdtemp(join(tmpdir(), 'daybook-sweep-'));
    postgres = await startEmbeddedPostgres(join(cwd, 'postgres'), createLog('silent'));
    swept = await sweptService({ cwd, databaseUrl: postgres.url, credentials: newCredentials() });
  });
  afterAll(async () => {
    await swept?.stop();
    await postgres?.stop();
    await removeDirectory(cwd);
  });
  /** Kills at each call of the way, and holds the books against what was asked for. */
  return async (victim: Victim, name: WayName): Promise<void> => {
    const way: Way = ways[name];
    const { customer, account } = await customerWith(swept.client(), 1_000_000);
    const { customer: neighbour, account: neighbours } = await customerWith(swept.client(), 0);
    const payee = await registerUsd(swept.client(), customer.id, way.suffix);
    const plain = { customer, account, payee, neighbour, neighbours };
    const party = { ...plain, ...(await way.prepare?.(swept.client(), plain)) };
    const pay = payBy(way, party);
    // Said before: who reads of a failure needs it to bring that back.
    process.stdout.write(`${name}: the ${victim} is killed with SWEEP=${sweepOfRun}\n`);
    const kills = await swept.sweep(victim, (client, key) => pay(client, `${name} ${key}`));
    process.stdout.write(`${name}: the ${victim} was killed at ${kills} calls\n`);
    // The shortest of them makes some seventeen calls: at least one of them comes, whatever the first is.
    expect(kills).toBeGreaterThan(0);
    const service = { client: swept.client(), databaseUrl: postgres.url };
    await expectRight(service, party, {
      status: way.status,
      payments: (kills + 1) * (way.transactions ?? 1),
    });
  };
}
