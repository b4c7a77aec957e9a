/**
 * What a payment costs and what arrives, in exact integer arithmetic. Every rounding is against the sender, so the
 * service never pays out more than it was paid for.
 */

import { int64Max } from '../../kernel/money.ts';
import { Rejected } from '../../kernel/rejected.ts';
import { formatDecimal, toNumber } from '../money/decimal.ts';
import type { RatesTable } from '../money/rates-file.ts';
import type { QuoteTerms } from '../payments/events.ts';
import { type Corridor, ceiling, corridorOf, fraction, over, significant } from './corridor.ts';

export type Price = Pick<QuoteTerms, 'sending' | 'receiving' | 'fees' | 'exchangeRate' | 'rateDetails'>;

export type PriceRequest = {
  readonly sendingCurrency: string;
  readonly receivingCurrency: string;
  readonly lockedCurrencySide: 'SENDING' | 'RECEIVING';
  /** Minor units of the locked currency. */
  readonly lockedCurrencyAmount: bigint;
};

/** Throws `Rejected` (AMOUNT_OUT_OF_RANGE) when nothing would arrive or the amount to send cannot be carried. */
export function price(table: RatesTable, request: PriceRequest): Price {
  const { sendingCurrency, receivingCurrency, lockedCurrencySide, lockedCurrencyAmount: locked } = request;
  const corridor = corridorOf(table, sendingCurrency, receivingCurrency);
  const amounts =
    lockedCurrencySide === 'SENDING' ? lockSending(corridor, locked) : lockReceiving(corridor, locked);
  const { send, receive, fees } = amounts;
  if (receive < 1n) throw outOfRange('The amount does not cover the fees of this payment.');
  if (receive > int64Max) throw outOfRange('The amount to receive is larger than the interface can carry.');
  if (send > int64Max) throw outOfRange('The amount to send is larger than the interface can carry.');
  return {
    sending: { minor: send, currency: sendingCurrency },
    receiving: { minor: receive, currency: receivingCurrency },
    fees,
    exchangeRate: formatDecimal(corridor.rate),
    rateDetails: {
      counterpartyMultiplier: formatDecimal(corridor.counterpartyMultiplier),
      counterpartyFixedFee: 0n,
      serviceApiMultiplier: formatDecimal(corridor.serviceApiMultiplier),
      serviceApiFixedFee: corridor.fixedFee,
      serviceApiVariableFeeRate: formatDecimal(corridor.variableRate),
      serviceApiVariableFeeAmount: fees - corridor.fixedFee,
    },
  };
}

/** What arrives of an amount, whatever bounds there are, and nothing where it does not cover the fees: for showing only. */
export function priceOfSending(table: RatesTable, sending: string, receiving: string, send: bigint) {
  const corridor = corridorOf(table, sending, receiving);
  const { receive, fees } = lockSending(corridor, send);
  return { receive, fees, exchangeRate: formatDecimal(corridor.rate) };
}

/** Receiving units per sending unit, major, before fees: for showing only. */
export const priceOfOne = (table: RatesTable, sending: string, receiving: string): number =>
  toNumber(significant(over({ n: 1n, d: 1n }, fraction(corridorOf(table, sending, receiving).rate)), 'down'));

type Amounts = { readonly send: bigint; readonly receive: bigint; readonly fees: bigint };

/** receive = floor((send − fees) / rate) */
function lockSending({ minorRate, fixedFee, variableRate }: Corridor, send: bigint): Amounts {
  const variable = fraction(variableRate);
  const fees = fixedFee + ceiling(send * variable.n, variable.d);
  const net = send - fees;
  return { send, fees, receive: net > 0n ? (net * minorRate.d) / minorRate.n : 0n };
}

/** send = ceil((receive × rate + fixed fees) / (1 − variable rate)); what is above the converted amount is fees. */
function lockReceiving({ minorRate, fixedFee, variableRate }: Corridor, receive: bigint): Amounts {
  const variable = fraction(variableRate);
  const gross = { n: receive * minorRate.n + fixedFee * minorRate.d, d: minorRate.d };
  const send = ceiling(gross.n * variable.d, gross.d * (variable.d - variable.n));
  return { send, receive, fees: send - ceiling(receive * minorRate.n, minorRate.d) };
}

const outOfRange = (message: string) => new Rejected('AMOUNT_OUT_OF_RANGE', message);
