/** How an operator writes what may leave an account in a day: `USD=10000000,EUR=9000000`, in minor units. */
import { z } from 'zod';
import { findCurrency } from '../domain/money/currencies.ts';

/** A currency and the minor units of it that may leave an account in a day. */
const volumeLimit = z
  .string()
  .regex(/^[A-Z]{3,4}=\d{1,18}$/, 'must be like USD=10000000,EUR=9000000, in minor units')
  .transform((text): [currency: string, limit: bigint] => {
    const [currency = '', limit = ''] = text.split('=');
    return [currency, BigInt(limit)];
  })
  .refine(([currency]) => findCurrency(currency) !== undefined, 'must name currencies that Daybook knows');

export const volumeLimits = z
  .string()
  .default('')
  .transform((text) =>
    text
      .split(',')
      .map((one) => one.trim())
      .filter(Boolean),
  )
  .pipe(z.array(volumeLimit))
  .refine(
    (limits) => new Set(limits.map(([code]) => code)).size === limits.length,
    'must name each currency once',
  );
