import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { reactionsConsumer } from '../../projections/kept/parked.ts';
import { goneAfterMs } from '../../src/infrastructure/postgres/presence.ts';
import { inboxUrl } from '../../src/sandbox/inbox.ts';
import { snapshotsMax } from '../../src/workers/platform-snapshots/snapshots.ts';
import { type Answer, type Client, clientOf, type Json } from '../support/http/client.ts';
import { signIn } from '../support/http/console.ts';
import { expectProblem } from '../support/http/problems.ts';
import { unbalanced } from '../support/log/books.ts';
import { query } from '../support/postgres/database.ts';
import { clientWith, serviceOfTests } from '../support/processes/service.ts';
import {
  createCustomer,
  eventually,
  expectStatus,
  fund,
  payoutParties,
  quoteBody,
  registerPayee,
  untilTransaction,
} from '../support/resources/flows.ts';
import {
  customerWith,
  eurInfo,
  quote,
  registerUsd,
  toAddress,
  transferIn,
} from '../support/resources/payments.ts';
import { besideOfTests } from '../support/resources/platforms.ts';
import { contentOf, restoreSnapshot, takeSnapshot } from '../support/resources/snapshots.ts';
import { startReceiver } from '../support/servers/receiver.ts';
import {
  addEmail,
  createWallet,
  type SignedHeaders,
  signed,
  walletWithSession,
} from '../support/wallets/wallets.ts';

const service = serviceOfTests({ variables: { DAYBOOK_SANDBOX_TIME_SCALE: '0.01' } });

const told = async (client: Client, after = '0.0'): Promise<readonly Json[]> =>
  expectStatus(await client.get('/sandbox/webhooks', { after, waitSeconds: '0' }), 200).data;
const namesOf = async (client: Client) =>
  expectStatus(await client.get('/customers'), 200)
    .data.map(({ fullName }: Json) => fullName)
    .toReversed();

/** How long a request is held up: a restore takes its time where the machine has much else to do. */
const delays = ['PT1S', 'PT5S', 'PT25S'];

/** A request, and whether it has had its answer by now. */
function watched(asked: Promise<Answer>) {
  let isAnswered = false;
  const underWay = asked.finally(() => {
    isAnswered = true;
  });
  return { underWay, isOver: () => isAnswered };
}

/** A platform that has gone back while a request was held up: another one each time, until the request outlasts that. */
async function backMeanwhile<Back extends { readonly isOver: boolean }>(
  goBack: (delay: string) => Promise<Back>,
): Promise<Back> {
  for (const delay of delays.slice(0, -1)) {
    const back = await goBack(delay);
    if (!back.isOver) return back;
  }
  return goBack(delays.at(-1) ?? '');
}

/** A platform whose customer is paid 100 under a key. */
async function payer() {
  const client = await service.newPlatform();
  const { customer, account } = await customerWith(client, 0);
  const bank = await registerUsd(client, customer.id);
  const body = { source: { accountId: bank.id }, destination: { accountId: account.id }, amount: 100 };
  const payIn = (key: string) => client.post('/transfer-in', body, { 'Idempotency-Key': key });
  return { client, payIn };
}

describe('snapshots of a platform', () => {
  it('are listed and deleted, and are nobody else’s', async () => {
    const [client, other] = [await service.newPlatform(), await service.newPlatform()];
    const unnamed = await takeSnapshot(client);
    expect(unnamed).toEqual({
      id: expect.stringMatching(/^Snapshot:/),
      events: expect.any(Number),
      createdAt: expect.any(String),
    });
    const named = await takeSnapshot(client, 'with customers');
    expect(named.name).toBe('with customers');
    const list = async () => expectStatus(await client.get('/sandbox/snapshots'), 200).data;
    expect(await list()).toEqual([unnamed, named]);
    for (const path of [`/sandbox/snapshots/${named.id}/restore`])
      expectProblem(await other.post(path), 404, 'REFERENCE_NOT_FOUND');
    expectProblem(await other.delete(`/sandbox/snapshots/${named.id}`), 404, 'REFERENCE_NOT_FOUND');
    expectStatus(await client.delete(`/sandbox/snapshots/${named.id}`), 204);
    expectProblem(await client.delete(`/sandbox/snapshots/${named.id}`), 404, 'REFERENCE_NOT_FOUND');
    expectProblem(await client.post(`/sandbox/snapshots/${named.id}/restore`), 404, 'REFERENCE_NOT_FOUND');
    expect(await list()).toEqual([unnamed]);
    const viewer = await clientWith(service, ['VIEW']);
    expectProblem(await viewer.post('/sandbox/snapshots'), 403, 'FORBIDDEN');
    expectProblem(await client.post('/sandbox/snapshots', { name: '' }), 400, 'INVALID_INPUT');
  });

  it('of the middle of an advance have the clock go on that was stopped for it', async () => {
    const client = await service.newPlatform();
    const receiver = await startReceiver();
    receiver.answer(500);
    expectStatus(await client.patch('/config', { webhookEndpoint: receiver.url }), 200);
    const { account } = await customerWith(client, 0);
    await fund(client, account.id, 1);
    await eventually(
      async () => receiver.received.length,
      (count) => count > 0,
    );
    const held: ServerResponse[] = [];
    receiver.answer((_received, response) => void held.push(response));
    const advancing = client.post('/sandbox/clock/advance', { duration: 'PT1H' });
    await eventually(
      async () => held.length,
      (count) => count > 0,
    );
    const snapshot = await takeSnapshot(client);
    receiver.answer(200);
    for (const response of held) response.end();
    const statusOf = async () => expectStatus(await client.get('/sandbox/clock'), 200).status;
    expect(expectStatus(await advancing, 200).status).toBe('RUNNING');
    await restoreSnapshot(client, snapshot);
    expect(await statusOf()).toBe('RUNNING');
    expectStatus(await client.patch('/config', { webhookEndpoint: null }), 200);
    await receiver.close();
  });

  it('are not taken without end', async () => {
    const client = await service.newPlatform();
    for (let n = 0; n < snapshotsMax; n++) await takeSnapshot(client);
    expectProblem(await client.post('/sandbox/snapshots'), 409, 'CONFLICT');
  });

  it('are taken once what has failed, and is tried again, is done', async () => {
    const client = await service.newPlatform();
    const customer = await createCustomer(client);
    const { databaseUrl } = service;
    await query(
      databaseUrl,
      `insert into daybook.parked_work (consumer, stream, revision, position, event_id, type, error, next_try_at)
       select $1, stream, revision, position, id, type, 'a server was away', clock_timestamp() + interval '2 seconds'
       from daybook_log.events where stream = $2 and revision = 0`,
      [reactionsConsumer, `customer-${customer.id.slice('Customer:'.length)}`],
    );
    await takeSnapshot(client);
    expect(await query(databaseUrl, 'select stream from daybook.parked_work')).toEqual([]);
  });

  it('change nothing of another platform', async () => {
    const [client, other] = [await service.newPlatform(), await service.newPlatform()];
    const snapshot = await takeSnapshot(client);
    const { account } = await customerWith(other, 500);
    await createCustomer(client);
    await restoreSnapshot(client, snapshot);
    expect(await namesOf(client)).toEqual([]);
    expect(await namesOf(other)).toHaveLength(1);
    expect((await fund(other, account.id, 1)).balance.amount).toBe(501);
  });

  it('have what streams of one customer say of each other, as it came about', async () => {
    const client = await service.newPlatform();
    const gone = await createWallet(client, { email: 'gone@example.com' });
    await addEmail(client, gone);
    expectStatus(await client.delete(`/customers/${gone.customer.id}`), 200);
    const { customer, session } = await walletWithSession(client, { email: 'here@example.com' });
    const register = async (suffix: number) =>
      registerPayee(client, {
        customerId: customer.id,
        currency: 'EUR',
        accountInfo: eurInfo(String(suffix)),
        defaultUmaDepositAccount: true,
      });
    const [former] = [await register(700), await register(701)];
    const status = { status: 'INACTIVE' };
    expectStatus(await client.post(`/sandbox/external-accounts/${former?.id}/status`, status), 200);
    for (let n = 702; n < 710; n++) await register(n);
    const before = await contentOf(service.databaseUrl, client);
    const snapshot = await takeSnapshot(client);
    const change = (headers?: SignedHeaders) =>
      client.patch(`/customers/${customer.id}`, { email: 'gone@example.com' }, headers);
    expectStatus(await signed(change, session), 200);
    await restoreSnapshot(client, snapshot);
    expect(await contentOf(service.databaseUrl, client)).toEqual(before);
    expectStatus(await signed(change, session), 200);
  });

  it('leave payments their lives, with the entries on accounts', async () => {
    const client = await service.newPlatform();
    const { account } = await customerWith(client, 10_000);
    const { account: other } = await customerWith(client, 0);
    const body = quoteBody(account.id, other.id, { lockedCurrencyAmount: 500, immediatelyExecute: true });
    const { transactionId } = await quote(client, body);
    await untilTransaction(client, transactionId, 'COMPLETED');
    const lifeOf = async () => {
      const path = `/console/transactions/${transactionId}/life`;
      const { data }: Json = expectStatus(await client.get(path), 200);
      const typeOf = new Map(data.map(({ eventId, type }: Json) => [eventId, type]));
      return data.map(({ stream, revision, type, causedBy, data: said }: Json) => {
        return { stream, revision, type, cause: typeOf.get(causedBy), said };
      });
    };
    const before = await lifeOf();
    const types = before.map(({ type }: Json) => type);
    expect(types).toEqual(expect.arrayContaining(['AccountDebited', 'AccountCredited']));
    const snapshot = await takeSnapshot(client);
    await fund(client, account.id, 1);
    await restoreSnapshot(client, snapshot);
    expect(await lifeOf()).toEqual(before);
  });

  it('take the same key of a request for a new one, unless it was used before', async () => {
    const client = await service.newPlatform();
    const { customer, account } = await customerWith(client, 0);
    const bank = await registerUsd(client, customer.id);
    const body = { source: { accountId: bank.id }, destination: { accountId: account.id } };
    const payIn = (amount: number, key: string) =>
      client.post('/transfer-in', { ...body, amount }, { 'Idempotency-Key': key });
    const first = expectStatus(await payIn(100, 'first'), 201);
    const snapshot = await takeSnapshot(client);
    const second = expectStatus(await payIn(200, 'second'), 201);
    await restoreSnapshot(client, snapshot);
    const again = await payIn(100, 'first');
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.body.id).toBe(first.id);
    const anew = expectStatus(await payIn(300, 'second'), 201);
    expect(anew.id).not.toBe(second.id);
    await untilTransaction(client, anew.id, 'COMPLETED');
    expectProblem(await client.get(`/transactions/${second.id}`), 404, 'TRANSACTION_NOT_FOUND');
    await untilTransaction(client, first.id, 'COMPLETED');
    expect((await fund(client, account.id, 1)).balance.amount).toBe(401);
  });

  it('leave the keys of another platform, whose retry is no second payment', async () => {
    const [{ client }, other] = [await payer(), await payer()];
    const snapshot = await takeSnapshot(client);
    const { id } = expectStatus(await other.payIn('one'), 201);
    await restoreSnapshot(client, snapshot);
    expect(expectStatus(await other.payIn('one'), 201).id).toBe(id);
  });

  it('tell a key from after it by what there was, and not by the time', async () => {
    const { client, payIn } = await payer();
    const before = expectStatus(await payIn('before'), 201);
    const snapshot = await takeSnapshot(client);
    const after = expectStatus(await payIn('after'), 201);
    await query(
      service.databaseUrl,
      `update idempotency_keys set created_at = (select created_at from sandbox_snapshots where id = $1)
       where scope = (select scope from idempotency_keys join sandbox_snapshots on platform_id = tenant
         where id = $1 order by idempotency_keys.created_at desc limit 1)`,
      [snapshot.id],
    );
    await restoreSnapshot(client, snapshot);
    expect(expectStatus(await payIn('after'), 201).id).not.toBe(after.id);
    expect(expectStatus(await payIn('before'), 201).id).toBe(before.id);
  });

  it.each(['BEFORE', 'AFTER'])(
    'keep no answer of a request that is under way, and held up %s its work, when a platform goes back',
    async (when) => {
      const { client, payIn, underWay } = await backMeanwhile(async (delay) => {
        const { client, payIn } = await payer();
        const snapshot = await takeSnapshot(client);
        const isPaid = async () => expectStatus(await client.get('/transactions'), 200).totalCount > 0;
        const fault = {
          effect: { kind: 'DELAY', when, delay },
          match: { operationId: 'transferIn' },
          times: 1,
        };
        expectStatus(await client.post('/sandbox/faults', fault), 201);
        const { underWay, isOver } = watched(payIn('one'));
        const isHeldUp = async () => {
          const { data } = expectStatus(await client.get('/sandbox/faults'), 200);
          return data.length === 0 && (when === 'BEFORE' || (await isPaid()));
        };
        await eventually(isHeldUp, (is) => is);
        await restoreSnapshot(client, snapshot);
        return { client, payIn, underWay, isOver: isOver() };
      });
      // What was found before is no more: nothing is done with it.
      expect((await underWay).status).toBe(when === 'BEFORE' ? 503 : 201);
      const again = expectStatus(await payIn('one'), 201);
      expectStatus(await client.get(`/transactions/${again.id}`), 200);
      expect(expectStatus(await client.get('/transactions'), 200).totalCount).toBe(1);
    },
  );

  it('take no money for a quote that is gone', async () => {
    const { client, underWay } = await backMeanwhile(async (delay) => {
      const client = await service.newPlatform();
      const { account, payee } = await payoutParties(client);
      const snapshot = await takeSnapshot(client);
      const { id } = await quote(client, quoteBody(account.id, payee.id));
      const effect = { kind: 'DELAY', when: 'BEFORE', delay };
      const fault = { effect, match: { operationId: 'executeQuote' }, times: 1 };
      expectStatus(await client.post('/sandbox/faults', fault), 201);
      const { underWay, isOver } = watched(client.post(`/quotes/${id}/execute`));
      const waiting = async () => expectStatus(await client.get('/sandbox/faults'), 200).data;
      await eventually(waiting, (all) => all.length === 0);
      await restoreSnapshot(client, snapshot);
      return { client, underWay, isOver: isOver() };
    });
    expectProblem(await underWay, 503, 'SERVICE_UNAVAILABLE');
    expect(await unbalanced(client)).toEqual([]);
  });

  it('have the tokens of then, and are not gone back to with a younger one', async () => {
    const client = await service.newPlatform();
    const all = ['VIEW', 'TRANSACT', 'MANAGE'];
    const made = async (name: string) =>
      expectStatus(await client.post('/tokens', { name, permissions: all }), 201);
    const old = await made('old');
    const snapshot = await takeSnapshot(client);
    const young = clientOf(service.url, await made('young'));
    expectProblem(await young.post(`/sandbox/snapshots/${snapshot.id}/restore`), 409, 'CONFLICT');
    expectStatus(await client.delete(`/tokens/${old.id}`), 204);
    await restoreSnapshot(client, snapshot);
    expectStatus(await clientOf(service.url, old).get('/customers'), 200);
    expectProblem(await young.get('/customers'), 401, 'UNAUTHORIZED');
    const { data } = expectStatus(await client.get('/tokens'), 200);
    expect(data.map(({ name }: Json) => name)).not.toContain('young');
  });

  it('bring back no session of the console that ended with its token', async () => {
    const client = await service.newPlatform();
    const made = async (name: string) =>
      expectStatus(await client.post('/tokens', { name, permissions: ['VIEW'] }), 201);
    const sessionOf = async (name: string) => {
      const token = await made(name);
      return { ...(await signIn(service, token)), id: token.id };
    };
    const before = await takeSnapshot(client);
    const [kept, deleted] = [await sessionOf('kept'), await sessionOf('deleted')];
    const snapshot = await takeSnapshot(client);
    expectStatus(await client.delete(`/tokens/${deleted.id}`), 204);
    await restoreSnapshot(client, snapshot);
    expectStatus(await client.get(`/tokens/${deleted.id}`), 200);
    expectProblem(await deleted.get('/console/session'), 401, 'UNAUTHORIZED');
    expectStatus(await kept.get('/console/session'), 200);
    await restoreSnapshot(client, before);
    await restoreSnapshot(client, snapshot);
    expectStatus(await client.get(`/tokens/${kept.id}`), 200);
    expectProblem(await kept.get('/console/session'), 401, 'UNAUTHORIZED');
  });

  it('are not gone back to with a token that may less than what comes back', async () => {
    const client = await service.newPlatform();
    const made = async (...permissions: string[]) =>
      expectStatus(await client.post('/tokens', { name: 'one', permissions }), 201);
    const leaked = await made('TRANSACT', 'MANAGE');
    const manager = clientOf(service.url, await made('MANAGE'));
    const snapshot = expectStatus(await manager.post('/sandbox/snapshots'), 201);
    expectStatus(await client.delete(`/tokens/${leaked.id}`), 204);
    const refused = await manager.post(`/sandbox/snapshots/${snapshot.id}/restore`);
    expect(expectProblem(refused, 403, 'FORBIDDEN').details.requiredPermission).toBe('TRANSACT');
    expectProblem(await clientOf(service.url, leaked).get('/customers'), 401, 'UNAUTHORIZED');
  });

  it('wait for nobody who makes a token meanwhile', async () => {
    const client = await service.newPlatform();
    await customerWith(client, 100);
    const snapshot = await takeSnapshot(client);
    let isBack = false;
    const makeTokens = async () => {
      while (!isBack) {
        const { status } = await client.post('/tokens', { name: 'one', permissions: ['VIEW'] });
        expect([201, 503]).toContain(status);
      }
    };
    const making = [makeTokens(), makeTokens()];
    await restoreSnapshot(client, snapshot);
    isBack = true;
    await Promise.all(making);
  });

  it('have the clock and the timers of then', async () => {
    const client = await service.newPlatform();
    const { now } = expectStatus(await client.post('/sandbox/clock/freeze'), 200);
    const { account, payee } = await payoutParties(client);
    const { id, expiresAt } = await quote(client, quoteBody(account.id, payee.id));
    const snapshot = await takeSnapshot(client);
    for (let times = 0; times < 2; times++) {
      expect(expectStatus(await client.get('/sandbox/clock'), 200)).toEqual({
        status: 'FROZEN',
        now,
        nextTimerAt: expiresAt,
      });
      expectStatus(await client.post('/sandbox/clock/advance', { duration: 'P30D' }), 200);
      expect(expectStatus(await client.get(`/quotes/${id}`), 200).status).toBe('EXPIRED');
      expectStatus(await client.post('/sandbox/clock/resume'), 200);
      await restoreSnapshot(client, snapshot);
    }
    expect(expectStatus(await client.get(`/quotes/${id}`), 200).status).toBe('PENDING');
    expectStatus(await client.post(`/quotes/${id}/execute`), 200);
  });

  it('with a clock that was never moved', async () => {
    const client = await service.newPlatform();
    const snapshot = await takeSnapshot(client);
    expectStatus(await client.post('/sandbox/clock/advance', { duration: 'P300D' }), 200);
    await restoreSnapshot(client, snapshot);
    const clock = expectStatus(await client.get('/sandbox/clock'), 200);
    expect(clock.status).toBe('FOLLOWING');
    expect((await createCustomer(client)).createdAt < new Date(Date.now() + 86_400_000).toISOString()).toBe(
      true,
    );
  });

  it('tell nothing anew, and what follows goes on', async () => {
    const client = await service.newPlatform();
    expectStatus(await client.patch('/config', { webhookEndpoint: inboxUrl }), 200);
    const { customer, account } = await customerWith(client, 100);
    const bank = await registerUsd(client, customer.id);
    const { id } = expectStatus(await transferIn(client, bank.id, account.id, 1_000), 201);
    await untilTransaction(client, id, 'COMPLETED');
    const snapshot = await takeSnapshot(client);
    const before = await told(client);
    const after = before.at(-1)?.place;
    const second = expectStatus(await transferIn(client, bank.id, account.id, 2_000), 201);
    await untilTransaction(client, second.id, 'COMPLETED');
    expect((await told(client)).length).toBeGreaterThan(before.length);
    await restoreSnapshot(client, snapshot);
    const withoutPlace = (all: readonly Json[]) => all.map(({ deliveries: _d, ...rest }) => rest);
    expect(withoutPlace(await told(client))).toEqual(withoutPlace(before));
    const third = expectStatus(await transferIn(client, bank.id, account.id, 3_000), 201);
    await untilTransaction(client, third.id, 'COMPLETED');
    const news = await told(client, after);
    expect(news.length).toBeGreaterThan(0);
    expect(JSON.stringify(news)).not.toContain(second.id);
    expect(JSON.stringify(news)).toContain(third.id);
  });

  it('have the webhooks that waited, though an endpoint was switched off before', async () => {
    const client = await service.newPlatform();
    const { account } = await customerWith(client, 100);
    expectStatus(await client.post('/sandbox/clock/freeze'), 200);
    const unreachable = 'https://receiver.invalid/hooks';
    for (const webhookEndpoint of [unreachable, null, unreachable])
      expectStatus(await client.patch('/config', { webhookEndpoint }), 200);
    await fund(client, account.id, 1);
    const states = async () => (await told(client)).map(({ state }) => state);
    // A TEST is tried once: what it came to is waited for, so that only what is tried again is pending.
    const isOver = ({ type, state }: Json) => type !== 'TEST' || state !== 'PENDING';
    await eventually(
      () => told(client),
      (all) => all.every(isOver) && all.some(({ state }) => state === 'PENDING'),
    );
    const before = await states();
    const snapshot = await takeSnapshot(client);
    expectStatus(await client.patch('/config', { webhookEndpoint: null }), 200);
    await eventually(states, (all) => !all.includes('PENDING'));
    await restoreSnapshot(client, snapshot);
    expectStatus(await client.patch('/config', { webhookEndpoint: inboxUrl }), 200);
    expectStatus(await client.post('/sandbox/clock/advance', { duration: 'PT1H' }), 200);
    const then = (await states()).slice(0, before.length);
    expect(then).toEqual(before.map((state) => (state === 'PENDING' ? 'DELIVERED' : state)));
  });

  it('have the faults and the keys of webhooks of then', async () => {
    const client = await service.newPlatform();
    const fault = {
      effect: { kind: 'REFUSE', code: 'SERVICE_UNAVAILABLE' },
      match: { operationId: 'createCustomer' },
    };
    expectStatus(await client.post('/sandbox/faults', fault), 201);
    const keys = expectStatus(await client.get('/webhooks/keys'), 200);
    const snapshot = await takeSnapshot(client);
    const { data } = expectStatus(await client.get('/sandbox/faults'), 200);
    expectStatus(await client.delete(`/sandbox/faults/${data[0].id}`), 204);
    expectStatus(await client.post('/webhooks/keys/rotate'), 200);
    await createCustomer(client);
    await restoreSnapshot(client, snapshot);
    expect(expectStatus(await client.get('/webhooks/keys'), 200)).toEqual(keys);
    expectProblem(
      await client.post('/customers', { customerType: 'INDIVIDUAL', fullName: 'Ada', region: 'US' }),
      503,
      'SERVICE_UNAVAILABLE',
    );
  });

  it('are refused where another platform has a part in what came since', async () => {
    const [client, other] = [await service.newPlatform(), await service.newPlatform()];
    const payer = await customerWith(client, 10_000);
    const payee = await customerWith(other, 0);
    const snapshot = await takeSnapshot(client);
    const theirs = await takeSnapshot(other);
    const body = await toAddress(client, payer, payee.customer.umaAddress, { immediatelyExecute: true });
    const paid = await quote(client, body);
    await untilTransaction(client, paid.transactionId, 'COMPLETED');
    for (const [who, which] of [
      [client, snapshot],
      [other, theirs],
    ] as const)
      expectProblem(await who.post(`/sandbox/snapshots/${which.id}/restore`), 409, 'CONFLICT');
    const later = await takeSnapshot(client);
    await restoreSnapshot(client, later);
    for (const who of [client, other]) expect(await unbalanced(who)).toEqual([]);
  });

  it('keep the books balanced whatever is under way when a platform goes back', async () => {
    const client = await service.newPlatform();
    const { customer, account } = await customerWith(client, 1_000_000);
    const bank = await registerUsd(client, customer.id);
    const snapshot = await takeSnapshot(client);
    for (let round = 0; round < 3; round++) {
      const underway = Array.from({ length: 12 }, (_, n) => transferIn(client, bank.id, account.id, 100 + n));
      await Promise.race(underway);
      await restoreSnapshot(client, snapshot);
      const answers = await Promise.all(underway);
      // What came after it is paid; of what came before nothing is left.
      for (const { status, body } of answers) {
        if (status !== 201) continue;
        const found = await client.get(`/transactions/${body.id}`);
        if (found.status === 200) await untilTransaction(client, body.id, 'COMPLETED');
      }
      expect(await unbalanced(client)).toEqual([]);
      const { data } = expectStatus(await client.get('/transactions', { limit: '100' }), 200);
      const arrived = data
        .filter(({ type, status }: Json) => type === 'INCOMING' && status === 'COMPLETED')
        .reduce((sum: number, { receivedAmount }: Json) => sum + receivedAmount.amount, 0);
      expect((await fund(client, account.id, 1)).balance.amount).toBe(arrived + 1);
      await restoreSnapshot(client, snapshot);
    }
  });
});

/** Each process listens on one connection. */
const listeners = `select pid from pg_stat_activity
  where datname = current_database() and application_name = 'daybook-listen'`;

describe('an installation of several processes', () => {
  const here = serviceOfTests();
  const there = besideOfTests(here);

  it('has no snapshots', async () => {
    for (const { client } of [here, there])
      expectProblem(await client.post('/sandbox/snapshots'), 409, 'CONFLICT');
  });

  const untilBothListen = () =>
    eventually(
      () => query(here.databaseUrl, listeners),
      (rows) => rows.length === 2,
    );

  it('has none while the other one is not connected for a moment', async () => {
    // Both have heard of each other by then.
    await untilBothListen();
    for (let n = 0; n < 3; n++) {
      await query(here.databaseUrl, `select pg_terminate_backend(pid) from (${listeners} limit 1) as one`);
      expectProblem(await here.client.post('/sandbox/snapshots'), 409, 'CONFLICT');
    }
  });

  it('has them again when the other one has stopped, long before it would count as gone', async () => {
    // Who is not connected takes no leave.
    await untilBothListen();
    await there.stop();
    await eventually(
      () => here.client.post('/sandbox/snapshots'),
      ({ status }) => status === 201,
      goneAfterMs / 2,
    );
  });
});
