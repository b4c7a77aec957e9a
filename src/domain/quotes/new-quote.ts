/** What a quote promises (completion 9): parties, price, and until when. Pure: everything it needs is handed in. */

import { type AgentId, type InternalAccountId, idOf, type QuoteId } from '../../kernel/ids.ts';
import { badField, Rejected } from '../../kernel/rejected.ts';
import { primaryAccount } from '../accounts/provisioning.ts';
import { railsOf } from '../external-accounts/definitions.ts';
import { isPayerFieldName, missingFields } from '../lookups/payer-fields.ts';
import { findCurrency } from '../money/currencies.ts';
import type { RatesTable } from '../money/rates-file.ts';
import type { PaymentDestination, PaymentSource, QuoteTerms } from '../payments/events.ts';
import {
  idOfAccount,
  type QuoteDestination,
  type QuoteParties,
  type QuoteSource,
} from '../payments/parties/parties.ts';
import { requirePayeeReady, requirePayerReady } from '../payments/parties/readiness.ts';
import { requireEnabled, requireWithinLimits } from '../platforms/limits.ts';
import { counterpartyInformation } from './counterparty-information.ts';
import { waysToPay } from './instructions.ts';
import { price } from './pricing.ts';
import type { QuoteRequest } from './quote-request.ts';

type Chosen = {
  readonly uuid: string;
  readonly lifetimeMs: number;
  /** The agent that makes the quote, where one does. */
  readonly agentId?: AgentId;
  readonly at: Date;
  /** Makes the text that a wallet's session key has to sign. */
  readonly payloadOf: (members: {
    readonly quoteId: QuoteId;
    readonly operation: string;
    readonly accountId: InternalAccountId;
    readonly target: QuoteId;
    /** What the quote promises: a digest of it is signed with the rest. */
    readonly terms: object;
    readonly issuedAt: Date;
    readonly expiresAt: Date;
  }) => string;
};

/** Completion 9.2: a minute for crypto that is paid in real time. */
const cryptoLifetimeMs = 60_000;

/** Throws `Rejected` where the parties or the amount do not allow the payment. */
export function newQuote(
  request: QuoteRequest,
  parties: QuoteParties,
  table: RatesTable,
  chosen: Chosen,
): QuoteTerms {
  const { source, sender, destination, platform } = parties;
  requireTwoSides(request, parties);
  requirePayerReady(sender, source);
  requirePayeeReady(destination);
  requirePayerData(request, parties);
  const sendingCurrency = currencyOf(source);
  const receivingCurrency = receivingCurrencyOf(request, destination);
  const { lockedCurrencySide, lockedCurrencyAmount } = request;
  const locked = lockedCurrencySide === 'SENDING' ? sendingCurrency : receivingCurrency;
  requireKnown(sendingCurrency);
  requireEnabled(platform, sendingCurrency, 'OUTGOING');
  requireWithinLimits(platform, { minor: lockedCurrencyAmount, currency: locked });
  const priced = price(table, {
    sendingCurrency,
    receivingCurrency,
    lockedCurrencySide,
    lockedCurrencyAmount,
  });
  const transactionId = idOf('Transaction', chosen.uuid);
  const paid = storedDestination(request, destination);
  const { description, purposeOfPayment, remittanceInformation, senderCustomerInfo } = request;
  const known = counterpartyInformation(platform, receivingCurrency, destination);
  return {
    transactionId,
    quoteId: idOf('Quote', chosen.uuid),
    platformId: platform.platformId,
    customerId: sender?.customerId ?? null,
    platformCustomerId: sender?.platformCustomerId ?? null,
    source: isWallet(source)
      ? signedSource(source.account, { destination: paid, ...priced }, chosen)
      : storedSource(request, source, transactionId),
    destination: paid,
    ...refundTo(parties, sendingCurrency),
    lockedCurrencySide,
    ...priced,
    reference: referenceOf('DB', chosen.uuid),
    ...{ description, purposeOfPayment, remittanceInformation, senderCustomerInfo },
    ...(known && { counterpartyInformation: known }),
    ...(chosen.agentId && { agentId: chosen.agentId }),
    expiresAt: expiryOf(source, chosen),
    at: chosen.at,
  };
}

/** The sender is who owns the source, and is not paid by itself. */
function requireTwoSides(request: QuoteRequest, { source, sender, named, destination }: QuoteParties): void {
  if (request.immediatelyExecute && isWallet(source)) {
    throw badField(
      'immediatelyExecute',
      'is not for embedded wallets: create the quote, then execute it with a signature',
    );
  }
  if (named && sender && named.customerId !== sender.customerId) {
    throw badField('source.customerId', 'must be the owner of the source account');
  }
  const same =
    destination.kind === 'UMA_ADDRESS'
      ? destination.receiver.umaAddress === sender?.umaAddress
      : source.kind === destination.kind && idOfAccount(source) === idOfAccount(destination);
  if (same) throw new Rejected('SELF_PAYMENT', 'Source and destination are the same.');
}

/** Letters and digits that a bank statement carries. */
export const referenceOf = (prefix: string, uuid: string) =>
  `${prefix}${uuid.replaceAll('-', '').slice(-14).toUpperCase()}`;

const currencyOf = (source: QuoteSource): string =>
  source.kind === 'REALTIME_FUNDING' ? source.currency : source.account.currency;

function receivingCurrencyOf(
  { destination: { currency } }: QuoteRequest,
  destination: QuoteDestination,
): string {
  if (destination.kind !== 'UMA_ADDRESS') return destination.account.currency;
  const { currencies } = destination.receiver;
  const chosen = currency ?? currencies[0] ?? '';
  if (currencies.includes(chosen)) return chosen;
  throw new Rejected('INVALID_CURRENCY', `The receiver takes ${currencies.join(', ')}, not ${chosen}.`, {
    currencies: [chosen],
  });
}

function requireKnown(currency: string): void {
  if (findCurrency(currency)) return;
  throw new Rejected('INVALID_CURRENCY', `Not supported: ${currency}.`, { currencies: [currency] });
}

/** Every mandatory field that the receiver asked for at the lookup must be sent or known (completion 8). */
function requirePayerData({ senderCustomerInfo = {} }: QuoteRequest, { lookup, sender }: QuoteParties): void {
  const required = lookup?.requiredPayerDataFields ?? [];
  const unrecognised = required.filter(({ name, mandatory }) => mandatory && !isPayerFieldName(name));
  if (unrecognised.length > 0) {
    const names = unrecognised.map(({ name }) => name);
    throw new Rejected(
      'UNRECOGNIZED_MANDATORY_PAYEE_DATA_KEY',
      `The receiver demands ${names.join(', ')}, which is not known here.`,
    );
  }
  const missing = missingFields(required, sender, senderCustomerInfo);
  if (missing.length === 0) return;
  throw new Rejected(
    'MISSING_MANDATORY_USER_INFO',
    `The receiver needs ${missing.join(', ')}: send it in senderCustomerInfo.`,
    {
      requiredFields: missing,
    },
  );
}

type WalletSource = Extract<QuoteSource, { kind: 'INTERNAL' }>;

const isWallet = (source: QuoteSource): source is WalletSource =>
  source.kind === 'INTERNAL' && source.account.accountType === 'EMBEDDED_WALLET';

/** Completion 16.3: what the stamp has to be over. */
function signedSource(
  { accountId }: WalletSource['account'],
  terms: object,
  { uuid, at, lifetimeMs, payloadOf }: Chosen,
): PaymentSource {
  const quoteId = idOf('Quote', uuid);
  const times = { issuedAt: at, expiresAt: new Date(at.getTime() + lifetimeMs) };
  const members = { quoteId, operation: 'executeQuote', accountId, target: quoteId, terms, ...times };
  return { kind: 'INTERNAL', accountId, payloadToSign: payloadOf(members) };
}

function storedSource(
  { source: request }: QuoteRequest,
  source: QuoteSource,
  paymentKey: string,
): PaymentSource {
  if (source.kind === 'INTERNAL') return { kind: source.kind, accountId: source.account.accountId };
  if (source.kind === 'EXTERNAL') return { kind: source.kind, accountId: source.account.externalAccountId };
  const { cryptoNetwork } = request;
  const needsNetwork = isCrypto(source.currency);
  if (
    needsNetwork &&
    (!cryptoNetwork || waysToPay(source.currency, paymentKey, cryptoNetwork).length === 0)
  ) {
    throw badField('source.cryptoNetwork', `must be a network on which ${source.currency} can be paid`);
  }
  return { kind: source.kind, ...(needsNetwork && cryptoNetwork && { cryptoNetwork }) };
}

function storedDestination(request: QuoteRequest, destination: QuoteDestination): PaymentDestination {
  if (destination.kind === 'UMA_ADDRESS')
    return { kind: destination.kind, umaAddress: destination.receiver.umaAddress };
  if (destination.kind === 'INTERNAL')
    return { kind: destination.kind, accountId: destination.account.accountId };
  const { externalAccountId: accountId, accountInfo } = destination.account;
  const rails = railsOf(accountInfo.accountType);
  const { paymentRail = rails[0] } = request.destination;
  if (paymentRail !== undefined && !rails.includes(paymentRail)) {
    throw badField('destination.paymentRail', `must be one of the rails of ${accountInfo.accountType}`, {
      enum: [...rails],
    });
  }
  return { kind: destination.kind, accountId, ...(paymentRail && { paymentRail }) };
}

/** Completion 11: crypto that came from outside goes to the customer's balance; anything else back where it came from. */
function refundTo({ source, sender }: QuoteParties, currency: string): Pick<QuoteTerms, 'refundTo'> {
  if (source.kind === 'INTERNAL') return { refundTo: source.account.accountId };
  const keepsIt = source.kind === 'REALTIME_FUNDING' && isCrypto(currency);
  return keepsIt && sender?.currencies.includes(currency)
    ? { refundTo: primaryAccount(sender.customerId, currency) }
    : {};
}

const expiryOf = (source: QuoteSource, { at, lifetimeMs }: Chosen): Date =>
  new Date(at.getTime() + lifetimeOf(source, lifetimeMs));

const lifetimeOf = (source: QuoteSource, lifetimeMs: number): number =>
  source.kind === 'REALTIME_FUNDING' && isCrypto(source.currency)
    ? Math.min(cryptoLifetimeMs, lifetimeMs)
    : lifetimeMs;

const isCrypto = (currency: string): boolean => findCurrency(currency)?.kind === 'crypto';
