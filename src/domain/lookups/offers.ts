/** In which of a receiver's currencies a sender can pay it, between which amounts, and at about which rate. */
import { Rejected } from '../../kernel/rejected.ts';
import type { KnownCustomer } from '../customers/customer.ts';
import type { RatesTable } from '../money/rates-file.ts';
import { enabledCurrencies, requireSupported } from '../platforms/limits.ts';
import { type ActivePlatform, settingsOf } from '../platforms/platform.ts';
import { receivingBounds } from '../quotes/bounds.ts';
import { priceOfOne } from '../quotes/pricing.ts';

export type Offer = {
  readonly currency: string;
  /** Receiving units per sending unit, major. */
  readonly rate: number;
  /** What a quote may lock on the receiving side, in minor units. */
  readonly min: bigint;
  readonly max: bigint;
};

/**
 * `platform` is the sender's, `receiving` that of a receiver who is a customer here. The sender is taken to pay in the
 * first of its currencies that its platform lets it send. Throws `Rejected` (INVALID_CURRENCY) where the platform lets it
 * pay in none of what the receiver takes.
 */
export function offersTo(
  taken: readonly string[],
  sender: KnownCustomer,
  platform: ActivePlatform,
  table: RatesTable,
  receiving?: ActivePlatform,
): Offer[] {
  const sendable = enabledCurrencies(platform, 'OUTGOING');
  const from = sender.currencies.find((code) => sendable.includes(code)) ?? sendable[0];
  if (from === undefined) throw nothingToSend(sender.currencies);
  const payable = taken.filter((currency) => settingsOf(platform, currency));
  if (payable.length === 0) requireSupported(platform, taken);
  return payable.flatMap((currency) => {
    const bounds = receivingBounds(platform, table, { from, to: currency }, receiving);
    return bounds ? [{ currency, rate: priceOfOne(table, from, currency), ...bounds }] : [];
  });
}

const nothingToSend = (currencies: readonly string[]) =>
  new Rejected('INVALID_CURRENCY', "The platform's configuration allows no outgoing payments.", {
    currencies,
  });
