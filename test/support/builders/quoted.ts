import type { QuoteParties } from '../../../src/domain/payments/parties/parties.ts';
import type { OperatorLimits } from '../../../src/domain/platforms/outflow-limits.ts';
import { newQuote } from '../../../src/domain/quotes/new-quote.ts';
import { uuidOf } from '../../../src/kernel/ids.ts';
import { testStart } from '../time/clock.ts';
import { transactionId } from './identities.ts';
import { parties, quoteRequest } from './parties.ts';
import { ratesTable } from './rates.ts';

const table = ratesTable({
  mid: { EUR: '1.25', USDC: '1', BTC: '100000' },
  fees: { fixedUsd: '0.50', variableRate: '0' },
});
const uuid = uuidOf(transactionId);
export const lifetimeMs = 300_000;

/** The terms of a new quote at a fee of 0.50 USD and rates that are easy to reckon with. */
/** The operator limits nothing, unless told otherwise. */
export const noLimits: OperatorLimits = { dailyVolume: new Map(), hourlyPayments: undefined };

export const quoted = (
  request: Parameters<typeof quoteRequest>[0] = {},
  who: Partial<QuoteParties> = {},
  ms = lifetimeMs,
  operatorLimits = noLimits,
) =>
  newQuote(quoteRequest(request), parties(who), table, {
    uuid,
    lifetimeMs: ms,
    operatorLimits,
    at: testStart,
    payloadOf: () => 'payload',
  });

/** The source of a quote that is paid from outside. */
export const realtime = (currency: string, cryptoNetwork?: string) => ({
  sourceType: 'REALTIME_FUNDING',
  accountId: undefined,
  currency,
  ...(cryptoNetwork && { cryptoNetwork }),
});
