import { describe, expect, it } from 'vitest';
import { imbalance, postingsOf } from '../../../src/domain/books/postings.ts';
import type { TransactionCommand } from '../../../src/domain/payments/commands.ts';
import type { QuoteTerms } from '../../../src/domain/payments/events.ts';
import { debitEntryId } from '../../../src/domain/payments/transaction.ts';
import type { PaymentRail, RailPayment } from '../../../src/domain/ports/payment-rail.ts';
import { derivedUuid, idOf, uuidOf } from '../../../src/kernel/ids.ts';
import { debit } from '../../support/builders/accounts.ts';
import {
  externalAccountId,
  payeeId,
  payeePlatformId,
  platformId,
  transactionId,
} from '../../support/builders/identities.ts';
import { usd } from '../../support/builders/money.ts';
import { approvalMs, quoteTerms } from '../../support/builders/terms.ts';
import { domainEvent } from '../../support/log/domain-events.ts';
import { watchedEventStore } from '../../support/log/watched-event-store.ts';
import { settlesAtOnce } from '../../support/rails/payment-rails.ts';
import { msLater, testStart } from '../../support/time/clock.ts';
import {
  adaAccount,
  askGrace,
  cause,
  graceAccount,
  graceAddress,
  startTown,
  type Town,
  theirs,
} from '../../support/traffic/town.ts';

const incomingUuid = derivedUuid('incoming-payment', transactionId);

/** Ada sends Grace 99.50 USD, for 100.00. */
async function send({ commands }: Town, words: Partial<QuoteTerms> = {}) {
  const terms = quoteTerms({
    source: { kind: 'INTERNAL', accountId: adaAccount },
    destination: { kind: 'UMA_ADDRESS', umaAddress: graceAddress },
    receiving: usd(99_50n),
    ...words,
  });
  await commands.run('transaction', uuidOf(transactionId), { type: 'CreateQuote', terms }, cause);
  await commands.run('account', uuidOf(adaAccount), debit({ entryId: debitEntryId(transactionId) }), cause);
}

async function outcomeIn({ commands }: Pick<Town, 'commands'>) {
  const [ours, incoming] = await Promise.all([
    commands.load('transaction', uuidOf(transactionId)),
    commands.load('transaction', incomingUuid),
  ]);
  const balances = [adaAccount, graceAccount].map(async (id) => {
    const account = await commands.load('account', uuidOf(id));
    return account.status === 'none' ? undefined : account.balance;
  });
  return [ours.status, incoming.status, ...(await Promise.all(balances))];
}

const ofInFlight = ({ log }: Town) =>
  log.all
    .flatMap((stored) => postingsOf(domainEvent(stored)))
    .filter(({ account }) => account === 'in-flight');

const answer = ({ commands }: Town, command: TransactionCommand) =>
  commands.run('transaction', incomingUuid, command, theirs);

describe('a payment to a customer here', () => {
  it('is the payment of one and the deposit of the other', async () => {
    const town = await startTown({ rail: settlesAtOnce });
    await send(town);
    await town.work();
    expect(await outcomeIn(town)).toEqual(['COMPLETED', 'COMPLETED', 900_00n, 99_50n]);
  });

  it('is none of the rail’s, whatever that says of it', async () => {
    const town = await startTown({ rail: settlesAtOnce });
    await askGrace(town);
    await send(town);
    await town.work();
    const failed = { status: 'failed', reason: 'OFFRAMP_FAILED', refundFails: false } as const;
    for (const id of [transactionId, idOf('Transaction', incomingUuid)])
      for (const ending of [failed, { status: 'settled' }, { status: 'cancelled' }] as const)
        expect(await town.payments.ended(id, ending)).toBe('unknown');
    expect(await outcomeIn(town)).toEqual(['PROCESSING', 'PENDING', 900_00n, 0n]);
    await answer(town, { type: 'ApprovePayment', at: testStart });
    await town.work();
    expect(await outcomeIn(town)).toEqual(['COMPLETED', 'COMPLETED', 900_00n, 99_50n]);
    expect(await town.payments.ended(transactionId, failed)).toBe('unknown');
    expect(await outcomeIn(town)).toEqual(['COMPLETED', 'COMPLETED', 900_00n, 99_50n]);
  });

  it('is asked of no rail once it waits for the receiving side', async () => {
    const failed = { status: 'failed', reason: 'PAY_REQUEST_FAILED', refundFails: false } as const;
    const town = await startTown({ rail: { ...settlesAtOnce, statusOf: async () => failed } });
    await askGrace(town);
    await send(town);
    await town.work();
    // As by a timer that began before the payment was delivered.
    await town.payments.check(transactionId, cause);
    expect(await outcomeIn(town)).toEqual(['PROCESSING', 'PENDING', 900_00n, 0n]);
    await answer(town, { type: 'ApprovePayment', at: testStart });
    await town.work();
    expect(await outcomeIn(town)).toEqual(['COMPLETED', 'COMPLETED', 900_00n, 99_50n]);
  });

  it('tells the receiving side who pays and what for whom', async () => {
    const town = await startTown({ rail: settlesAtOnce });
    await send(town);
    await town.work();
    expect(await town.commands.load('transaction', incomingUuid)).toMatchObject({
      terms: {
        transactionId: idOf('Transaction', incomingUuid),
        platformId: payeePlatformId,
        customerId: payeeId,
        source: { kind: 'UMA_ADDRESS', umaAddress: '$ada@pay.example' },
        destination: { kind: 'INTERNAL', accountId: graceAccount },
        receiving: usd(99_50n),
        incoming: { origin: { transactionId, platformId }, receiverUmaAddress: graceAddress },
      },
    });
  });

  it('keeps what happens to each platform to itself', async () => {
    const town = await startTown({ rail: settlesAtOnce });
    await send(town);
    await town.work();
    const ownersOf = (stream: string) =>
      new Set(town.log.all.filter((one) => one.stream === stream).map(({ metadata }) => metadata.platformId));
    expect(ownersOf(`transaction-${uuidOf(transactionId)}`)).toEqual(new Set([platformId]));
    expect(ownersOf(`transaction-${incomingUuid}`)).toEqual(new Set([payeePlatformId]));
    expect(ownersOf(`account-${uuidOf(adaAccount)}`)).toEqual(new Set([platformId]));
  });

  it('is delivered once, however often the log is read', async () => {
    const town = await startTown({ rail: settlesAtOnce });
    await send(town);
    await town.work();
    const before = town.log.all.length;
    await town.workAgain(5_000);
    await town.workAgain(6_000);
    expect(town.log.all).toHaveLength(before);
  });

  it.each([1, 2, 3, 4])('arrives once after a crash at append %i', async (nth) => {
    const town = await startTown({ rail: settlesAtOnce });
    await send(town);
    let appends = 0;
    const die = () => {
      if (++appends === nth) throw new Error('killed');
    };
    const dying = town.processOn(watchedEventStore(town.log, { afterAppend: die }), 5_000);
    for (const stored of [...town.log.all])
      await dying.payments.submit(domainEvent(stored))?.catch(() => undefined);
    expect(appends).toBeGreaterThanOrEqual(nth);
    await town.workAgain(6_000);
    await town.workAgain(7_000);
    expect(await outcomeIn(town.processOn(town.log, 8_000))).toEqual([
      'COMPLETED',
      'COMPLETED',
      900_00n,
      99_50n,
    ]);
  });
});

describe('a payment to a customer whose platform is asked', () => {
  async function asked() {
    const town = await startTown({ rail: settlesAtOnce });
    await askGrace(town);
    await send(town);
    await town.work();
    return town;
  }

  it('waits for the answer on both sides', async () => {
    const town = await asked();
    expect(await outcomeIn(town)).toEqual(['PROCESSING', 'PENDING', 900_00n, 0n]);
    expect(await town.commands.load('transaction', incomingUuid)).toMatchObject({
      terms: { incoming: { approvalDueAt: msLater(approvalMs) } },
    });
  });

  it.each([
    [{ type: 'ApprovePayment', at: testStart }, ['COMPLETED', 'COMPLETED', 900_00n, 99_50n]],
    [{ type: 'RejectPayment', at: testStart }, ['REJECTED', 'REJECTED', 1_000_00n, 0n]],
    [{ type: 'EndApproval', at: msLater(approvalMs) }, ['FAILED', 'FAILED', 1_000_00n, 0n]],
  ] as const)('ends with $type on both sides', async (command, outcome) => {
    const town = await asked();
    await answer(town, command);
    expect(await outcomeIn(town)).toEqual(outcome);
  });

  it('says why: the sender learns no more than that the request failed', async () => {
    const town = await asked();
    await answer(town, { type: 'RejectPayment', note: 'We do not like Ada', at: testStart });
    expect(await town.commands.load('transaction', uuidOf(transactionId))).toMatchObject({
      reason: 'PAY_REQUEST_FAILED',
    });
  });
});

describe('a payment to a customer with a bank account for incoming payments', () => {
  const defaultAccount = (customer: string, currency: string) =>
    customer === payeeId && currency === 'USD' ? externalAccountId : undefined;

  it('goes there by the rail, and both sides wait for it', async () => {
    const told: RailPayment[] = [];
    const rail: PaymentRail = {
      ...settlesAtOnce,
      submit: async (payment, asked) => {
        told.push(payment);
        return settlesAtOnce.submit(payment, asked);
      },
    };
    const town = await startTown({ rail, defaultAccount });
    await send(town, { remittanceInformation: 'invoice 7', description: 'rent' });
    await town.work();
    // Pushed: nothing is pulled from who is paid.
    expect(told).toMatchObject([{ kind: 'quote', remittanceInformation: 'invoice 7' }]);
    expect(await outcomeIn(town)).toEqual(['PROCESSING', 'PROCESSING', 900_00n, 0n]);
    await town.payments.check(idOf('Transaction', incomingUuid), theirs);
    expect(await outcomeIn(town)).toEqual(['COMPLETED', 'COMPLETED', 900_00n, 0n]);
  });

  it.each([
    [{ status: 'cancelled' }, 'REJECTED'],
    [{ status: 'rejected', reason: 'OFFRAMP_FAILED' }, 'REJECTED'],
    [{ status: 'failed', reason: 'OFFRAMP_FAILED', refundFails: false }, 'FAILED'],
  ] as const)('comes back to the sender when the rail says %j', async (ending, status) => {
    const rail = { ...settlesAtOnce, statusOf: async () => ending };
    const town = await startTown({ rail, defaultAccount });
    await send(town);
    await town.work();
    await town.payments.check(idOf('Transaction', incomingUuid), theirs);
    expect(await outcomeIn(town)).toEqual([status, status, 1_000_00n, 0n]);
  });

  it.each([
    ['before', ['failed']],
    ['after', ['settled', 'failed']],
  ] as const)(
    'stays with the rail when its refund fails %s it arrived, and both sides say so',
    async (_when, said) => {
      const reason = 'OFFRAMP_FAILED';
      const endings = said.map((status) => ({ status, reason, refundFails: true }) as const);
      const town = await startTown({ rail: settlesAtOnce, defaultAccount });
      await send(town);
      await town.work();
      for (const ending of endings)
        expect(await town.payments.ended(idOf('Transaction', incomingUuid), ending)).toBe('recorded');
      expect(await outcomeIn(town)).toEqual(['FAILED', 'FAILED', 900_00n, 0n]);
      const refund = { amount: usd(100_00n), status: 'FAILED' };
      const ours = await town.commands.load('transaction', uuidOf(transactionId));
      expect(ours).toMatchObject({ reason: 'OFFRAMP_FAILED', refund });
      expect(imbalance(ofInFlight(town))).toEqual(new Map());
      for (const ending of endings.slice(-1))
        expect(await town.payments.ended(idOf('Transaction', incomingUuid), ending)).toBe('unchanged');
    },
  );

  const reason = 'OFFRAMP_FAILED';
  it.each([
    [[{ status: 'failed', reason, refundFails: false }], 'FAILED'],
    [[{ status: 'rejected', reason }], 'REJECTED'],
    [[{ status: 'settled' }, { status: 'returned', reason }], 'FAILED'],
  ] as const)('contradicts the refund of the sender after %j', async (endings, status) => {
    const town = await startTown({ rail: settlesAtOnce, defaultAccount });
    const incomingId = idOf('Transaction', incomingUuid);
    await send(town);
    await town.work();
    for (const ending of endings) expect(await town.payments.ended(incomingId, ending)).toBe('recorded');
    const kept = { status: 'failed', reason, refundFails: true } as const;
    expect(await town.payments.ended(incomingId, kept)).toBe('contradicted');
    expect(await outcomeIn(town)).toEqual([status, status, 1_000_00n, 0n]);
  });
});
