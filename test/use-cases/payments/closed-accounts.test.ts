/** Money that is due to an account here which is closed by then: it is with whoever sent it, and never in the account. */
import { describe, expect, it } from 'vitest';
import { postingsOf } from '../../../src/domain/books/postings.ts';
import type { TransactionCommand } from '../../../src/domain/payments/commands.ts';
import type { PaymentDestination } from '../../../src/domain/payments/ends.ts';
import { debitEntryId } from '../../../src/domain/payments/transaction.ts';
import type { PaymentRail } from '../../../src/domain/ports/payment-rail.ts';
import { derivedUuid, uuidOf } from '../../../src/kernel/ids.ts';
import type { Money } from '../../../src/kernel/money.ts';
import { changeStatus, debit } from '../../support/builders/accounts.ts';
import { transactionId } from '../../support/builders/identities.ts';
import { eur, usd } from '../../support/builders/money.ts';
import { fromOutside, incomingPayment, quoteTerms, transferIn } from '../../support/builders/terms.ts';
import { settlesAtOnce } from '../../support/rails/payment-rails.ts';
import { testStart } from '../../support/time/clock.ts';
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

const uuid = uuidOf(transactionId);
const at = testStart;
const toGrace: PaymentDestination = { kind: 'INTERNAL', accountId: graceAccount };

const close = ({ commands }: Town) =>
  commands.run('account', uuidOf(graceAccount), changeStatus('CLOSED'), theirs);

/** What all entries of the log come to, of each account that has anything. */
function balancesIn({ log }: Town): Readonly<Record<string, bigint>> {
  const sums: Record<string, bigint> = {};
  for (const event of log.all)
    for (const { account, currency, minor } of postingsOf(event))
      sums[`${account} ${currency}`] = (sums[`${account} ${currency}`] ?? 0n) + BigInt(minor);
  return Object.fromEntries(Object.entries(sums).filter(([, minor]) => minor !== 0n));
}

const runIn =
  ({ commands }: Town) =>
  (command: TransactionCommand) =>
    commands.run('transaction', uuid, command, cause);

describe('a payment to an account that is closed', () => {
  const settle = { type: 'SettlePayment', at } as const;
  const receiving = usd(99_50n);
  const paidFor = (sending: Money): readonly TransactionCommand[] => [
    {
      type: 'CreateQuote',
      terms: quoteTerms({ source: fromOutside, destination: toGrace, sending, receiving }),
    },
    { type: 'ReceiveFunds', amount: sending, requestedBy: 'request-1', at },
  ];
  const cases: readonly [string, readonly TransactionCommand[]][] = [
    ['a quote that is paid from outside', paidFor(usd(100_00n))],
    ['a quote that is paid from outside in another currency', paidFor(eur(91_54n))],
    ['a transfer in', [{ type: 'CreateTransfer', terms: transferIn({ destination: toGrace }) }, settle]],
    [
      'a payment from outside',
      [{ type: 'CreateIncomingPayment', terms: incomingPayment({ destination: toGrace }) }, settle],
    ],
  ];

  it.each(cases)('fails and goes back the way it came: %s', async (_what, commands) => {
    const town = await startTown({ rail: settlesAtOnce });
    const before = balancesIn(town);
    await close(town);
    for (const command of commands) await runIn(town)(command);
    const payment = await town.commands.load('transaction', uuid);
    expect(payment).toMatchObject({ status: 'FAILED', refund: { status: 'COMPLETED' } });
    expect(balancesIn(town)).toEqual(before);
  });

  it.each(cases)('fails outside the sandbox, where nobody sends it back: %s', async (_what, commands) => {
    const town = await startTown({ rail: settlesAtOnce, environment: 'production' });
    const before = balancesIn(town);
    await close(town);
    for (const command of commands) await runIn(town)(command);
    const payment = await town.commands.load('transaction', uuid);
    expect(payment).toMatchObject({ status: 'FAILED', refund: { status: 'FAILED' } });
    expect(balancesIn(town)).toEqual(before);
  });

  it('stays with a rail of its own that tells of it once the account is closed', async () => {
    const submit: PaymentRail['submit'] = async () => ({
      status: 'accepted',
      reference: 'R-1',
      underway: true,
    });
    const town = await startTown({ rail: { ...settlesAtOnce, submit }, environment: 'production' });
    const before = balancesIn(town);
    await runIn(town)({ type: 'CreateTransfer', terms: transferIn({ destination: toGrace }) });
    await town.work();
    await close(town);
    expect(await town.payments.ended(transactionId, { status: 'settled' })).toBe('recorded');
    const payment = await town.commands.load('transaction', uuid);
    expect(payment).toMatchObject({ status: 'FAILED', refund: { status: 'FAILED', amount: usd(100_00n) } });
    expect(balancesIn(town)).toEqual(before);
  });

  it('goes back to the account that paid for the quote, fees included', async () => {
    const town = await startTown({ rail: settlesAtOnce });
    const before = balancesIn(town);
    await close(town);
    const source = { kind: 'INTERNAL', accountId: adaAccount } as const;
    await runIn(town)({
      type: 'CreateQuote',
      terms: quoteTerms({ source, destination: toGrace, receiving }),
    });
    const taking = debit({ entryId: debitEntryId(transactionId) });
    await town.commands.run('account', uuidOf(adaAccount), taking, cause);
    const payment = await town.commands.load('transaction', uuid);
    expect(payment).toMatchObject({ status: 'FAILED', reason: 'QUOTE_EXECUTION_FAILED' });
    expect(balancesIn(town)).toEqual(before);
  });

  it('goes back to a sender of another platform where it was approved too late', async () => {
    const town = await startTown({ rail: settlesAtOnce });
    const before = balancesIn(town);
    await askGrace(town);
    const source = { kind: 'INTERNAL', accountId: adaAccount } as const;
    const destination = { kind: 'UMA_ADDRESS', umaAddress: graceAddress } as const;
    const terms = quoteTerms({ source, destination, receiving });
    await runIn(town)({ type: 'CreateQuote', terms });
    const taking = debit({ entryId: debitEntryId(transactionId) });
    await town.commands.run('account', uuidOf(adaAccount), taking, cause);
    await town.work();
    await close(town);
    const incoming = derivedUuid('incoming-payment', transactionId);
    await town.commands.run('transaction', incoming, { type: 'ApprovePayment', at }, theirs);
    for (const one of [uuid, incoming])
      expect(await town.commands.load('transaction', one)).toMatchObject({ status: 'FAILED' });
    expect(balancesIn(town)).toEqual(before);
  });
});
