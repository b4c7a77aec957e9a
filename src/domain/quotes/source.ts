/** The end of a quote that pays, as its terms keep it. */
import { type InternalAccountId, idOf } from '../../kernel/ids.ts';
import { badField } from '../../kernel/rejected.ts';
import { isCrypto, isStablecoin } from '../money/currencies.ts';
import type { PaymentSource } from '../payments/ends.ts';
import type { QuoteSource } from '../payments/parties/parties.ts';
import { waysToPay } from './instructions.ts';
import type { Chosen, QuoteRequest } from './quote-request.ts';

export const isWallet = (source: QuoteSource): boolean =>
  source.kind === 'INTERNAL' && source.account.accountType === 'EMBEDDED_WALLET';

/** A wallet's key has to sign for `terms`. Throws `Rejected` for crypto from a network on which it does not come. */
export function sourceOf(
  { source: { cryptoNetwork } }: QuoteRequest,
  source: QuoteSource,
  terms: object,
  chosen: Chosen,
): PaymentSource {
  if (source.kind === 'INTERNAL') {
    const { accountId } = source.account;
    return isWallet(source) ? signedSource(accountId, terms, chosen) : { kind: source.kind, accountId };
  }
  if (source.kind === 'EXTERNAL') return { kind: source.kind, accountId: source.account.externalAccountId };
  const { kind, currency } = source;
  if (!isCrypto(currency)) return { kind };
  if (!cryptoNetwork && !isStablecoin(currency)) return { kind };
  const paymentKey = idOf('Transaction', chosen.uuid);
  if (!cryptoNetwork || waysToPay(currency, paymentKey, cryptoNetwork).length === 0)
    throw badField('source.cryptoNetwork', `must be a network on which ${currency} can be paid`);
  return { kind, cryptoNetwork };
}

function signedSource(
  accountId: InternalAccountId,
  terms: object,
  { uuid, at, lifetimeMs, payloadOf }: Chosen,
): PaymentSource {
  const quoteId = idOf('Quote', uuid);
  const payloadToSign = payloadOf({
    quoteId,
    operation: 'executeQuote',
    accountId,
    target: quoteId,
    terms,
    issuedAt: at,
    expiresAt: new Date(at.getTime() + lifetimeMs),
  });
  return { kind: 'INTERNAL', accountId, payloadToSign };
}
