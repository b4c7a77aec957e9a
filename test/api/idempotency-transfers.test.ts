import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { countByStatus, together } from '../support/http/concurrency.ts';
import { keyed, replayed } from '../support/http/idempotency.ts';
import { idsIn } from '../support/http/lists.ts';
import { expectProblem } from '../support/http/problems.ts';
import { query } from '../support/postgres/database.ts';
import { serviceOfTests } from '../support/processes/service.ts';
import { expectStatus, fund, untilTransaction } from '../support/resources/flows.ts';
import { balanceOf, customerWith, registerUsd } from '../support/resources/payments.ts';
import { besideOfTests, clientThrough } from '../support/resources/platforms.ts';

const service = serviceOfTests();
const { client } = service;
const second = besideOfTests(service);

describe('a keyed transfer', () => {
  const inBoth = async () => {
    const { customer, account } = await customerWith(client, 100_000);
    return { customer, account, bank: await registerUsd(client, customer.id) };
  };
  const ends = (from: string, to: string) => ({
    source: { accountId: from },
    destination: { accountId: to },
  });

  it.each([
    ['/transfer-out', 'OUTGOING', 95_000],
    ['/transfer-in', 'INCOMING', 105_000],
  ])('moves the money once, sent 20 times at once to two processes: %s', async (path, type, balance) => {
    const { customer, account, bank } = await inBoth();
    const pair = path === '/transfer-out' ? ends(account.id, bank.id) : ends(bank.id, account.id);
    const through = [client, clientThrough(second, service)];
    const key = randomUUID();
    const answers = await together(20, (n) =>
      keyed(through[n % 2] ?? client, key, path, { ...pair, amount: 5_000 }),
    );
    expect(countByStatus(answers)).toEqual({ 201: 20 });
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(answers.filter((answer) => replayed(answer) === null)).toHaveLength(1);
    const { id } = answers[0]?.body ?? {};
    await untilTransaction(client, id, 'COMPLETED');
    expect(await balanceOf(client, customer.id)).toBe(balance);
    const accountIdentifier = bank.id;
    expect(await idsIn(client, '/transactions', { accountIdentifier, type })).toEqual([id]);
  });

  it.each([
    ['/transfer-out', '/transfer-out/'],
    ['/transfer-out/', '/transfer-out'],
  ])('moves the money once, sent to %s and then to %s', async (path, again) => {
    const { customer, account, bank } = await inBoth();
    const [key, body] = [randomUUID(), { ...ends(account.id, bank.id), amount: 5_000 }];
    const first = await keyed(client, key, path, body);
    await untilTransaction(client, expectStatus(first, 201).id, 'COMPLETED');
    const second = await keyed(client, key, again, body);
    expect([second.status, second.body, replayed(second)]).toEqual([201, first.body, 'true']);
    expect(await balanceOf(client, customer.id)).toBe(95_000);
  });

  it('gets the first answer again, whatever it says and whatever became of it', async () => {
    const { account, bank } = await inBoth();
    const key = randomUUID();
    const first = await keyed(client, key, '/transfer-out', { ...ends(account.id, bank.id), amount: 700 });
    await untilTransaction(client, expectStatus(first, 201).id, 'COMPLETED');
    for (const body of [{ ...ends(bank.id, account.id), amount: 9 }, {}, { amount: 'nonsense' }]) {
      const again = await keyed(client, key, '/transfer-out', body);
      expect([again.status, again.body, replayed(again)]).toEqual([201, first.body, 'true']);
    }
  });

  it('stays refused once there was no money', async () => {
    const { account, bank } = await inBoth();
    const key = randomUUID();
    const body = { ...ends(account.id, bank.id), amount: 100_001 };
    expectProblem(await keyed(client, key, '/transfer-out', body), 400, 'INSUFFICIENT_BALANCE');
    await fund(client, account.id, 10_000);
    const again = await keyed(client, key, '/transfer-out', body);
    expectProblem(again, 400, 'INSUFFICIENT_BALANCE');
    expect(replayed(again)).toBe('true');
  });

  /** What comes of a transfer whose key is held until the account outside is gone, if that goes in time. */
  const heldUp = async () => {
    const { account, bank } = await inBoth();
    const key = randomUUID();
    const send = (amount: number, under = key) =>
      keyed(client, under, '/transfer-in', { ...ends(bank.id, account.id), amount });
    expectProblem(await send(-1), 400, 'INVALID_AMOUNT');
    const ofKey = `scope = (select scope from daybook.idempotency_keys where status = 400 order by created_at desc limit 1)`;
    // As another process has it that is at the request, and will be refused.
    const [held] = await query<{ scope: string; until: string }>(
      service.databaseUrl,
      `update daybook.idempotency_keys set status = null, body = null, fingerprint = null,
         held_until = clock_timestamp() + interval '4 seconds' where ${ofKey}
       returning scope, held_until::text as until`,
    );
    const waiting = send(5_000);
    // What comes after it is answered when it has found its key held.
    expectProblem(await send(-1, randomUUID()), 400, 'INVALID_AMOUNT');
    const deleted = await client.delete(`/customers/external-accounts/${bank.id}`);
    const freed = await query(
      service.databaseUrl,
      'delete from daybook.idempotency_keys where scope = $1 and held_until = $2 returning scope',
      [held?.scope, held?.until],
    );
    return { bank, deleted, answer: await waiting, isInTime: freed.length === 1 };
  };

  it('is decided on what is there when its key is free, not on what was when it came', async () => {
    let tried = await heldUp();
    for (let n = 1; n < 5 && !tried.isInTime; n++) tried = await heldUp();
    const { bank, deleted, answer } = tried;
    expectStatus(deleted, 204);
    expectProblem(answer, 404);
    expect(await idsIn(client, '/transactions', { accountIdentifier: bank.id })).toEqual([]);
  });

  it('is another one for the other direction', async () => {
    const { account, bank } = await inBoth();
    const key = randomUUID();
    const out = await keyed(client, key, '/transfer-out', { ...ends(account.id, bank.id), amount: 700 });
    const back = await keyed(client, key, '/transfer-in', { ...ends(bank.id, account.id), amount: 700 });
    expect([out.status, back.status, replayed(back)]).toEqual([201, 201, null]);
    expect(back.body.id).not.toBe(out.body.id);
  });
});
