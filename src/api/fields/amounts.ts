import { z } from 'zod';
import { currencyView } from '../../domain/money/currencies.ts';
import { bounds } from '../../domain/values/bounds.ts';
import type { Money } from '../../kernel/money.ts';
import { int64 } from './fields.ts';

export const currencySchema = z
  .object({ code: z.string(), name: z.string(), symbol: z.string(), decimals: z.int().min(0) })
  .meta({ id: 'Currency' });

export const currencyAmountSchema = z
  .object({ amount: int64, currency: currencySchema })
  .meta({ id: 'CurrencyAmount' });

export const renderAmount = ({ minor, currency }: Money) => ({
  amount: minor,
  currency: currencyView(currency),
});

/** A currency code in a request or query: whether the service knows it is a business rule, not syntax. */
export const currencyCode = z.string().min(1).max(bounds.currencyCode);
