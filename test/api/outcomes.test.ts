import { describe, expect, it } from 'vitest';
import { sandboxOutcomes, verificationOutcomes } from '../../src/sandbox/outcomes.ts';
import type { Answer, Json } from '../support/http/client.ts';
import { expectProblem } from '../support/http/problems.ts';
import { eventsOf, inFlightOf, statusesOf, unbalanced, untilEnded } from '../support/log/books.ts';
import { serviceOfTests, startTestService } from '../support/processes/service.ts';
import { eventually, expectStatus, quoteBody } from '../support/resources/flows.ts';
import {
  balanceOf,
  customerWith,
  eurInfo,
  executeQuote,
  quote,
  registerEur,
  registerUsd,
  sandboxAddress,
  toAddress,
  transferIn,
  transferOut,
} from '../support/resources/payments.ts';
import { movableClock } from '../support/time/movable-clock.ts';

/** What a caller sees of a payment that ends in one of the ways of docs/reference/sandbox.md. */
type Expected = {
  readonly statuses: readonly string[];
  readonly failureReason?: string;
  readonly refund?: readonly [status: string, reason: string];
  /** The request's own answer shows it. */
  readonly atOnce?: true;
};
const refunded = ['COMPLETED', 'TRANSACTION_FAILED'] as const;
const completed: Expected = { statuses: ['PENDING', 'PROCESSING', 'COMPLETED'] };
const failed = (failureReason: string): Expected => ({
  statuses: ['PENDING', 'PROCESSING', 'FAILED'],
  failureReason,
  refund: refunded,
});

const transfers: Readonly<Record<string, Expected>> = {
  '002': {
    statuses: ['PENDING', 'FAILED'],
    failureReason: 'QUOTE_EXECUTION_FAILED',
    refund: refunded,
    atOnce: true,
  },
  '003': {
    statuses: ['PENDING', 'FAILED'],
    failureReason: 'OFFRAMP_FAILED',
    refund: refunded,
    atOnce: true,
  },
  '004': { statuses: ['PENDING', 'REJECTED'], failureReason: 'OFFRAMP_FAILED', refund: refunded },
  '005': { statuses: ['PENDING', 'FAILED'], failureReason: 'OFFRAMP_FAILED', refund: refunded },
  other: completed,
};
const quotes: Readonly<Record<string, Expected>> = {
  '002': failed('QUOTE_EXECUTION_FAILED'),
  '003': completed,
  '004': failed('OFFRAMP_FAILED'),
  '005': {
    statuses: ['PENDING', 'PROCESSING', 'COMPLETED', 'FAILED'],
    failureReason: 'OFFRAMP_FAILED',
    refund: refunded,
  },
  '006': { statuses: ['PENDING', 'PROCESSING', 'REFUNDED'], refund: ['COMPLETED', 'USER_CANCELLATION'] },
  '007': {
    statuses: ['PENDING', 'PROCESSING', 'FAILED'],
    failureReason: 'OFFRAMP_FAILED',
    refund: ['FAILED', 'TRANSACTION_FAILED'],
  },
  other: completed,
};
const addresses: Readonly<Record<string, Expected>> = {
  '$success.usd': completed,
  '$success.eur': completed,
  '$success.mxn': completed,
  '$pending.long.usd': completed,
  '$fail.compliance.usd': failed('PAY_REQUEST_FAILED'),
};
const verifications: Readonly<Record<string, string>> = {
  '102': 'NOT_MATCHED',
  '103': 'PARTIAL_MATCH',
  '104': 'PENDING',
  '106': 'UNSUPPORTED',
  '107': 'CHECKED_BY_RECEIVING_FI',
  '108': 'MATCHED',
  '789': 'MATCHED',
};

const rowsIn = (expected: Readonly<Record<string, Expected>>) => Object.entries(expected);
const suffixOf = (key: string) => (key === 'other' ? '789' : key);
const funded = 100_000;
const sent = 10_000;

const service = serviceOfTests({ variables: { DAYBOOK_SANDBOX_TIME_SCALE: '0.001' } });

const lastOf = ({ statuses }: Expected) => statuses.at(-1) ?? '';
const isGivenBack = ({ refund }: Expected) => refund?.[0] === 'COMPLETED';

/** Follows a payment to its end and checks everything that the outcome table promises. */
async function expectOutcome(transactionId: string, expected: Expected): Promise<Json> {
  const { client, databaseUrl } = service;
  await eventually(
    () => statusesOf(databaseUrl, transactionId),
    ({ length }) => length >= expected.statuses.length,
  );
  const ended = await untilEnded(client, transactionId, lastOf(expected));
  expect(await statusesOf(databaseUrl, transactionId)).toEqual(expected.statuses);
  expect(ended.failureReason).toBe(expected.failureReason);
  expect(ended.refund && [ended.refund.status, ended.refund.reason]).toEqual(expected.refund);
  expect(ended.refund?.settledAt !== undefined).toBe(isGivenBack(expected));
  expect(ended.settledAt !== undefined).toBe(ended.status === 'COMPLETED');
  expect(await inFlightOf(databaseUrl, transactionId)).toEqual({});
  expect(await unbalanced(client)).toEqual([]);
  return ended;
}

describe('the tables of this file', () => {
  it.each([
    ['transfer', transfers],
    ['quote', quotes],
    ['address', addresses],
  ] as const)('have one for every row on a %s', (context, expected) => {
    const rows = sandboxOutcomes.filter((row) => row.context === context);
    expect(rows.map(({ key }) => key).sort()).toEqual(Object.keys(expected).sort());
  });

  it('have one for every verification', () => {
    const tested = new Set([...Object.keys(verifications), '105', '109']);
    expect(Object.keys(verificationOutcomes).filter((suffix) => !tested.has(suffix))).toEqual([]);
  });
});

describe.each(rowsIn(transfers))('a transfer with an account that ends in %s', (key, expected) => {
  /** The rail may have gone on before the answer is made, except where it says no at once. */
  const answered = expected.atOnce ? ['FAILED'] : expected.statuses;

  it('pays out as its row says', async () => {
    const { client } = service;
    const { customer, account } = await customerWith(client, funded);
    const payee = await registerUsd(client, customer.id, suffixOf(key));
    const answer = expectStatus(await transferOut(client, account.id, payee.id, sent), 201);
    expect(answer.type).toBe('OUTGOING');
    expect(answered).toContain(answer.status);
    await expectOutcome(answer.id, expected);
    expect(await balanceOf(client, customer.id)).toBe(isGivenBack(expected) ? funded : funded - sent);
  });

  it('pulls in as its row says, with nothing owed when it fails', async () => {
    const { client } = service;
    const { customer, account } = await customerWith(client, 0);
    const payer = await registerUsd(client, customer.id, suffixOf(key));
    const answer = expectStatus(await transferIn(client, payer.id, account.id, sent), 201);
    expect(answer.type).toBe('INCOMING');
    expect(answered).toContain(answer.status);
    const { refund: _none, ...withoutRefund } = expected;
    await expectOutcome(answer.id, withoutRefund);
    expect(await balanceOf(client, customer.id)).toBe(lastOf(expected) === 'COMPLETED' ? sent : 0);
  });
});

describe.each(rowsIn(quotes))('a quote to an account that ends in %s', (key, expected) => {
  const quoteStatus = lastOf(expected) === 'COMPLETED' ? 'COMPLETED' : 'FAILED';

  it('ends as its row says from an internal account', async () => {
    const { client } = service;
    const { customer, account } = await customerWith(client, funded);
    const payee = await registerEur(client, customer.id, suffixOf(key));
    const { id, transactionId } = await quote(client, quoteBody(account.id, payee.id));
    expect((await executeQuote(client, { id })).status).toBe('PROCESSING');
    await expectOutcome(transactionId, expected);
    expect(await balanceOf(client, customer.id)).toBe(isGivenBack(expected) ? funded : funded - sent);
    expect((await client.get(`/quotes/${id}`)).body.status).toBe(quoteStatus);
  });

  it('ends as its row says from an external account, where a refund goes back', async () => {
    const { client } = service;
    const { customer } = await customerWith(client, 0);
    const payer = await registerUsd(client, customer.id);
    const payee = await registerEur(client, customer.id, suffixOf(key));
    const { id, transactionId } = await quote(client, quoteBody(payer.id, payee.id));
    await executeQuote(client, { id });
    await expectOutcome(transactionId, expected);
    expect(await balanceOf(client, customer.id)).toBe(0);
    expect((await client.get(`/quotes/${id}`)).body.status).toBe(quoteStatus);
  });
});

describe('a quote to a sandbox address', () => {
  const prompt = rowsIn(addresses).filter(([key]) => !key.startsWith('$pending'));

  it.each(prompt)('ends as its name says: %s', async (key, expected) => {
    const { client } = service;
    const payer = await customerWith(client, funded);
    const body = await toAddress(client, payer, sandboxAddress(key.slice(1)));
    const { id, transactionId, receivingCurrency } = await quote(client, body);
    expect(receivingCurrency.code).toBe(key.slice(-3).toUpperCase());
    await executeQuote(client, { id });
    await expectOutcome(transactionId, expected);
    expect(await balanceOf(client, payer.customer.id)).toBe(isGivenBack(expected) ? funded : funded - sent);
  });

  it('$pending.long.usd stays under way for 24 hours, then completes', async () => {
    const clock = movableClock();
    const patient = await startTestService({ clock, variables: { DAYBOOK_SANDBOX_TIME_SCALE: '1' } });
    const { client, databaseUrl, timers } = patient;
    const body = await toAddress(client, await customerWith(client), sandboxAddress('pending.long.usd'));
    const { id, transactionId } = await quote(client, body);
    await executeQuote(client, { id });
    const day = 24 * 3600_000;
    const steps = async (ms: number) => {
      clock.advance(ms);
      await timers.empty();
      return timers.reconcile();
    };
    await eventually(
      () => eventsOf(databaseUrl, transactionId),
      (events) => events.some(({ type }) => type === 'PaymentSubmitted'),
    );
    expect(await steps(day - 60_000)).toBe(0);
    expect((await client.get(`/transactions/${transactionId}`)).body.status).toBe('PROCESSING');
    await steps(120_000);
    await untilEnded(client, transactionId, 'COMPLETED');
    expect(await inFlightOf(databaseUrl, transactionId)).toEqual({});
    await patient.stop();
  });
});

describe('the name on a new external account', () => {
  const register = async (suffix: string): Promise<Answer> => {
    const { customer } = await customerWith(service.client, 0);
    const body = { customerId: customer.id, currency: 'EUR', accountInfo: eurInfo(suffix) };
    return service.client.post('/customers/external-accounts', body);
  };

  it.each(Object.entries(verifications))('is found by the suffix %s to be %s', async (suffix, status) => {
    const account = expectStatus(await register(suffix), 201);
    expect(account).toMatchObject({ status: 'ACTIVE', beneficiaryVerificationStatus: status });
    const known = { MATCHED: 'Ada Lovelace', PARTIAL_MATCH: 'A. Lovelace' }[status];
    expect(account.beneficiaryVerifiedData?.fullName).toBe(known);
    const read = await service.client.get(`/customers/external-accounts/${account.id}`);
    expect(read.body).toEqual(account);
  });

  it.each([
    ['105', 400, 'INVALID_BANK_ACCOUNT'],
    ['109', 500, 'INTERNAL_ERROR'],
  ])('stores no account when it fails by the suffix %s', async (suffix, status, code) => {
    const { client } = service;
    const { customer } = await customerWith(client, 0);
    const body = { customerId: customer.id, currency: 'EUR', accountInfo: eurInfo(suffix) };
    for (let n = 0; n < 2; n++)
      expectProblem(await client.post('/customers/external-accounts', body), status, code);
    const { data } = expectStatus(
      await client.get('/customers/external-accounts', { customerId: customer.id }),
      200,
    );
    expect(data).toEqual([]);
  });

  it('is not checked on a wallet', async () => {
    const accountInfo = { accountType: 'SOLANA_WALLET', address: '4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAs102' };
    const body = { currency: 'USDC', accountInfo };
    const account = expectStatus(await service.client.post('/customers/external-accounts', body), 201);
    expect(account.beneficiaryVerificationStatus).toBeUndefined();
  });
});
