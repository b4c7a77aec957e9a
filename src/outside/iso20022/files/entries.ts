/** Which movements of the bank's have been dealt with, and those that an operator has to look at: one file each. */
import { join } from 'node:path';
import { z } from 'zod';
import { moneyCodec } from '../../../kernel/codecs.ts';
import type { Money } from '../../../kernel/money.ts';
import { isName } from '../messages/identifiers.ts';
import type { Entry } from '../messages/model.ts';
import { toDecimal } from '../values/amounts.ts';
import { digestOf } from '../values/digest.ts';
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
  'RETURNED_AFTER_SECOND_DEBIT',
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
  /** Cases that it may be, listed under other keys: told to the operator, who knows what has become of them. */
  readonly perhaps?: readonly Name[];
};
type Name = Pick<Case, 'why' | 'key'>;
export type Credit = { readonly bankReference: string; readonly amount: Money };

const record = z.object({ digest: z.string(), place: z.string(), page: z.string().optional() });

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
  readonly isLeft: (one: Name) => Promise<boolean>;
  /** The money of a case that was listed under this name, as it was listed. */
  readonly creditOf: (name: string) => Promise<Credit | undefined>;
};

/** The bank's name for the entry on that account, where it gave one. */
export const bankReferenceOf = ({ account, direction, bankReference = '' }: Entry): string | undefined =>
  isName(bankReference) ? `${account}/${direction}/${bankReference.trim()}` : undefined;

/** What names the entry for ever. */
export const keyOf = (entry: Entry): string => bankReferenceOf(entry) ?? placeKeyOf(entry);

/** What names the entry where the bank has given its name to another. */
export const ownKeyOf = (entry: Entry): string => {
  const bankReference = bankReferenceOf(entry);
  return bankReference ? `${bankReference} ${entry.place}#${entry.apart}` : placeKeyOf(entry);
};

const placeKeyOf = (entry: Entry): string => `${formerPlaceKeyOf(entry)}#${entry.apart}`;

const formerPlaceKeyOf = ({ account, direction, place }: Entry): string =>
  `${account}/${direction}/@${place}`;

/**
 * From when the bank's way to write the account was part of the key, and from when an entry had no name where its
 * transaction has `NOTPROVIDED`.
 */
const formerKeysOf = (entry: Entry): readonly string[] => [
  keyOf({ ...entry, account: entry.spelled }),
  placeKeyOf(entry),
];

/**
 * The cases that a folder may have of the entry, or of another at its place, from when the place alone told entries apart
 * that have no name of their own.
 */
export const formerCasesOf = (entry: Entry, why: Unmatched): readonly Name[] => {
  const bankReference = bankReferenceOf(entry);
  const key = bankReference ?? formerPlaceKeyOf(entry);
  const reused = { why: 'REFERENCE_REUSED', key: `${key} ${entry.place}` } as const;
  if (bankReference) return why === 'REFERENCE_REUSED' ? [reused] : [];
  return [{ why, key }, reused];
};

/** Always the same for the same entry: facts of earlier versions have it too. */
const contentOf = ({ amount, bookedOn, endToEndId, named, ofEntry }: Entry): string => {
  const texts = [...new Set([...named, ...(ofEntry === undefined ? [] : [ofEntry])])];
  return digestOf(String(amount.minor), amount.currency, bookedOn, endToEndId, texts);
};

const statementOf = (place: string): string => place.slice(0, place.indexOf('/'));

/** The same movement may stand in several statements; in one of them, on all of its pages, each stands once. */
function isTwin(known: z.output<typeof record>, { place, page }: Entry): boolean {
  if (statementOf(known.place) !== statementOf(place)) return false;
  const isElsewhere = known.page !== undefined && page !== undefined && known.page !== page;
  return isElsewhere || known.place !== place;
}

export function openEntries(state: string, unmatched: string): Entries {
  const pathOf = (key: string) => {
    const digest = digestOf(key);
    return join(state, 'entries', digest.slice(-2), `${digest}.json`);
  };
  /** The first of those that is there. */
  const recordOf = async (keys: readonly string[]) => {
    for (const key of new Set(keys)) {
      const text = await readIfAny(pathOf(key));
      if (text !== undefined) return record.parse(JSON.parse(text));
    }
    return undefined;
  };
  const nameOf = ({ why, key }: Name) => digestOf(why, key);
  const listedPath = (name: string) => join(state, 'listed', name.slice(-2), `${name}.json`);
  const shownPath = (name: string) => join(unmatched, `${name}.json`);
  const isLeft = async (one: Name): Promise<boolean> => {
    const name = nameOf(one);
    return ((await readIfAny(listedPath(name))) ?? (await readIfAny(shownPath(name)))) !== undefined;
  };
  return {
    async stateOf(entry) {
      const known = await recordOf([keyOf(entry), ...formerKeysOf(entry)]);
      if (!known) return 'new';
      return known.digest === contentOf(entry) && !isTwin(known, entry) ? 'known' : 'name taken';
    },
    async dealtWith(entry) {
      const { place, page } = entry;
      await writeOnce(pathOf(keyOf(entry)), JSON.stringify({ digest: contentOf(entry), place, page }));
    },
    async list(one) {
      const { why, details, credit, perhaps = [] } = one;
      const name = nameOf(one);
      // What an operator has taken away is not listed again.
      if ((await readIfAny(listedPath(name))) !== undefined) return false;
      const compareWith: string[] = [];
      for (const other of perhaps) if (await isLeft(other)) compareWith.push(nameOf(other));
      const shown = { why, ...details, ...(compareWith.length > 0 && { compareWith }) };
      await writeOnce(shownPath(name), `${JSON.stringify(shown, null, 2)}\n`);
      return writeOnce(listedPath(name), JSON.stringify(listed.encode({ why, ...(credit && { credit }) })));
    },
    isLeft,
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
  page: entry.page,
  endToEndId: entry.endToEndId,
  endToEndIds: entry.endToEndIds?.length ? entry.endToEndIds : undefined,
  reasonCode: entry.reasonCode,
  named: entry.named,
  ofEntry: entry.ofEntry,
});
