import { z } from 'zod';
import { invariant } from './invariant.ts';
import { firstYear, isOfCalendar } from './moments.ts';

/** Minor units (cents, satoshi) as decimal text in JSON and `bigint` in memory, so that no digit is lost. */
export const minorUnits = z
  .codec(z.string().regex(/^-?\d{1,40}$/), z.bigint(), {
    decode: (text) => BigInt(text),
    encode: (minor) => minor.toString(),
  })
  .meta({ description: 'Amount in the smallest unit of its currency, as decimal text.' });

/**
 * A UTC instant with milliseconds. One before year 1, which former versions have let in, is the beginning of year 1: Postgres
 * has no year 0.
 */
export const instant = z.codec(z.iso.datetime({ precision: 3 }), z.date(), {
  decode: (text) => new Date(text < firstYear ? `${firstYear}-01-01T00:00:00.000Z` : text),
  encode(date) {
    invariant(isOfCalendar(date), `${date.getTime()} ms is in none of the years 1 to 9999`);
    return date.toISOString();
  },
});

/** An amount with its currency. */
export const moneyCodec = z.object({ minor: minorUnits, currency: z.string().min(1) });

/** Marks a field as personal: `personalPathsOf` finds it, and the vault seals it. */
export const personal = <T extends z.ZodType>(schema: T): T => schema.meta({ personalData: true }) as T;

export type EventSchemas = Readonly<Record<string, z.ZodType>>;

/** The union of a module's events: `{ type, data }` for each of its schemas. */
export type EventOf<S extends EventSchemas> = {
  [T in keyof S & string]: { readonly type: T; readonly data: z.output<S[T]> };
}[keyof S & string];
