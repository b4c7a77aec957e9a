import { z } from 'zod';

/** Minor units (cents, satoshi) as decimal text in JSON and `bigint` in memory, so that no digit is lost. */
export const minorUnits = z
  .codec(z.string().regex(/^-?\d{1,40}$/), z.bigint(), {
    decode: (text) => BigInt(text),
    encode: (minor) => minor.toString(),
  })
  .meta({ description: 'Amount in the smallest unit of its currency, as decimal text.' });

/** A UTC instant with milliseconds. */
export const instant = z.codec(z.iso.datetime({ precision: 3 }), z.date(), {
  decode: (text) => new Date(text),
  encode: (date) => date.toISOString(),
});

/** An amount with its currency. */
export const moneyCodec = z.object({ minor: minorUnits, currency: z.string().min(1) });

/** Marks a field of an event as personal data, so that sealing it with a customer's key stays a change to this file. */
export const personal = <T extends z.ZodType>(schema: T): T => schema.meta({ personalData: true }) as T;

export type EventSchemas = Readonly<Record<string, z.ZodType>>;

/** The union of a module's events: `{ type, data }` for each of its schemas. */
export type EventOf<S extends EventSchemas> = {
  [T in keyof S & string]: { readonly type: T; readonly data: z.output<S[T]> };
}[keyof S & string];
