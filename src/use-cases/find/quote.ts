import type { Payment } from '../../domain/payments/life/progress.ts';
import { quoteNotFound } from '../../domain/payments/not-found.ts';
import type { Terms } from '../../domain/payments/terms.ts';
import { type PlatformId, type QuoteId, uuidOf } from '../../kernel/ids.ts';
import type { Commands } from '../commands.ts';
import { knownPayment } from './payment.ts';

/** A payment that began as a quote. */
export type QuotedPayment = Payment & { readonly terms: Extract<Terms, { kind: 'quote' }> };

/** Throws `Rejected` (404) for what is not there or not this platform's. */
export async function loadQuote(
  commands: Commands,
  platformId: PlatformId,
  quoteId: QuoteId,
): Promise<QuotedPayment> {
  const state = await commands.load('transaction', uuidOf(quoteId));
  if (state.status === 'NONE' || state.terms.platformId !== platformId || !isQuoted(state))
    throw quoteNotFound();
  return state;
}

/** As this process has last seen it, where it has. */
export function knownQuote(
  commands: Commands,
  platformId: PlatformId,
  quoteId: QuoteId,
): QuotedPayment | undefined {
  const last = knownPayment(commands, platformId, quoteId);
  return last && isQuoted(last) ? last : undefined;
}

/** The same, or else as it is: for a flow that has just taken its money. */
export const recallQuote = async (
  commands: Commands,
  platformId: PlatformId,
  quoteId: QuoteId,
): Promise<QuotedPayment> =>
  knownQuote(commands, platformId, quoteId) ?? loadQuote(commands, platformId, quoteId);

export const isQuoted = (payment: Payment): payment is QuotedPayment => payment.terms.kind === 'quote';
