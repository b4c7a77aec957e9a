import { describe, expect, it } from 'vitest';
import { timerOf } from '../../../projections/models/timers.ts';
import type { AccountInfo } from '../../../src/domain/external-accounts/definitions.ts';
import type { QuoteTerms } from '../../../src/domain/payments/events.ts';
import { debitEntryId } from '../../../src/domain/payments/transaction.ts';
import type { Ending, PaymentRail, RailPayment, RailStatus } from '../../../src/domain/ports/payment-rail.ts';
import { uuidOf } from '../../../src/kernel/ids.ts';
import { loadExternalAccount } from '../../../src/use-cases/find/external-account.ts';
import { loadPayment } from '../../../src/use-cases/find/payment.ts';
import { makeTransfer } from '../../../src/use-cases/transfers/make.ts';
import { debit, freeze } from '../../support/builders/accounts.ts';
import { validAccountInfo } from '../../support/builders/external-accounts.ts';
import {
  externalAccountId,
  payeeId,
  payerBankId,
  platformId,
  transactionId,
} from '../../support/builders/identities.ts';
import { usd } from '../../support/builders/money.ts';
import { externalAccountDetails } from '../../support/builders/registered-accounts.ts';
import { incomingPayment, quoteTerms, transferIn, transferOut } from '../../support/builders/terms.ts';
import { domainEvent } from '../../support/log/domain-events.ts';
import { settlesAtOnce, takesAtOnce } from '../../support/rails/payment-rails.ts';
import { msLater, testStart } from '../../support/time/clock.ts';
import { adaAccount, cause, graceAccount, startTown, type Town, theirs } from '../../support/traffic/town.ts';

const checkAt = msLater(1_000);

/** A rail that writes down what it is asked. It accepts everything, or ends it at once, and has what is given to tell. */
function scriptedRail(script: {
  readonly atOnce?: Ending;
  readonly submitted?: RailStatus;
  readonly settled?: RailStatus;
  /** When to ask again, of what has not ended. */
  readonly askAt?: Date;
  /** It takes what it has not begun. */
  readonly waits?: true;
  /** It forgets what it has taken. */
  readonly forgets?: true;
}) {
  const submitted: RailPayment[] = [];
  const asked: string[] = [];
  const accepted = { status: 'accepted', reference: 'RAIL-1', underway: true } as const;
  const rail: PaymentRail = {
    async submit(payment) {
      submitted.push(payment);
      if (script.atOnce) return { status: 'ended', ending: script.atOnce };
      return { ...accepted, underway: !script.waits, checkAt };
    },
    async statusOf({ recorded }) {
      if (recorded === 'begun') return { status: 'unknown' };
      asked.push(recorded);
      if (script.forgets) return { status: 'unknown' };
      return script[recorded] ?? { ...accepted, checkAt: script.askAt };
    },
    withdraw: async () => ({ status: 'unknown' }),
    receiverAt: () => undefined,
    checkName: async () => undefined,
  };
  return { rail, submitted, asked };
}

const payment = uuidOf(transactionId);
const source = { kind: 'INTERNAL', accountId: adaAccount } as const;

/** Ada executes a quote. */
async function pay({ commands }: Town, overrides: Partial<QuoteTerms> = {}) {
  const terms = quoteTerms({ source, ...overrides });
  await commands.run('transaction', payment, { type: 'CreateQuote', terms }, cause);
  await commands.run('account', uuidOf(adaAccount), debit({ entryId: debitEntryId(transactionId) }), cause);
}

async function scene(script: Parameters<typeof scriptedRail>[0] = {}) {
  const scripted = scriptedRail(script);
  const contradictions: string[] = [];
  const contradicted = (id: string) => void contradictions.push(id);
  const losses: string[] = [];
  const lost = (id: string) => void losses.push(id);
  const town = await startTown({ rail: scripted.rail, contradicted, lost });
  const stateNow = () => town.commands.load('transaction', payment);
  const balance = async () => {
    const account = await town.commands.load('account', uuidOf(adaAccount));
    return account.status === 'none' ? undefined : account.balance;
  };
  return { ...scripted, town, stateNow, balance, contradictions, losses };
}

/** When the payment's timer is due. */
const dueNow = ({ log }: Town): Date | undefined =>
  log.all
    .map((stored) => timerOf(domainEvent(stored)))
    .filter((timer) => timer !== null)
    .at(-1)?.due_at;

const failed: Ending = { status: 'failed', reason: 'OFFRAMP_FAILED', refundFails: false };
const closeAccount = ({ commands }: Town) =>
  commands.run(
    'externalAccount',
    uuidOf(externalAccountId),
    { type: 'DeleteExternalAccount', at: testStart },
    cause,
  );

describe('a payment that is ready for the rail', () => {
  it('is handed over with what the rail needs to know', async () => {
    const { town, submitted, stateNow } = await scene();
    await pay(town);
    await town.work();
    expect(submitted).toEqual([
      {
        paymentId: transactionId,
        platformId,
        kind: 'quote',
        amount: quoteTerms().receiving,
        reference: quoteTerms().reference,
        startedAt: testStart,
        paymentRail: 'SEPA',
        recorded: 'begun',
        counterparty: { kind: 'account', account: expect.objectContaining({ externalAccountId }) },
      },
    ]);
    expect(await stateNow()).toMatchObject({ status: 'PROCESSING', stage: 'submitted' });
  });

  it.each([
    ['what the payer tells the payee', { remittanceInformation: 'invoice 7' }, 'invoice 7'],
    ['that before the description', { remittanceInformation: 'invoice 7', description: 'rent' }, 'invoice 7'],
    ['the description where that is all', { description: 'rent' }, 'rent'],
  ])('takes along %s', async (_what, words, said) => {
    const { town, submitted } = await scene();
    await pay(town, words);
    await town.work();
    expect(submitted).toMatchObject([{ remittanceInformation: said }]);
  });

  it('says who handed it over, and because of what', async () => {
    const { town } = await scene();
    await pay(town);
    await town.work();
    const [processing, submitted] = town.log.all.slice(-2);
    expect(submitted?.metadata).toMatchObject({ ...cause, causationId: processing?.id, actor: 'rail' });
  });

  it('is handed over once, however often the log is read', async () => {
    const { town, submitted } = await scene();
    await pay(town);
    await town.work();
    const before = town.log.all.length;
    await town.workAgain(5_000);
    expect([submitted.length, town.log.all.length]).toEqual([1, before]);
  });

  it('may reach the rail twice, and is recorded once', async () => {
    const { town, submitted } = await scene();
    await pay(town);
    const ready = town.log.all.map(domainEvent);
    const [one, other] = [town, town.processOn(town.log, 5_000)];
    await Promise.all(ready.flatMap((event) => [one.payments.submit(event), other.payments.submit(event)]));
    expect(submitted.length).toBeGreaterThan(1);
    expect(new Set(submitted.map(({ paymentId }) => paymentId)).size).toBe(1);
    expect(town.log.all.filter(({ type }) => type === 'PaymentSubmitted')).toHaveLength(1);
  });

  it('is handed over by a process that remembers it before it was ready', async () => {
    const { town, submitted, stateNow } = await scene();
    const terms = quoteTerms({ source });
    await town.commands.run('transaction', payment, { type: 'CreateQuote', terms }, cause);
    const other = town.processOn(town.log, 5_000);
    await other.commands.load('transaction', payment);
    await pay(town);
    for (const stored of [...town.log.all]) await other.payments.submit(domainEvent(stored));
    expect(submitted).toHaveLength(1);
    expect(await stateNow()).toMatchObject({ stage: 'submitted' });
  });

  it('is asked for by a process that remembers it before it was with the rail', async () => {
    const { town, stateNow } = await scene({ submitted: { status: 'settled' } });
    const terms = quoteTerms({ source });
    await town.commands.run('transaction', payment, { type: 'CreateQuote', terms }, cause);
    const other = town.processOn(town.log, 5_000);
    await other.commands.load('transaction', payment);
    await pay(town);
    await town.work();
    await other.payments.check(transactionId, cause);
    expect(await stateNow()).toMatchObject({ status: 'COMPLETED' });
  });

  it('does not go to the rail when it goes to a balance', async () => {
    const { town, submitted, stateNow } = await scene();
    await pay(town, { destination: { kind: 'INTERNAL', accountId: graceAccount }, receiving: usd(99_50n) });
    await town.work();
    expect([submitted, (await stateNow()).status]).toEqual([[], 'COMPLETED']);
  });

  it('is refused at once where the rail says so, and refunded', async () => {
    const { town, stateNow, balance } = await scene({ atOnce: failed });
    await pay(town);
    await town.work();
    expect(await stateNow()).toMatchObject({ status: 'FAILED', refund: { status: 'COMPLETED' } });
    expect(await balance()).toBe(1_000_00n);
  });

  it.each([
    [
      'fails where it says so since its owner was erased, and never reaches the rail',
      true,
      'FAILED',
      1_000_00n,
    ],
    ['is paid where it was registered so', false, 'PROCESSING', 900_00n],
  ])('to an account of the number `erased` %s', async (_what, isErased, status, left) => {
    const { town, submitted, stateNow, balance } = await scene();
    const accountInfo = { ...validAccountInfo('EUR_ACCOUNT'), iban: 'erased' } as AccountInfo;
    const details = externalAccountDetails({
      externalAccountId: payerBankId,
      customerId: payeeId,
      accountInfo,
    });
    const register = { type: 'CreateExternalAccount', details } as const;
    await town.commands.run('externalAccount', uuidOf(payerBankId), register, theirs);
    const steps = [
      { type: 'BeginDeletion', at: testStart },
      { type: 'DeleteCustomer', deletion: 1, at: testStart },
      { type: 'EraseCustomer', at: testStart },
    ] as const;
    for (const step of isErased ? steps : [])
      await town.commands.run('customer', uuidOf(payeeId), step, theirs);
    await pay(town, { destination: { kind: 'EXTERNAL', accountId: payerBankId } });
    await town.work();
    expect(await stateNow()).toMatchObject({
      status,
      ...(isErased && { reason: 'QUOTE_EXECUTION_FAILED', refund: { status: 'COMPLETED' } }),
    });
    expect([submitted.length, await balance()]).toEqual([isErased ? 0 : 1, left]);
  });

  it('fails when its account has been deleted, and never reaches the rail', async () => {
    const { town, submitted, stateNow, balance } = await scene();
    await pay(town);
    await closeAccount(town);
    await town.work();
    expect(await stateNow()).toMatchObject({ status: 'FAILED', reason: 'QUOTE_EXECUTION_FAILED' });
    expect([submitted.length, await balance()]).toEqual([0, 1_000_00n]);
  });
});

describe('a transfer', () => {
  const open = async ({ commands }: Town, terms: Parameters<typeof transferOut>[0] = {}) => {
    const opens = { kind: 'transfer', terms: transferOut({ source, ...terms }) } as const;
    const entry = debit({ entryId: debitEntryId(transactionId), opens });
    await commands.run('account', uuidOf(adaAccount), entry, cause);
  };

  const handOver = async ({ commands, payments }: Awaited<ReturnType<typeof scene>>['town']) =>
    payments.handOver(await loadPayment(commands, transferIn().platformId, transactionId), cause);

  it('out is handed over as soon as it is there', async () => {
    const { town, submitted } = await scene();
    await open(town);
    await town.work();
    expect(submitted).toMatchObject([{ kind: 'transfer-out', paymentId: transactionId }]);
  });

  it('in is handed over too, and credited when the rail has the money', async () => {
    const { town, submitted, balance, stateNow } = await scene({ submitted: { status: 'settled' } });
    const terms = transferIn({ destination: source });
    await town.commands.run('transaction', payment, { type: 'CreateTransfer', terms }, cause);
    await town.work();
    expect(submitted).toMatchObject([{ kind: 'transfer-in' }]);
    await town.payments.check(transactionId, cause);
    expect([await balance(), (await stateNow()).status]).toEqual([1_100_00n, 'COMPLETED']);
  });

  it('in that was credited and is taken back stays credited, and says so', async () => {
    const { town, balance, stateNow } = await scene({ submitted: { status: 'settled' } });
    const terms = transferIn({ destination: source });
    await town.commands.run('transaction', payment, { type: 'CreateTransfer', terms }, cause);
    await town.work();
    const returned = { status: 'returned', reason: 'OFFRAMP_FAILED' } as const;
    expect(await town.payments.ended(transactionId, { status: 'settled' })).toBe('recorded');
    for (const ending of [failed, returned])
      expect(await town.payments.ended(transactionId, ending)).toBe('contradicted');
    expect(await town.payments.ended(transactionId, { status: 'settled' })).toBe('unchanged');
    expect([await balance(), (await stateNow()).status]).toEqual([1_100_00n, 'COMPLETED']);
  });

  it('out that came back had arrived, whenever the rail says so', async () => {
    const { town, balance, stateNow, contradictions } = await scene();
    const terms = transferOut({ source });
    await town.commands.run('transaction', payment, { type: 'CreateTransfer', terms }, cause);
    await town.work();
    const returned = { status: 'returned', reason: 'OFFRAMP_FAILED' } as const;
    expect(await town.payments.ended(transactionId, returned)).toBe('recorded');
    await town.work();
    const [ended, left] = [await stateNow(), await balance()];
    for (const ending of [{ status: 'settled' } as const, returned])
      expect(await town.payments.ended(transactionId, ending)).toBe('unchanged');
    await town.work();
    expect([await stateNow(), await balance(), contradictions]).toEqual([ended, left, []]);
  });

  it('in that came back is not here, and that it arrived after all is told', async () => {
    const { town, balance, contradictions } = await scene();
    const terms = transferIn({ destination: source });
    await town.commands.run('transaction', payment, { type: 'CreateTransfer', terms }, cause);
    await town.work();
    const returned = { status: 'returned', reason: 'OFFRAMP_FAILED' } as const;
    expect(await town.payments.ended(transactionId, returned)).toBe('recorded');
    expect(await town.payments.ended(transactionId, { status: 'settled' })).toBe('contradicted');
    expect([await balance(), contradictions]).toEqual([1_000_00n, [transactionId]]);
  });

  it.each([
    ['a payout that has arrived is then rejected', transferOut({ source }), { status: 'rejected' }],
    ['a payout that has arrived is then called off', transferOut({ source }), { status: 'cancelled' }],
    ['money that was credited is taken back', transferIn({ destination: source }), { status: 'returned' }],
  ] as const)(
    'of which the rail says, where it is asked, that %s stays, and it is told',
    async (_what, terms, end) => {
      const ending = { reason: 'OFFRAMP_FAILED', ...end } as const;
      const { town, stateNow, contradictions } = await scene({ submitted: ending, settled: ending });
      await town.commands.run('transaction', payment, { type: 'CreateTransfer', terms }, cause);
      await town.work();
      await town.payments.ended(transactionId, { status: 'settled' });
      expect([(await stateNow()).status, contradictions]).toEqual(['COMPLETED', []]);
      await town.payments.news(transactionId);
      expect([(await stateNow()).status, contradictions]).toEqual(['COMPLETED', [transactionId]]);
    },
  );

  it.each([
    [{ status: 'settled' }, 'contradicted'],
    [{ status: 'returned', reason: 'OFFRAMP_FAILED' }, 'contradicted'],
    [failed, 'unchanged'],
  ] as const)(
    'that nobody has paid for has not arrived, whatever the rail says: %j',
    async (ending, became) => {
      const { town, stateNow } = await scene();
      const terms = quoteTerms({ source });
      await town.commands.run('transaction', payment, { type: 'CreateQuote', terms }, cause);
      expect(await town.payments.ended(transactionId, ending)).toBe(became);
      expect((await stateNow()).status).toBe('PENDING');
    },
  );

  it('in of which the rail says while its account is frozen that nothing came in is told', async () => {
    const { town, stateNow, contradictions } = await scene();
    await town.commands.run('account', uuidOf(adaAccount), freeze(), cause);
    const terms = transferIn({ destination: source });
    await town.commands.run('transaction', payment, { type: 'CreateTransfer', terms }, cause);
    await town.work();
    await town.payments.ended(transactionId, { status: 'settled' });
    expect([(await stateNow()).stage, contradictions]).toEqual(['crediting', []]);
    expect(await town.payments.ended(transactionId, { status: 'settled' })).toBe('unchanged');
    expect(await town.payments.ended(transactionId, failed)).toBe('contradicted');
    expect(contradictions).toEqual([transactionId]);
  });

  it('that is refused at once shows it to whoever asked', async () => {
    const { town, stateNow, balance } = await scene({ atOnce: failed });
    await open(town);
    await handOver(town);
    expect(await stateNow()).toMatchObject({ status: 'FAILED', reason: 'OFFRAMP_FAILED' });
    await town.work();
    expect(await balance()).toBe(1_000_00n);
  });

  it('that is taken is recorded before it is answered, and answered as it began', async () => {
    const { town, submitted, stateNow } = await scene();
    await open(town);
    expect(await handOver(town)).toMatchObject({ stage: 'requested' });
    expect(await stateNow()).toMatchObject({ stage: 'submitted' });
    await closeAccount(town);
    await town.work();
    expect([submitted.length, (await stateNow()).status]).toEqual([1, 'PROCESSING']);
  });

  it('reaches the rail once where request and worker come to it together', async () => {
    const { town, submitted } = await scene();
    await open(town);
    const created = town.log.all.map(domainEvent);
    await Promise.all([
      handOver(town),
      ...created.map((event) => town.payments.submit(event)),
      handOver(town),
    ]);
    expect(submitted).toHaveLength(1);
  });

  it('to an account that is gone fails at once, and never reaches the rail', async () => {
    const { town, stateNow, submitted } = await scene();
    await open(town);
    await closeAccount(town);
    expect(await handOver(town)).toMatchObject({ status: 'FAILED' });
    await town.work();
    expect(await stateNow()).toMatchObject({ status: 'FAILED', refund: { status: 'COMPLETED' } });
    expect(submitted).toHaveLength(0);
  });

  describe('that the rail has taken and not begun', () => {
    const waiting = async (script: Parameters<typeof scriptedRail>[0] = {}) => {
      const set = await scene({ waits: true, ...script });
      await open(set.town);
      await set.town.work();
      expect(await set.stateNow()).toMatchObject({ status: 'PENDING', stage: 'waiting' });
      return set;
    };
    const submissions = ({ log }: Town) => log.all.filter(({ type }) => type === 'PaymentSubmitted');

    it.each([
      ['asked', ({ payments }: Town) => payments.check(transactionId, cause)],
      ['told that there is news', ({ payments }: Town) => payments.news(transactionId)],
    ])('is under way once the rail says so, %s, and is not given to it again', async (_how, learn) => {
      const askAt = msLater(60_000);
      const { town, stateNow, submitted, asked } = await waiting({ askAt });
      await learn(town);
      expect(await stateNow()).toMatchObject({ status: 'PROCESSING', stage: 'submitted' });
      expect(submissions(town).map(({ data }) => data)).toMatchObject([
        { underway: false },
        { underway: true, checkAt: askAt.toISOString() },
      ]);
      await learn(town);
      await town.work();
      await town.workAgain(5_000);
      await handOver(town);
      expect([submitted.length, submissions(town).length]).toEqual([1, 2]);
      expect(new Set(asked)).toEqual(new Set(['submitted']));
    });

    it('waits on where the rail says so again, and is not given to it again', async () => {
      const accepted = { status: 'accepted', reference: 'RAIL-1', underway: false } as const;
      const set = await waiting({ submitted: accepted });
      for (let times = 2; times > 0; times--) await set.town.payments.check(transactionId, cause);
      await set.town.workAgain(5_000);
      await handOver(set.town);
      const other = set.town.processOn(set.town.log, 6_000);
      for (const stored of [...set.town.log.all]) await other.payments.submit(domainEvent(stored));
      expect(await set.stateNow()).toMatchObject({ stage: 'waiting' });
      expect([set.submitted.length, submissions(set.town).length, set.asked]).toEqual([
        1,
        1,
        ['submitted', 'submitted'],
      ]);
    });

    it('is lost where the rail does not know it any more, and not given to it again', async () => {
      const { town, stateNow, submitted, losses } = await waiting({ forgets: true });
      await town.payments.check(transactionId, cause);
      expect([losses, submitted.length]).toEqual([[transactionId], 1]);
      expect(await stateNow()).toMatchObject({ stage: 'waiting' });
    });
  });

  it('that is over is not handed over any more', async () => {
    const { town, submitted } = await scene({ atOnce: failed });
    await open(town);
    await town.work();
    await handOver(town);
    expect(submitted).toHaveLength(1);
  });
});

describe('asking the rail', () => {
  const endings: readonly (readonly [Ending, object])[] = [
    [{ status: 'settled' }, { status: 'COMPLETED' }],
    [failed, { status: 'FAILED', reason: 'OFFRAMP_FAILED', refund: { status: 'COMPLETED' } }],
    [
      { ...failed, refundFails: true },
      { status: 'FAILED', refund: { status: 'FAILED' } },
    ],
    [
      { status: 'rejected', reason: 'PAY_REQUEST_FAILED' },
      { status: 'REJECTED', reason: 'PAY_REQUEST_FAILED', refund: { status: 'COMPLETED' } },
    ],
    [{ status: 'cancelled' }, { status: 'REFUNDED', refund: { reason: 'USER_CANCELLATION' } }],
  ];

  it.each(endings)('records %j', async (ending, state) => {
    const { town, stateNow } = await scene({ submitted: ending });
    await pay(town);
    await town.work();
    await town.payments.check(transactionId, cause);
    expect(await stateNow()).toMatchObject(state);
  });

  it('records nothing while there is nothing to tell', async () => {
    const { town, asked } = await scene();
    await pay(town);
    await town.work();
    const before = town.log.all.length;
    await town.payments.check(transactionId, cause);
    expect([asked, town.log.all.length]).toEqual([['submitted'], before]);
  });

  it('waits until the rail is to be asked again', async () => {
    const askAt = msLater(60_000);
    const { town, asked } = await scene({ askAt });
    await pay(town);
    await town.work();
    for (let times = 2; times > 0; times--) await town.payments.check(transactionId, cause);
    expect(asked).toHaveLength(1);
    town.clock.advance(60_000);
    await town.payments.check(transactionId, cause);
    expect(asked).toHaveLength(2);
  });

  it('says until when the rail is not to be asked, where that has named a time', async () => {
    const askAt = msLater(60_000);
    const { town } = await scene({ askAt });
    await pay(town);
    await town.work();
    for (let times = 2; times > 0; times--)
      expect(await town.payments.check(transactionId, cause)).toEqual(askAt);
    const { town: other } = await scene();
    await pay(other);
    await other.work();
    expect(await other.payments.check(transactionId, cause)).toBeUndefined();
  });

  it('goes on after the payment has arrived, since it may come back', async () => {
    const submitted: Ending = { status: 'settled', checkAt };
    const { town, asked, stateNow, balance } = await scene({
      submitted,
      settled: { status: 'returned', reason: 'OFFRAMP_FAILED' },
    });
    await pay(town);
    await town.work();
    await town.payments.check(transactionId, cause);
    expect([(await stateNow()).status, await balance()]).toEqual(['COMPLETED', 900_00n]);
    await town.payments.check(transactionId, cause);
    expect([(await stateNow()).status, await balance(), asked]).toEqual([
      'FAILED',
      1_000_00n,
      ['submitted', 'settled'],
    ]);
  });

  it.each([
    ['no more where it names no time', undefined],
    ['when it says', msLater(86_400_000)],
  ])('about what has arrived is done again %s', async (_when, later) => {
    const askAgain = msLater(2_000);
    const { town, asked } = await scene({
      submitted: { status: 'settled', checkAt: askAgain },
      settled: { status: 'settled', checkAt: later },
    });
    await pay(town);
    await town.work();
    await town.payments.check(transactionId, cause);
    expect(dueNow(town)).toEqual(askAgain);
    town.clock.advance(2_000);
    await town.payments.check(transactionId, cause);
    expect(dueNow(town)).toEqual(later);
    const before = town.log.all.length;
    await town.payments.check(transactionId, cause);
    await town.payments.ended(transactionId, { status: 'settled' });
    expect([town.log.all.length, dueNow(town)]).toEqual([before, later]);
    expect(asked.slice(0, 2)).toEqual(['submitted', 'settled']);
  });

  it.each([
    ['does not know any more', { status: 'unknown' }, [transactionId]],
    ['has under way, and names no time', { status: 'accepted', reference: 'RAIL-1', underway: true }, []],
  ] as const)('about what has arrived ends with what it %s', async (_which, settled, lost) => {
    const { town, asked, stateNow, losses } = await scene({
      submitted: { status: 'settled', checkAt },
      settled,
    });
    await pay(town);
    await town.work();
    await town.payments.check(transactionId, cause);
    expect(dueNow(town)).toEqual(checkAt);
    town.clock.advance(1_000);
    await town.payments.check(transactionId, cause);
    expect([dueNow(town), asked, losses]).toEqual([undefined, ['submitted', 'settled'], lost]);
    expect((await stateNow()).status).toBe('COMPLETED');
  });

  it('leaves with the rail what had arrived and can neither be paid out nor given back', async () => {
    const submitted: Ending = { status: 'settled', checkAt };
    const settled: Ending = { ...failed, refundFails: true };
    const { town, stateNow, balance, contradictions } = await scene({ submitted, settled });
    await pay(town);
    await town.work();
    for (let times = 3; times > 0; times--) await town.payments.check(transactionId, cause);
    expect(await stateNow()).toMatchObject({ status: 'FAILED', refund: { status: 'FAILED' } });
    expect([await balance(), contradictions]).toEqual([900_00n, []]);
  });

  it('ends when the payment has', async () => {
    const { town, asked } = await scene({ submitted: failed });
    await pay(town);
    await town.work();
    for (let times = 3; times > 0; times--) await town.payments.check(transactionId, cause);
    expect(asked).toEqual(['submitted']);
  });

  it('tells how a payment ended whose account has been deleted since', async () => {
    const { town, stateNow } = await scene({ submitted: { status: 'settled' } });
    await pay(town);
    await town.work();
    await closeAccount(town);
    await town.payments.check(transactionId, cause);
    expect(await stateNow()).toMatchObject({ status: 'COMPLETED' });
  });

  it('brings a payment from outside to its account', async () => {
    const { town, submitted, balance } = await scene({ submitted: { status: 'settled' } });
    const terms = incomingPayment({ destination: source });
    await town.commands.run('transaction', payment, { type: 'CreateIncomingPayment', terms }, cause);
    await town.work();
    const { senderUmaAddress } = terms;
    expect(submitted).toMatchObject([{ kind: 'incoming', counterparty: { umaAddress: senderUmaAddress } }]);
    await town.payments.check(transactionId, cause);
    expect(await balance()).toBe(1_100_00n);
  });
});

describe('a transfer whose account is deleted after the request has looked at it', () => {
  const cases = (['OUT', 'IN'] as const).flatMap((direction) =>
    [settlesAtOnce, takesAtOnce].map((rail) => ({ direction, rail, atOnce: rail === takesAtOnce })),
  );

  it.each(cases)('fails, and never reaches the rail: $direction, taken at once: $atOnce', async (one) => {
    const submitted: RailPayment[] = [];
    const submit: PaymentRail['submit'] = (asked, options) => {
      submitted.push(asked);
      return one.rail.submit(asked, options);
    };
    const town = await startTown({ rail: { ...one.rail, submit } });
    const looked = await loadExternalAccount(town.commands, platformId, externalAccountId);
    await closeAccount(town);
    const inside = { kind: 'INTERNAL', accountId: adaAccount } as const;
    const terms =
      one.direction === 'OUT' ? transferOut({ source: inside }) : transferIn({ destination: inside });
    await makeTransfer(town, terms, looked, { requestedBy: 'request-1', cause });
    expect(await town.commands.load('transaction', payment)).toMatchObject({ status: 'FAILED' });
    expect(submitted).toEqual([]);
  });
});
