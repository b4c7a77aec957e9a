/** Which movements of the bank's have been dealt with, and those that an operator has to look at: one file each. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { z } from 'zod';
import { moneyCodec } from '../../../kernel/codecs.ts';
import type { Money } from '../../../kernel/money.ts';
import type { Entry } from '../messages/model.ts';
import { toDecimal } from '../values/amounts.ts';
import { readIfAny, writeOnce } from './atomic.ts';

/** Why an entry is nobody's: docs/how-to/connect-a-bank.md says what to do about each. */
export const reasonsUnmatched = [
  'UNKNOWN_CREDIT',
  'UNKNOWN_DEBIT',
  'UNKNOWN_RETURN',
  'UNKNOWN_PAYMENT',
  'AMOUNT_DIFFERS',
  'NO_BANK_REFERENCE',
  'REFERENCE_REUSED',
  'CREDIT_REFUSED',
  'CREDIT_REVERSED',
  'DEBITED_AFTER_REFUSAL',
  'DEBITED_TWICE',
  'DUPLICATE_REFUSED',
  'REFUSED_AFTER_DEBIT',
  'RETURNED_AFTER_REFUSAL',
  'RETURNED_TWICE',
] as const;
export type Unmatched = (typeof reasonsUnmatched)[number];

/** What an operator is told of. */
export type Case = {
  readonly why: Unmatched;
  /** One for ever: the same case is listed once. */
  readonly key: string;
  readonly details: Readonly<Record<string, unknown>>;
  /** Money that is on the account and nobody's: an operator may say whose it is. */
  readonly credit?: Credit;
};
export type Credit = { readonly bankReference: string; readonly amount: Money };

const record = z.object({ digest: z.string(), place: z.string() });

const listed = z.object({
  why: z.enum(reasonsUnmatched),
  credit: z.object({ bankReference: z.string(), amount: moneyCodec }).optional(),
});

export type Entries = {
  /** `new`, dealt with before, or another one under the same name of the bank's. */
  readonly stateOf: (entry: Entry) => Promise<'new' | 'known' | 'name taken'>;
  readonly dealtWith: (entry: Entry) => Promise<void>;
  /** Whether it was not listed before. */
  readonly list: (one: Case) => Promise<boolean>;
  /** Whether it was listed, or was about to be when the process stopped. */
  readonly isLeft: (one: Pick<Case, 'why' | 'key'>) => Promise<boolean>;
  /** The money of a case that was listed under this name, as it was listed. */
  readonly creditOf: (name: string) => Promise<Credit | undefined>;
};

/** What banks write where they have no name for an entry. */
const noReference = /^(NONREF|NOREF|NOTPROVIDED|NOT PROVIDED|UNKNOWN)?$/i;

/** The bank's name for the entry on that account, where it gave one. */
export const bankReferenceOf = ({ account, direction, bankReference = '' }: Entry): string | undefined =>
  noReference.test(bankReference.trim()) ? undefined : `${account}/${direction}/${bankReference.trim()}`;

/** What names the entry for ever. */
export const keyOf = (entry: Entry): string =>
  bankReferenceOf(entry) ?? `${entry.account}/${entry.direction}/@${entry.place}`;

const digestOf = (...parts: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);

const contentOf = ({ amount, bookedOn, endToEndId, named }: Entry): string =>
  digestOf(String(amount.minor), amount.currency, bookedOn, endToEndId, named);

const statementOf = (place: string): string => place.slice(0, place.indexOf('/'));

export function openEntries(state: string, unmatched: string): Entries {
  const pathOf = (entry: Entry) => {
    const digest = digestOf(keyOf(entry));
    return join(state, 'entries', digest.slice(-2), `${digest}.json`);
  };
  const nameOf = ({ why, key }: Pick<Case, 'why' | 'key'>) => digestOf(why, key);
  const listedPath = (name: string) => join(state, 'listed', name.slice(-2), `${name}.json`);
  const shownPath = (name: string) => join(unmatched, `${name}.json`);
  return {
    async stateOf(entry) {
      const text = await readIfAny(pathOf(entry));
      if (text === undefined) return 'new';
      const known = record.parse(JSON.parse(text));
      // The same movement may stand in several statements; in one of them, each stands once.
      const isTwin = statementOf(known.place) === statementOf(entry.place) && known.place !== entry.place;
      return known.digest === contentOf(entry) && !isTwin ? 'known' : 'name taken';
    },
    async dealtWith(entry) {
      await writeOnce(pathOf(entry), JSON.stringify({ digest: contentOf(entry), place: entry.place }));
    },
    async list(one) {
      const { why, details, credit } = one;
      const name = nameOf(one);
      // What an operator has taken away is not listed again.
      if ((await readIfAny(listedPath(name))) !== undefined) return false;
      await writeOnce(shownPath(name), `${JSON.stringify({ why, ...details }, null, 2)}\n`);
      return writeOnce(listedPath(name), JSON.stringify(listed.encode({ why, ...(credit && { credit }) })));
    },
    async isLeft(one) {
      const name = nameOf(one);
      return ((await readIfAny(listedPath(name))) ?? (await readIfAny(shownPath(name)))) !== undefined;
    },
    async creditOf(name) {
      const text = /^[0-9a-f]{32}$/.test(name) ? await readIfAny(listedPath(name)) : undefined;
      return text === undefined ? undefined : listed.parse(JSON.parse(text)).credit;
    },
  };
}

/** An entry as an operator sees it. */
export const describeEntry = (entry: Entry): Case['details'] => ({
  account: entry.account,
  direction: entry.direction,
  amount: toDecimal(entry.amount.minor),
  currency: entry.amount.currency,
  bookedOn: entry.bookedOn,
  bankReference: entry.bankReference,
  statement: entry.place,
  endToEndId: entry.endToEndId,
  reasonCode: entry.reasonCode,
  named: entry.named,
});
