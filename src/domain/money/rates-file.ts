import { z } from 'zod';
import { invariant } from '../../kernel/invariant.ts';
import { isObject } from '../../kernel/json.ts';
import { faultInJson } from '../../kernel/json-fault.ts';
import { currencies, decimalsOf } from './currencies.ts';
import { compare, type Decimal, decimalPattern, parseDecimal, quotientRoundedUp } from './decimal.ts';

const one = parseDecimal('1');

const decimal = z
  .string({ error: ({ input }) => (input === undefined ? 'is missing' : 'must be a decimal as text') })
  .regex(decimalPattern, 'must be a decimal like 0.0050')
  .transform(parseDecimal);

const positive = decimal.refine(({ coefficient }) => coefficient > 0n, 'must be greater than 0');
const share = decimal.refine((value) => compare(value, one) < 0, 'must be less than 1');
const unit = decimal.refine((value) => compare(value, one) === 0, 'must be 1');

const fees = z.strictObject({ fixedUsd: decimal, variableRate: share });

const byCurrency = <T extends z.ZodType>(value: T) =>
  z.strictObject(Object.fromEntries([...currencies.keys()].map((code) => [code, value])));

/** A dated table of mid-market rates and fees: what a file of the folder `rates` holds. */
const ratesFile = z.strictObject({
  date: z.iso.date(),
  /** When the rates were made, where that is known to the second. */
  updatedAt: z.iso
    .datetime()
    .transform((at) => new Date(at))
    .optional(),
  base: z.literal('USD'),
  /** What one major unit of each currency is worth in US dollars. */
  mid: byCurrency(positive).extend({ USD: unit }),
  fees: z.strictObject({ default: fees, perCurrency: byCurrency(fees).partial().default({}) }),
  /** What is left of the mid-market rate after the counterparty's spread. */
  counterpartyMultiplier: positive,
});

export type RatesTable = z.output<typeof ratesFile>;
export type Fees = z.output<typeof fees>;

/** Throws an error that lists everything that is wrong with the file: path, rule and the value found there. */
export const parseRatesFile = (text: string): RatesTable => parseRates(text);

/** The same of what is text, or parsed already. */
export function parseRates(given: unknown): RatesTable {
  const content = typeof given === 'string' ? parseJson(given) : given;
  const parsed = ratesFile.safeParse(content);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(
    ({ path, message }) => `${path.join('.') || 'file'}: ${message}${foundAt(content, path)}`,
  );
  throw new Error(['The rates file is not valid.', ...problems].join('\n'));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`The rates file is not JSON: ${faultInJson(text)}.`);
  }
}

function foundAt(content: unknown, path: readonly PropertyKey[]): string {
  const found = path.reduce<unknown>(
    (value, key) => (isObject(value) ? Reflect.get(value, key) : undefined),
    content,
  );
  return found === undefined || isObject(found) ? '' : `, found ${JSON.stringify(found)}`;
}

/** US dollars per major unit, mid-market. */
export function midRate({ mid }: RatesTable, currency: string): Decimal {
  const rate = mid[currency];
  invariant(rate !== undefined, `no rate for ${currency}`);
  return rate;
}

/** The fees of a payment sent in this currency. */
export const feesOf = ({ fees }: RatesTable, currency: string): Fees =>
  fees.perCurrency[currency] ?? fees.default;

/** The fixed fee in minor units of the sending currency, rounded up. */
export function fixedFeeMinor(table: RatesTable, currency: string): bigint {
  const { fixedUsd } = feesOf(table, currency);
  const inMinorUsd = { ...fixedUsd, exponent: fixedUsd.exponent + decimalsOf(currency) };
  return quotientRoundedUp(inMinorUsd, midRate(table, currency));
}
