import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type Answer, type Client, clientOf, type Json } from '../support/http/client.ts';
import { keyed } from '../support/http/idempotency.ts';
import { idsIn } from '../support/http/lists.ts';
import { expectProblem } from '../support/http/problems.ts';
import { query } from '../support/postgres/database.ts';
import { serviceOfTests } from '../support/processes/service.ts';
import { staffed } from '../support/resources/agents.ts';
import { expectStatus, quoteBody } from '../support/resources/flows.ts';
import { balanceOf, quoteParties, sandboxAddress, toAddress } from '../support/resources/payments.ts';
import { movableClock } from '../support/time/movable-clock.ts';

const clock = movableClock();
/** Without a worker nothing moves on by itself. */
const service = serviceOfTests({ clock, variables: { DAYBOOK_ROLES: 'api,projector' } });
const { client } = service;

/** As a process leaves all keys that was killed just before it kept its answers, ten minutes ago. */
const loseAnswers = () =>
  query(
    service.databaseUrl,
    `update daybook.idempotency_keys
     set status = null, body = null, held_until = clock_timestamp() - interval '10 minutes', at_work_until = null`,
  );

type Case = {
  readonly customerId: string;
  readonly through: Client;
  readonly path: string;
  readonly body?: Json;
  /** After it the same request would be refused. */
  readonly change: () => unknown;
};

const gone = (account: Json) => async () =>
  expect((await client.delete(`/customers/external-accounts/${account.id}`)).status).toBe(204);
const ends = (from: Json, to: Json) => ({
  source: { accountId: from.id },
  destination: { accountId: to.id },
});

async function parties() {
  const { customer, ...rest } = await quoteParties(client);
  return { ...rest, customer, one: { customerId: customer.id, through: client } };
}

async function agency(overrides: object = {}) {
  const { customer, me, ...rest } = await staffed(client, overrides);
  return { ...rest, me, one: { customerId: customer.id, through: me } };
}

const cases: readonly [string, () => Promise<Case>][] = [
  [
    'a quote',
    async () => {
      const { one, account, payee } = await parties();
      return { ...one, path: '/quotes', body: quoteBody(account.id, payee.id), change: gone(payee) };
    },
  ],
  [
    'a quote whose lookup has expired',
    async () => {
      const { one, ...rest } = await parties();
      const body: Json = await toAddress(client, rest, sandboxAddress('success.eur'));
      return { ...one, path: '/quotes', body, change: () => clock.advance(3_600_000) };
    },
  ],
  [
    'a quote that is executed at once',
    async () => {
      const { one, account, payee } = await parties();
      const body = quoteBody(account.id, payee.id, { immediatelyExecute: true });
      return { ...one, path: '/quotes', body, change: gone(payee) };
    },
  ],
  [
    'a quote that pulls from outside at once',
    async () => {
      const { one, account, pulled } = await parties();
      const body = quoteBody(pulled.id, account.id, { immediatelyExecute: true });
      return { ...one, path: '/quotes', body, change: gone(pulled) };
    },
  ],
  [
    'an execution',
    async () => {
      const { one, account, payee } = await parties();
      const { id } = expectStatus(await client.post('/quotes', quoteBody(account.id, payee.id)), 201);
      return { ...one, path: `/quotes/${id}/execute`, change: gone(payee) };
    },
  ],
  [
    'an execution that pulls from outside',
    async () => {
      const { one, account, pulled } = await parties();
      const { id } = expectStatus(await client.post('/quotes', quoteBody(pulled.id, account.id)), 201);
      return { ...one, path: `/quotes/${id}/execute`, change: gone(pulled) };
    },
  ],
  [
    'a transfer out',
    async () => {
      const { one, account, pulled } = await parties();
      const body = { ...ends(account, pulled), amount: 5_000 };
      return { ...one, path: '/transfer-out', body, change: gone(pulled) };
    },
  ],
  [
    'a transfer in',
    async () => {
      const { one, account, pulled } = await parties();
      const body = { ...ends(pulled, account), amount: 5_000 };
      return { ...one, path: '/transfer-in', body, change: gone(pulled) };
    },
  ],
  [
    'an agent’s quote',
    async () => {
      const { one, account, payee } = await agency();
      return {
        ...one,
        path: '/agents/me/quotes',
        body: quoteBody(account.id, payee.id),
        change: gone(payee),
      };
    },
  ],
  [
    'an agent’s quote that is executed at once',
    async () => {
      const { one, account, payee } = await agency();
      const body = quoteBody(account.id, payee.id, { immediatelyExecute: true });
      return { ...one, path: '/agents/me/quotes', body, change: gone(payee) };
    },
  ],
  [
    'an agent’s execution',
    async () => {
      const { one, me, account, payee } = await agency();
      const quote = await me.post('/agents/me/quotes', quoteBody(account.id, payee.id));
      const path = `/agents/me/quotes/${expectStatus(quote, 201).id}/execute`;
      return { ...one, path, change: gone(payee) };
    },
  ],
  [
    'an agent’s transfer out',
    async () => {
      const { one, account, bank } = await agency();
      const body = { ...ends(account, bank), amount: 5_000 };
      return { ...one, path: '/agents/me/transfer-out', body, change: gone(bank) };
    },
  ],
  [
    'an agent’s transfer in',
    async () => {
      const { one, account, bank } = await agency();
      const body = { ...ends(bank, account), amount: 5_000 };
      return { ...one, path: '/agents/me/transfer-in', body, change: gone(bank) };
    },
  ],
];

/** How far a payment has come since the first answer may show. */
const what = ({ status, body }: Answer) => [status, body.code, body.id];

describe('a keyed request whose answer was lost', () => {
  it.each(cases)('finds what it did when it comes again: %s', async (_what, prepare) => {
    const { customerId, through, path, body, change } = await prepare();
    const [key, newKey] = [randomUUID(), randomUUID()];
    const first = await keyed(through, key, path, body);
    expect(first.status).toBeLessThan(300);
    const seen = async () => [
      await balanceOf(client, customerId),
      await idsIn(client, '/transactions', { customerId }),
    ];
    const before = await seen();
    await change();
    await loseAnswers();
    const again = await keyed(through, key, path, body);
    expect(what(again)).toEqual(what(first));
    await loseAnswers();
    const other = await keyed(through, key, path, { nonsense: true });
    expect(what(other)).toEqual(what(first));
    expect(await seen()).toEqual(before);
    expect((await keyed(through, newKey, path, body)).status).toBeGreaterThanOrEqual(400);
  });
});

describe('a key whose first request did nothing before it was cut short', () => {
  it('serves the first request, and no other', async () => {
    const { account, payee } = await parties();
    const key = randomUUID();
    const body = quoteBody(account.id, payee.id, { lockedCurrencyAmount: 0 });
    expectProblem(await keyed(client, key, '/quotes', body), 400, 'INVALID_AMOUNT');
    await loseAnswers();
    const other = quoteBody(account.id, payee.id);
    const refused = await keyed(client, key, '/quotes', other);
    expect(expectProblem(refused, 409, 'IDEMPOTENCY_KEY_REUSED').details).toEqual({
      fields: ['lockedCurrencyAmount'],
    });
    expectProblem(await keyed(client, key, '/quotes', body), 400, 'INVALID_AMOUNT');
  });

  it('is not paid for by a repeat that asks for more than the first', async () => {
    const { one, account, pulled } = await parties();
    const before = await balanceOf(client, one.customerId);
    for (const [from, to] of [
      [account, pulled],
      [pulled, account],
    ] as const) {
      const [key, body] = [randomUUID(), quoteBody(from.id, to.id)];
      const first = expectStatus(await keyed(client, key, '/quotes', body), 201);
      await loseAnswers();
      const again = await keyed(client, key, '/quotes', { ...body, immediatelyExecute: true });
      expect([again.status, again.body.id, again.body.status]).toEqual([201, first.id, 'PENDING']);
    }
    expect(await balanceOf(client, one.customerId)).toBe(before);
  });

  it('serves any request after one that was not let in', async () => {
    const { account, payee } = await parties();
    const key = randomUUID();
    const viewer = expectStatus(await client.post('/tokens', { name: 'viewer', permissions: ['VIEW'] }), 201);
    const body = quoteBody(account.id, payee.id);
    const looking = clientOf(service.url, viewer);
    expectProblem(
      await keyed(looking, key, '/quotes', { ...body, description: 'not mine' }),
      403,
      'FORBIDDEN',
    );
    expectStatus(await keyed(client, key, '/quotes', body), 201);
  });
});
