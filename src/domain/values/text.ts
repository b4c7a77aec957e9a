import { z } from 'zod';
import { bounds } from './bounds.ts';
import { isCountryCode } from './regions.ts';

// Payment instructions show the examples, with other digits.

/** Refuses control characters, and halves of surrogate pairs, which no storage of text accepts. */
const printable = /^[^\p{Cc}\p{Cs}]*$/u;

/** The same for whoever generates code from the document: without the flag `u` a class by property is one of its letters. */
export const printableAnywhere = '^[^\\u0000-\\u001F\\u007F-\\u009F]*$';

/** No spaces and nothing beyond ASCII: wallet addresses, invoices. */
const token = /^[!-~]+$/;
const visible = 'must be visible characters of ASCII, without spaces';

/** Free text of `min` to `max` characters without control characters. */
export const text = (min: number, max: number) =>
  z
    .string()
    .min(min)
    .max(max)
    .regex(printable, 'must not have control characters')
    .meta({ pattern: printableAnywhere });

/** Text of a form that the example has. `form` says what form that is, where the example does not do. */
export const matching = (pattern: RegExp, example: string, form = `must have the form of ${example}`) =>
  z
    .string()
    .regex(pattern, form)
    .meta({ examples: [example] });

export const countryCode = z
  .string()
  .refine(isCountryCode, 'must be an ISO 3166-1 alpha-2 country code')
  .meta({ description: 'ISO 3166-1 alpha-2 country code.', pattern: '^[A-Z]{2}$', examples: ['US'] });

/** The label of a domain in other letters than ASCII, as it is written in these. */
export const encodedLabel = '[Xx][Nn]--[A-Za-z0-9-]{0,58}[A-Za-z0-9]';

/** As `z.email` has it, with such labels at the top of the domain as well. */
const emailPattern = new RegExp(
  String.raw`^(?:[A-Za-z0-9_'+\-]+\.)*[A-Za-z0-9_'+\-]*[A-Za-z0-9_+-]@(?:[A-Za-z0-9][A-Za-z0-9\-]*\.)+(?:[A-Za-z]{2,}|${encodedLabel})$`,
);

export const email = z.email({ pattern: emailPattern }).max(bounds.line);

export const bankName = text(1, bounds.line).meta({ examples: ['Daybook Partner Bank'] });

export const shortBankName = text(1, 140).meta({ examples: ['Daybook Partner Bank'] });

/** A mobile money provider. */
export const provider = text(1, bounds.line).meta({ examples: ['Mobile Money'] });

export const accountNumber = text(1, 34).meta({ examples: ['1000123456789'] });

/** `^[0-9]{least,most}$`, or exactly `least` digits. */
export const digits = (least: number, most = least) =>
  matching(
    new RegExp(least === most ? `^[0-9]{${least}}$` : `^[0-9]{${least},${most}}$`),
    '1000123456789012345678'.slice(0, most),
    least === most ? `must be ${least} digits` : `must be ${least} to ${most} digits`,
  );

/** Of the American Bankers Association. */
export const routingNumber = matching(/^[0-9]{9}$/, '100012341', 'must be 9 digits');

export const iban = matching(/^[A-Z]{2}[0-9]{2}[A-Za-z0-9]{11,30}$/, 'DE89370400440532013000');

export const bic = matching(/^[A-Z]{4}[A-Z]{2}[A-Z0-9]{2}([A-Z0-9]{3})?$/, 'DAYBUS33XXX');

/** A customer's telephone number, in E.164. */
export const telephone = z
  .string()
  .regex(/^\+[1-9]\d{1,14}$/, 'must be a telephone number in E.164, such as +15550123456');

/** A phone number that identifies a mobile money wallet. */
export const phoneNumber = matching(/^\+[0-9]{6,14}$/, '+15550123456');

export const bankAccountType = z.enum(['CHECKING', 'SAVINGS']).meta({ examples: ['CHECKING'] });

export const walletAddress = z.string().regex(token, visible).max(128);

/** A bolt11 or bolt12 text, whose specifications leave the length open. */
export const lightningText = z.string().regex(token, visible).max(4096);

export const lightningAddress = z
  .string()
  .regex(/^[!-?A-~]+@[!-?A-~]+$/, 'must have the form of name@example.com')
  .max(bounds.line);

/** India's UPI address. */
export const virtualPaymentAddress = matching(
  /^[a-zA-Z0-9.\-_]+@[a-zA-Z0-9]+$/,
  'daybook.1000123456789@daybank',
)
  .min(3)
  .max(bounds.line);

export const pixKeyType = z.enum(['CPF', 'CNPJ', 'EMAIL', 'PHONE', 'RANDOM']);

export const oneOf = <const V extends readonly [string, ...string[]]>(...values: V) =>
  z.enum(values).meta({ examples: [values[0]] });
