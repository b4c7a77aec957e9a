import { parseDecimal } from '../../../src/domain/money/decimal.ts';
import type { RatesTable } from '../../../src/domain/money/rates-file.ts';

type Fees = { readonly fixedUsd: string; readonly variableRate: string };

type Rates = {
  /** US dollars per major unit; the dollar itself is always there. */
  readonly mid?: Readonly<Record<string, string>>;
  readonly fees?: Fees;
  readonly perCurrency?: Readonly<Record<string, Fees>>;
  readonly counterpartyMultiplier?: string;
};

const parsed = ({ fixedUsd, variableRate }: Fees) => ({
  fixedUsd: parseDecimal(fixedUsd),
  variableRate: parseDecimal(variableRate),
});

const each = <From, To>(
  record: Readonly<Record<string, From>>,
  change: (value: From) => To,
): Record<string, To> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));

/** Without fees and spread, unless told otherwise. */
export const ratesTable = ({
  mid = {},
  fees,
  perCurrency = {},
  counterpartyMultiplier = '1',
}: Rates): RatesTable => ({
  date: '2026-11-01',
  base: 'USD',
  mid: each({ USD: '1', ...mid }, parseDecimal),
  fees: {
    default: parsed(fees ?? { fixedUsd: '0', variableRate: '0' }),
    perCurrency: each(perCurrency, parsed),
  },
  counterpartyMultiplier: parseDecimal(counterpartyMultiplier),
});
