/** What customers do with money: every kind of payment, between the two platforms and with the world outside. */

import { primaryAccount } from '../../src/domain/accounts/provisioning.ts';
import type { PaymentDestination, PaymentSource } from '../../src/domain/payments/ends.ts';
import type { QuoteTerms } from '../../src/domain/payments/events.ts';
import { debitEntryId } from '../../src/domain/payments/transaction.ts';
import { price } from '../../src/domain/quotes/pricing.ts';
import { idOf, uuidOf } from '../../src/kernel/ids.ts';
import { Rejected } from '../../src/kernel/rejected.ts';
import { activeCustomer } from '../support/builders/customers.ts';
import { ratesTable } from '../support/builders/rates.ts';
import { quoteTerms, transferIn, transferOut } from '../support/builders/terms.ts';
import { outsideAddress } from './rail.ts';
import { currencies, type World } from './world.ts';

const table = ratesTable({
  mid: { EUR: '1.1652', VND: '0.000038023', BTC: '108450', USDB: '1' },
  fees: { fixedUsd: '0.50', variableRate: '0.005' },
  counterpartyMultiplier: '0.998',
});
const quoteLifetimeMs = 8_000;

type Account = ReturnType<World['accounts']>[number];
type End<Of> = { readonly end: Of; readonly currency: string };

export function paymentsOf({
  service,
  random,
  clock,
  ids,
  events,
  run,
  upTo,
  accounts,
  customers,
  externalAccounts,
}: World) {
  const quotes = () =>
    events().flatMap((event) => {
      if (event.type === 'QuoteCreated') return [event.data];
      return [];
    });

  const opening = ({ platformId, customerId }: Account, uuid: string) => ({
    transactionId: idOf('Transaction', uuid),
    platformId,
    customerId,
    platformCustomerId: customerId,
    reference: `R-${uuid}`,
    at: clock.now(),
  });

  /** Mostly those who have something. */
  const payers = () => {
    const funded = new Set(
      events().flatMap(({ type, data }) => (type === 'AccountCredited' ? [data.accountId] : [])),
    );
    return accounts().filter(({ accountId }) => funded.has(accountId) || random.chance(0.2));
  };

  const mine = ({ platformId, customerId }: Account) =>
    externalAccounts().filter((one) => one.platformId === platformId && one.customerId === customerId);

  const sourceOf = (account: Account): End<PaymentSource> => {
    const { accountId, currency } = account;
    if (random.chance(0.6)) return { end: { kind: 'INTERNAL', accountId }, currency };
    const bank = random.pick(mine(account));
    if (bank && random.chance(0.5))
      return { end: { kind: 'EXTERNAL', accountId: bank.externalAccountId }, currency: bank.currency };
    return { end: { kind: 'REALTIME_FUNDING' }, currency };
  };

  /** Fixed with the quote, as now, or not, as before. */
  const payeeOf = ({ end, currency }: End<PaymentDestination>): Partial<QuoteTerms> => {
    if (end.kind !== 'UMA_ADDRESS' || random.chance(0.3)) return {};
    const holder = customers().find(({ umaAddress }) => umaAddress === end.umaAddress);
    if (!holder) return { payee: { kind: 'OUTSIDE' } };
    const { platformId, customerId } = holder;
    const account = { kind: 'INTERNAL', accountId: primaryAccount(customerId, currency) } as const;
    const asked = random.chance(0.3)
      ? { requestedPayeeFields: [{ name: 'COUNTRY_OF_RESIDENCE', mandatory: false }] }
      : {};
    return { payee: { kind: 'CUSTOMER', platformId, customerId, account }, ...asked };
  };

  const destinationOf = (account: Account): End<PaymentDestination> | undefined => {
    const bank = random.pick(mine(account));
    const to = random.below(4);
    if (to === 0 && bank)
      return { end: { kind: 'EXTERNAL', accountId: bank.externalAccountId }, currency: bank.currency };
    if (to === 1) {
      const others = accounts().filter(
        ({ platformId, accountId }) => platformId === account.platformId && accountId !== account.accountId,
      );
      const other = random.pick(others);
      return other && { end: { kind: 'INTERNAL', accountId: other.accountId }, currency: other.currency };
    }
    if (to === 2) return { end: { kind: 'UMA_ADDRESS', umaAddress: outsideAddress }, currency: 'USD' };
    const payee = random.pick(customers());
    if (!payee || payee.customerId === account.customerId) return undefined;
    const currency = random.pick(payee.currencies) ?? 'USD';
    return { end: { kind: 'UMA_ADDRESS', umaAddress: payee.umaAddress }, currency };
  };

  const priceOf = (sendingCurrency: string, receivingCurrency: string) => {
    const lockedCurrencySide = random.chance(0.5) ? 'SENDING' : 'RECEIVING';
    try {
      const wanted = {
        sendingCurrency,
        receivingCurrency,
        lockedCurrencySide,
        lockedCurrencyAmount: upTo(7),
      } as const;
      return price(table, wanted);
    } catch (error) {
      if (error instanceof Rejected) return undefined;
      throw error;
    }
  };

  const newTerms = (): QuoteTerms | undefined => {
    const account = random.pick(payers().filter(({ currency }) => currencies.includes(currency)));
    if (!account) return undefined;
    const source = sourceOf(account);
    const destination = destinationOf(account);
    const priced = destination && priceOf(source.currency, destination.currency);
    if (!priced) return undefined;
    const uuid = ids.uuid();
    const keeps = source.end.kind === 'REALTIME_FUNDING' && random.chance(0.5);
    return quoteTerms({
      ...opening(account, uuid),
      quoteId: idOf('Quote', uuid),
      source: source.end,
      destination: destination.end,
      ...priced,
      ...(keeps && { refundTo: account.accountId }),
      ...payeeOf(destination),
      expiresAt: new Date(clock.now().getTime() + quoteLifetimeMs),
    });
  };

  /** Takes the money of a balance; with `opens`, for a quote that is not there yet. */
  const debit = (terms: QuoteTerms, opens: boolean) => {
    const { transactionId, source, sending, platformId } = terms;
    if (source.kind !== 'INTERNAL') return undefined;
    const entry = {
      entryId: debitEntryId(transactionId),
      transactionId,
      requestedBy: 'payer',
      amount: sending,
      at: clock.now(),
    };
    const opening = opens ? { opens: { kind: 'quote' as const, terms } } : {};
    const command = {
      type: 'DebitAccount',
      purpose: 'payout',
      to: 'in-flight',
      ...entry,
      ...opening,
    } as const;
    return run({ to: 'account', uuid: uuidOf(source.accountId), platformId, command });
  };

  const toPayment = (
    { transactionId, platformId }: Pick<QuoteTerms, 'transactionId' | 'platformId'>,
    command: Extract<Parameters<World['run']>[0], { to: 'transaction' }>['command'],
  ) => run({ to: 'transaction', uuid: uuidOf(transactionId), platformId, command });

  const quote = () => {
    const terms = newTerms();
    if (!terms) return undefined;
    if (terms.source.kind === 'INTERNAL' && random.chance(0.3)) return debit(terms, true);
    return toPayment(terms, { type: 'CreateQuote', terms });
  };

  /** As the interface does it, but looking at the clock only sometimes, as if it were too late. */
  const execute = () => {
    const terms = random.pick(random.chance(0.7) ? quotes().slice(-12) : quotes());
    if (!terms || (clock.now() >= terms.expiresAt && random.chance(0.5))) return undefined;
    if (terms.source.kind === 'INTERNAL') return debit(terms, false);
    const { minor, currency } = terms.sending;
    const short = terms.source.kind === 'REALTIME_FUNDING' && random.chance(0.2) ? upTo(7) : minor;
    const funds = { amount: { minor: short, currency }, requestedBy: 'payer', at: clock.now() };
    return toPayment(terms, { type: 'ReceiveFunds', ...funds });
  };

  const transfer = () => {
    const account = random.pick(payers());
    const bank =
      account && random.pick(mine(account).filter(({ currency }) => currency === account.currency));
    if (!account || !bank) return undefined;
    const [inside, outside] = [
      { kind: 'INTERNAL', accountId: account.accountId } as const,
      { kind: 'EXTERNAL', accountId: bank.externalAccountId } as const,
    ];
    const payment = {
      ...opening(account, ids.uuid()),
      amount: { minor: upTo(7), currency: account.currency },
    };
    if (random.chance(0.5)) {
      const terms = transferIn({ ...payment, source: outside, destination: inside });
      return toPayment(terms, { type: 'CreateTransfer', terms });
    }
    const terms = transferOut({ ...payment, source: inside, destination: outside });
    const { transactionId, amount: taken, at, platformId } = terms;
    const entry = {
      entryId: debitEntryId(transactionId),
      transactionId,
      requestedBy: 'payer',
      amount: taken,
      at,
    };
    const opens = { kind: 'transfer' as const, terms };
    const command = { type: 'DebitAccount', purpose: 'transfer', to: 'in-flight', ...entry, opens } as const;
    return run({ to: 'account', uuid: uuidOf(account.accountId), platformId, command });
  };

  /** Somebody outside pays a customer. */
  const receive = () => {
    const known = random.pick(customers());
    if (!known) return undefined;
    const uuid = ids.uuid();
    const currency = random.pick(known.currencies) ?? 'USD';
    const sent = { uuid, senderUmaAddress: outsideAddress, amount: { minor: upTo(7), currency } };
    const receiver = activeCustomer(known);
    const cause = {
      platformId: known.platformId,
      correlationId: 'outside',
      causationId: 'outside',
      actor: 'outside',
    };
    const account = { kind: 'INTERNAL', accountId: primaryAccount(known.customerId, currency) } as const;
    const announced = { ...sent, receiver, receiverUmaAddress: known.umaAddress, account };
    return service.attempt(({ local }) => local.announce(announced, cause));
  };

  /** The platform that is asked approves or rejects; it does so twice or too late as well. */
  const answer = () => {
    const asked = events().flatMap(({ type, data }) =>
      type === 'IncomingPaymentCreated' && data.approvalDueAt ? [data] : [],
    );
    const payment = random.pick(random.chance(0.7) ? asked.slice(-5) : asked);
    const type = random.chance(0.7) ? 'ApprovePayment' : 'RejectPayment';
    return payment && toPayment(payment, { type, at: clock.now() });
  };

  return { quote, execute, transfer, receive, answer };
}
