/** The settings file of this rail. Everything wrong with it is reported at once. */
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { z } from 'zod';
import { isIban } from '../../infrastructure/text/check-digits.ts';
import type { OwnAccount } from './messages/model.ts';
import { orderVersions } from './messages/pain-001.ts';
import { currencies } from './values/amounts.ts';
import { inBankCharacters } from './values/characters.ts';
import { isBic, plainIban, ukAccountOf } from './values/iban.ts';
import { Unreadable } from './xml/element.ts';

/** The variable that names the file. */
const variable = 'DAYBOOK_RAIL_SETTINGS';
const nameMax = 70;

const bankName = z
  .string()
  .refine(
    (text) => text !== '' && inBankCharacters(text, nameMax) === text,
    `must be 1 to ${nameMax} of the characters a-z A-Z 0-9 / - ? : ( ) . , ' + and space`,
  );

const account = z.strictObject({
  currency: z.enum(currencies),
  iban: z.string().transform(plainIban).refine(isIban, 'must be an IBAN with right check digits'),
  name: bankName,
  bic: z.string().refine(isBic, 'must be a BIC').optional(),
  serviceLevel: z
    .string()
    .regex(/^[A-Z0-9]{1,4}$/, 'must be a code like SEPA')
    .optional(),
});

const settings = z.strictObject({
  initiatingParty: bankName,
  accounts: z
    .array(account)
    .min(1)
    .max(currencies.length)
    .refine(
      (accounts) => new Set(accounts.map(({ currency }) => currency)).size === accounts.length,
      'must have one account for a currency',
    ),
  folder: z.string().min(1).optional(),
  orderVersion: z.enum(orderVersions).default(orderVersions[0]),
  orderTransfersMax: z.number().int().min(1).max(10_000).default(1_000),
  everySeconds: z.number().min(1).max(3600).default(15),
  schemas: z.string().min(1).optional(),
  fileBytesMax: z
    .number()
    .int()
    .min(1_024)
    .max(64 * 1_024 * 1_024)
    .default(16 * 1_024 * 1_024),
});

type Read = z.output<typeof settings>;
export type Settings = Omit<Read, 'folder'> & { readonly folder: string };

/** The account that payments in the currency leave from. */
export const accountFor = (settings: Settings, currency: string): OwnAccount | undefined =>
  settings.accounts.find((one) => one.currency === currency);

/**
 * The own account that a statement means: by its IBAN, or in the United Kingdom by sort code and account number. Throws
 * `Unreadable` where the settings have none of that name, or have it in other currencies.
 */
export function ownAccount(
  { accounts }: Pick<Settings, 'accounts'>,
  name: string,
  currency: string,
): OwnAccount {
  const plain = plainIban(name).replaceAll('-', '');
  const found = accounts.filter(({ iban }) => {
    const uk = ukAccountOf(iban);
    return iban === plain || (uk !== undefined && `${uk.sortCode}${uk.accountNumber}` === plain);
  });
  if (found.length === 0) throw new Unreadable('a statement is of an account that the settings do not have');
  const own = found.find((one) => one.currency === currency);
  if (!own) throw new Unreadable('an entry is in another currency than the settings have for its account');
  return own;
}

/**
 * Reads the file. Relative paths in it start at its own folder; without a folder, files lie in `directory`. Throws an
 * error that names every setting that is wrong, in one line.
 */
export function readSettings(path: string | undefined, directory: string): Settings {
  if (path === undefined) throw new Error(`${variable}: must name the settings file of the rail iso20022`);
  const parsed = settings.safeParse(parseJson(path));
  if (!parsed.success) {
    const problems = parsed.error.issues.map(({ path: at, message }) => [at.join('.'), message]);
    const told = problems.map((words) => words.filter(Boolean).join(': ')).join('; ');
    throw new Error(`${variable}: the settings file ${path} is not valid: ${told}`);
  }
  const { folder, schemas, accounts, ...others } = parsed.data;
  const at = (relative: string) => resolve(dirname(path), relative);
  return {
    ...others,
    accounts: accounts.map(withServiceLevel),
    folder: folder === undefined ? directory : at(folder),
    schemas: schemas === undefined ? undefined : at(schemas),
  };
}

const withServiceLevel = (one: Read['accounts'][number]) => ({
  ...one,
  serviceLevel: one.serviceLevel ?? (one.currency === 'EUR' ? 'SEPA' : undefined),
});

function parseJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (cause) {
    // What is no JSON is not told: accounts are in it.
    const fault = cause instanceof SyntaxError ? 'is no JSON' : `cannot be read: ${wordsOf(cause)}`;
    throw new Error(`${variable}: the settings file ${path} ${fault}`, { cause });
  }
}

const wordsOf = (cause: unknown) => (cause instanceof Error ? cause.message : String(cause));
