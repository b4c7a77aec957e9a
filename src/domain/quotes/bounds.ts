/**
 * Between which amounts a payment from one currency to another may be: those of which both sides are within the bounds
 * of the platform's configuration. `price` and `requireWithinBounds` refuse what is outside, and nothing else.
 */
import { smaller } from '../../kernel/money.ts';
import type { RatesTable } from '../money/rates-file.ts';
import { type AmountBounds, boundsOf } from '../platforms/limits.ts';
import type { ActivePlatform } from '../platforms/platform.ts';
import { largestPayment } from '../values/amount.ts';
import { type Corridor, ceiling, corridorOf, fraction } from './corridor.ts';

type Pair = { readonly from: string; readonly to: string };

/**
 * In minor units of the currency that is sent, where this side is locked; `undefined` where no amount fits both sides.
 * Throws `Rejected` (INVALID_CURRENCY) for a currency that the platform has not.
 */
export function sendingBounds(
  platform: ActivePlatform,
  table: RatesTable,
  { from, to }: Pair,
): AmountBounds | undefined {
  const corridor = corridorOf(table, from, to);
  const [sending, receiving] = [boundsOf(platform, from), boundsOf(platform, to)];
  return lockable({
    min: larger(sending.min, leastSending(corridor, receiving.min)),
    max: smaller(sending.max, mostSending(corridor, receiving.max)),
  });
}

/**
 * The same in minor units of the currency that is received, where that side is locked. The customer of another platform
 * takes no more and no less than that platform allows, either.
 */
export function receivingBounds(
  platform: ActivePlatform,
  table: RatesTable,
  { from, to }: Pair,
  receiving: ActivePlatform = platform,
): AmountBounds | undefined {
  const corridor = corridorOf(table, from, to);
  const sent = boundsOf(platform, from);
  const [paid, taken] = [boundsOf(platform, to), boundsOf(receiving, to)];
  return lockable({
    min: larger(larger(paid.min, taken.min), mostReceiving(corridor, sent.min - 1n) + 1n),
    max: smaller(smaller(paid.max, taken.max), mostReceiving(corridor, sent.max)),
  });
}

/** The least that has to be sent for at least `receive` to arrive. */
function leastSending({ minorRate, fixedFee, variableRate }: Corridor, receive: bigint): bigint {
  const net = fixedFee + ceiling(receive * minorRate.n, minorRate.d);
  return withVariableFee(net, variableRate);
}

/** The most that may be sent for at most `receive` to arrive. */
function mostSending({ minorRate, fixedFee, variableRate }: Corridor, receive: bigint): bigint {
  const tooMuch = fixedFee + ceiling((receive + 1n) * minorRate.n, minorRate.d);
  return withVariableFee(tooMuch, variableRate) - 1n;
}

/** The most that may be received for at most `send` to be sent; 0 where nothing may. */
function mostReceiving({ minorRate, fixedFee, variableRate }: Corridor, send: bigint): bigint {
  const variable = fraction(variableRate);
  const net = send * (variable.d - variable.n) - fixedFee * variable.d;
  return net > 0n ? (net * minorRate.d) / (variable.d * minorRate.n) : 0n;
}

/** The least that leaves `net` when the variable fee, rounded up, has been taken off. */
function withVariableFee(net: bigint, variableRate: Corridor['variableRate']): bigint {
  const variable = fraction(variableRate);
  return ceiling(net * variable.d, variable.d - variable.n);
}

function lockable({ min, max }: AmountBounds): AmountBounds | undefined {
  const bounds = { min, max: smaller(max, largestPayment) };
  return bounds.min <= bounds.max ? bounds : undefined;
}

const larger = (a: bigint, b: bigint): bigint => (a > b ? a : b);
