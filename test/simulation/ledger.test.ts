import { beforeAll, describe, expect, it } from 'vitest';
import type { DomainEvent } from '../../src/domain/aggregates.ts';
import type { Payment } from '../../src/domain/payments/life/progress.ts';
import { debitEntryId } from '../../src/domain/payments/transaction.ts';
import { type TransactionId, uuidOf } from '../../src/kernel/ids.ts';
import { givenSeed } from '../support/property.ts';
import { verify } from '../support/verify.ts';
import { audit, type Books } from './audit.ts';
import { randomFrom } from './random.ts';
import { type Process, pendingTimers, type Service, startService } from './service.ts';
import { worldOf } from './world.ts';

const steps = 200;
/** The same lives every time, and one that nobody has seen; `SEED=…` brings one of them back. */
const seeds = givenSeed === undefined ? [...Array(14).keys(), Date.now() % 2 ** 32] : [givenSeed];

/** The types of event that came up in any life, and how its payments ended. */
const met = new Set<string>();

/** A life of the service, and the log as the last crash left it. */
async function live(seed: number): Promise<Service> {
  const random = randomFrom(seed);
  const service = startService(random);
  const { openPlatforms, step } = worldOf(service, random);
  await openPlatforms();
  for (let n = 0; n < steps; n++) await step();
  return service;
}

/** All payments as the decider sees them now. */
async function paymentsIn(log: readonly DomainEvent[], { commands }: Process): Promise<readonly Payment[]> {
  const streams = new Set(
    log.map(({ stream }) => stream).filter((stream) => stream.startsWith('transaction-')),
  );
  const load = (stream: string) => commands.load('transaction', stream.slice('transaction-'.length));
  const states = await Promise.all([...streams].map(load));
  return states.flatMap((state) => (state.status === 'NONE' ? [] : [state]));
}

const isOpen = ({ status }: Payment) => status === 'PENDING' || status === 'PROCESSING';

/** What a payment has in flight while it is open: what it took, or what it holds ready. */
function amountsInFlight(payment: Payment): readonly (readonly [string, bigint])[] {
  const { kind, source, transactionId, sending } = payment.terms;
  const isPaid = kind === 'transfer-out' || (kind === 'quote' && payment.status === 'PROCESSING');
  if (!isOpen(payment) || !isPaid || source.kind === 'UMA_ADDRESS') return [];
  return [[`${transactionId} ${sending.currency}`, sending.minor]];
}

describe.each(seeds)('the ledger, whatever happens (SEED=%i)', (seed) => {
  let service: Service;
  let survivor: Process;
  let left: readonly DomainEvent[];
  let log: readonly DomainEvent[];
  let read: Books | undefined;
  let payments: readonly Payment[];

  beforeAll(async () => {
    service = await live(seed);
    left = [...service.events()];
    survivor = await service.recover();
    log = [...service.events()];
    payments = await paymentsIn(log, survivor);
  });

  /** What an auditor finds in the log, read once. */
  const books = (): Books => {
    read ??= audit(log);
    return read;
  };

  it('is in balance at every position, as the last crash left it and after the recovery', () => {
    audit(left);
    books();
  });

  it('convinces who has the log alone', () => {
    const { isRight, events, unsealed } = verify(service.stored);
    expect([isRight, events, unsealed]).toEqual([true, service.stored.length, 0]);
  });

  it('holds every entry that was promised', () => {
    const { booked } = audit(left);
    expect([...service.answered].filter((entryId) => !booked.has(entryId))).toEqual([]);
  });

  it('has nothing left to do after one pass of the worker', async () => {
    await service.recover();
    expect(service.events()).toHaveLength(log.length);
  });

  it('has in flight exactly what is under way', () => {
    expect(books().inFlight).toEqual(new Map(payments.flatMap(amountsInFlight)));
  });

  it('has debited what left its quote, and given back what was owed', () => {
    const { booked } = books();
    for (const payment of payments) {
      const { kind, source, transactionId } = payment.terms;
      const refund = payment.refund;
      const isPaid = !['PENDING', 'EXPIRED'].includes(payment.status) || refund !== undefined;
      const debits = source.kind === 'INTERNAL' && (kind === 'transfer-out' || isPaid);
      expect(booked.has(debitEntryId(transactionId)), `${kind} ${payment.status}`).toBe(debits);
      expect(refund?.status).not.toBe('PENDING');
    }
  });

  it('has a transaction for every deposit, and a wallet for every customer', () => {
    const deposits = log.filter(({ type, data }) => type === 'AccountCredited' && data.deposit);
    const wallets = log.filter(
      ({ type, data }) => type === 'AccountOpened' && data.accountType === 'EMBEDDED_WALLET',
    );
    expect(log.filter(({ type }) => type === 'DepositReceived')).toHaveLength(deposits.length);
    expect(log.filter(({ type }) => type === 'CustomerCreated')).toHaveLength(wallets.length);
  });

  it('gives the balances that its postings add up to', async () => {
    for (const [key, balance] of books().balances) {
      const [account = '', currency] = key.split(' ');
      expect(await survivor.commands.load('account', uuidOf(account))).toMatchObject({ currency, balance });
    }
  });

  it('comes to an end: nothing waits, nothing is in flight, and everything that was owed is settled', async () => {
    await service.finish(survivor);
    const finished = [...service.events()];
    expect(pendingTimers(finished)).toEqual([]);
    expect(audit(finished).inFlight).toEqual(new Map());
    payments = await paymentsIn(finished, survivor);
    expect(payments.filter(isOpen)).toEqual([]);
    expect(payments.filter((payment) => payment.refund?.status === 'PENDING')).toEqual([]);
    for (const { type } of finished) met.add(type);
    for (const { status, terms } of payments) met.add(`${terms.kind} ${status}`);
  });

  it('tells both sides of a payment between customers the same', () => {
    const byId = new Map<TransactionId, Payment>(
      payments.map((payment) => [payment.terms.transactionId, payment]),
    );
    for (const incoming of payments) {
      const origin = incoming.terms.kind === 'incoming' ? incoming.terms.incoming.origin : undefined;
      if (!origin) continue;
      const outgoing = byId.get(origin.transactionId);
      expect([incoming.status, incoming.terms.receiving]).toEqual([
        outgoing?.status,
        outgoing?.terms.receiving,
      ]);
      expect(outgoing?.terms.platformId).toBe(origin.platformId);
      met.add(`local ${incoming.status}${incoming.terms.platformId === origin.platformId ? '' : ' across'}`);
    }
  });
});

describe.runIf(givenSeed === undefined)('the simulation', () => {
  it('lives the same life for the same seed', async () => {
    const [one, other] = await Promise.all([live(7), live(7)]);
    expect(other.events()).toEqual(one.events());
  });

  it('comes across everything that can happen to money', () => {
    const refused = ['TransactionExpired', 'ExecutionRefused', 'TransactionFailed', 'TransactionRejected'];
    const undone = ['TransactionCancelled', 'PaymentReturned', 'RefundCompleted', 'RefundFailed'];
    const taken = ['AccountDebited', 'FundsReceived', 'PaymentSubmitted', 'CreditDue', 'PaymentApproved'];
    const ends = ['COMPLETED', 'FAILED', 'REJECTED', 'REFUNDED', 'EXPIRED'].map(
      (status) => `quote ${status}`,
    );
    const others = [
      'transfer-in COMPLETED',
      'transfer-out COMPLETED',
      'incoming COMPLETED',
      'incoming FAILED',
    ];
    const local = [
      'local COMPLETED',
      'local COMPLETED across',
      'local FAILED across',
      'local REJECTED across',
    ];
    const wanted = [
      ...refused,
      ...undone,
      ...taken,
      'TransactionCompleted',
      'DepositReceived',
      ...ends,
      ...others,
      ...local,
    ];
    expect(wanted.filter((what) => !met.has(what))).toEqual([]);
  });
});
