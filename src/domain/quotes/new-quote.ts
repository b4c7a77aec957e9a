/** What a quote promises: parties, price, and until when. Pure: everything it needs is handed in. */

import { idOf } from '../../kernel/ids.ts';
import type { Money } from '../../kernel/money.ts';
import { badField, Rejected } from '../../kernel/rejected.ts';
import { canBePaidIn } from '../accounts/funding-instructions.ts';
import { accountIn } from '../accounts/provisioning.ts';
import { isCrypto } from '../money/currencies.ts';
import type { RatesTable } from '../money/rates-file.ts';
import type { QuoteTerms } from '../payments/events.ts';
import {
  idOfAccount,
  type QuoteDestination,
  type QuoteParties,
  type QuoteSource,
} from '../payments/parties/parties.ts';
import { payeeOf } from '../payments/parties/payee.ts';
import { requirePayeeReady, requirePayerReady, requireRoom } from '../payments/parties/readiness.ts';
import { requireEnabled, requireSupported, requireWithinBounds } from '../platforms/limits.ts';
import { outflowLimitsOf } from '../platforms/outflow-limits.ts';
import { counterpartyInformation, wantedIn } from './counterparty-information.ts';
import { currencyOf, receivingCurrencyOf } from './currencies.ts';
import { destinationOf } from './destination.ts';
import { quoteReference } from './instructions.ts';
import { payerInformation } from './payer-data.ts';
import { price } from './pricing.ts';
import { type Chosen, type QuoteRequest, requireRead } from './quote-request.ts';
import { isWallet, sourceOf } from './source.ts';

/** How long crypto that is paid in real time keeps its price. */
export const cryptoLifetimeMs = 60_000;

/** Throws `Rejected` where the parties or the amount do not allow the payment. */
export function newQuote(
  request: QuoteRequest,
  parties: QuoteParties,
  table: RatesTable,
  chosen: Chosen,
): QuoteTerms {
  const { source, sender, destination, recipient, platform } = parties;
  if (platform.strictFields) requireRead(request);
  requireTwoSides(request, parties);
  requirePulled(parties);
  requireFound(parties);
  requirePayerReady(sender, source);
  requirePayeeReady(destination, recipient);
  const payerTold = payerInformation(request, parties);
  const sendingCurrency = currencyOf(source);
  const receivingCurrency = receivingCurrencyOf(request, destination);
  const payee = destination.kind === 'UMA_ADDRESS' ? payeeOf(destination, platform) : undefined;
  const { lockedCurrencySide, lockedCurrencyAmount } = request;
  const locked = lockedCurrencySide === 'SENDING' ? sendingCurrency : receivingCurrency;
  requireSupported(platform, [sendingCurrency, receivingCurrency]);
  requireEnabled(platform, sendingCurrency, 'OUTGOING');
  requireWithinBounds(platform, { minor: lockedCurrencyAmount, currency: locked });
  const priced = price(table, {
    sendingCurrency,
    receivingCurrency,
    lockedCurrencySide,
    lockedCurrencyAmount,
  });
  requireWithinBounds(platform, priced.sending);
  requireWithinBounds(platform, priced.receiving);
  requireAmountTaken(destination, priced.receiving);
  if (destination.kind === 'INTERNAL') requireRoom(destination.account, priced.receiving.minor);
  const paid = destinationOf(request, destination);
  const { description, purposeOfPayment, remittanceInformation, senderCustomerInfo } = request;
  const known = counterpartyInformation(platform, receivingCurrency, destination, recipient);
  const requestedPayeeFields = wantedIn(platform, receivingCurrency);
  return {
    transactionId: idOf('Transaction', chosen.uuid),
    quoteId: idOf('Quote', chosen.uuid),
    platformId: platform.platformId,
    customerId: sender?.customerId ?? null,
    platformCustomerId: sender?.platformCustomerId ?? null,
    source: sourceOf(request, source, { destination: paid, ...priced }, chosen),
    destination: paid,
    ...recipientOf(parties),
    ...refundTo(parties, sendingCurrency),
    lockedCurrencySide,
    ...priced,
    reference: quoteReference(source, chosen.uuid),
    description,
    purposeOfPayment,
    remittanceInformation,
    senderCustomerInfo,
    ...(payee && { payee }),
    ...(payee && payerTold && { payerInformation: payerTold }),
    ...(payee && requestedPayeeFields.length > 0 && { requestedPayeeFields }),
    ...(known && { counterpartyInformation: known }),
    ...(chosen.agentId && { agentId: chosen.agentId }),
    ...limitsOf(parties, sendingCurrency, chosen),
    expiresAt: expiryOf(source, chosen),
    at: chosen.at,
  };
}

/**
 * A quote takes what it pulls for received before the payer's bank has said so: that is for the sandbox. A transfer in
 * waits for the rail.
 */
function requirePulled({ source, platform }: QuoteParties): void {
  if (source.kind !== 'EXTERNAL' || platform.environment === 'sandbox') return;
  throw new Rejected(
    'INVALID_BANK_ACCOUNT',
    'Outside the sandbox a quote is not paid from an external account. Pull the money with POST /transfer-in first.',
  );
}

/** What is paid in real time has to be found when it comes in. */
function requireFound({ source, platform }: QuoteParties): void {
  if (source.kind !== 'REALTIME_FUNDING' || canBePaidIn(source.currency, platform.environment)) return;
  throw badField(
    'source.currency',
    'must be no cryptocurrency outside the sandbox: nobody could say whose it is when it comes in',
  );
}

/** A customer of another platform is paid what that platform allows, too. */
function requireAmountTaken(destination: QuoteDestination, amount: Money): void {
  if (destination.kind !== 'UMA_ADDRESS' || !destination.receiver.platform) return;
  requireWithinBounds(destination.receiver.platform, amount, "the receiver's platform");
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

/** Nobody of the platform's customers where it is paid itself. */
function recipientOf({
  destination,
  recipient,
}: QuoteParties): Pick<QuoteTerms, 'recipient' | 'destinationOwner'> {
  if (destination.kind === 'EXTERNAL') {
    const { customerId: destinationOwner } = destination.account;
    return destinationOwner ? { destinationOwner } : {};
  }
  if (destination.kind !== 'INTERNAL') return {};
  const { customerId = null, platformCustomerId = null } = recipient ?? {};
  return { recipient: { customerId, platformCustomerId } };
}

/**
 * Crypto that came from outside goes to the customer's balance; outside the sandbox, where nobody sends it back, all that
 * did. A wallet is one too: what it takes needs no signature. Each account stays when the customer gives its currency up.
 * Anything else goes back where it came from. Throws `Rejected` where there is no such balance for what nobody sends back.
 */
function refundTo(
  { source, sender, platform: { environment }, ownAccount }: QuoteParties,
  currency: string,
): Pick<QuoteTerms, 'refundTo'> {
  if (source.kind === 'INTERNAL') return { refundTo: source.account.accountId };
  const isKeptForGood = environment !== 'sandbox';
  if (source.kind === 'EXTERNAL' || !(isKeptForGood || isCrypto(currency))) return {};
  const kept = sender ? accountIn(sender, currency) : ownAccount;
  if (kept) return { refundTo: kept };
  if (!isKeptForGood) return {};
  throw badField(
    'source.currency',
    `must be a currency that the ${sender ? 'customer' : 'platform'} has an account in: what is paid and does not arrive is credited to it`,
  );
}

/** Only what leaves an account here is limited. */
function limitsOf(
  { platform, source }: QuoteParties,
  currency: string,
  { operatorLimits }: Chosen,
): Pick<QuoteTerms, 'limits'> {
  const limits = source.kind === 'INTERNAL' && outflowLimitsOf(platform, currency, operatorLimits);
  return limits ? { limits } : {};
}

function expiryOf(source: QuoteSource, { at, lifetimeMs }: Chosen): Date {
  const isShort = source.kind === 'REALTIME_FUNDING' && isCrypto(source.currency);
  return new Date(at.getTime() + (isShort ? Math.min(cryptoLifetimeMs, lifetimeMs) : lifetimeMs));
}
