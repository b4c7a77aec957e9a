/**
 * What of a body may be kept: its form, ids, moments, amounts and words of the interface. Everything that a caller or a
 * customer could have written freely is masked, and so is every secret, whatever its field is called: only what is known
 * to be harmless is shown. What stands where events say something of a person is masked whatever its form: an erasure
 * does not come here.
 */
import { webhookStates } from '../../../../projections/tables/webhooks.ts';
import { findCurrency } from '../../../domain/money/currencies.ts';
import { personalNames } from '../../../domain/personal-names.ts';
import { plainNames } from '../../../kernel/personal.ts';
import { statusOf } from '../../refusals.ts';

export const mask = '•••';

const id = /^[A-Z][A-Za-z]{1,30}:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const instant = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,6})?(?:Z|[+-]\d{2}:\d{2})$/;
const word = /^[A-Z][A-Z_]{1,59}$/;
const fieldName = /^[A-Za-z][A-Za-z0-9]{0,63}(?:\[\d{1,3}\])?(?:\.[A-Za-z0-9[\]]{1,63}){0,7}$/;
/** Fields whose words may be shown, where they are the interface's own. */
const wordFields =
  /^(?:status|kycStatus|kybStatus|type|kind|reason|failureReason|pendingReason|currency|currencyCode|currencies|permissions|effect|when|side|locked|clock|code|sortOrder|environment|.+(?:Type|Status|Currency|CurrencyCode|CurrencySide|Mode))$/;
/** Fields of requests whose numbers are amounts, or count something. A caller may send fields of other names as well. */
const askedNumbers: ReadonlySet<string> = new Set([
  ...['amount', 'amountToSend', 'currencyAmount', 'lockedCurrencyAmount', 'receivingCurrencyAmount'],
  ...['sendingAmount', 'minAmount', 'maxAmount', 'percent', 'times', 'limit', 'status', 'minStatus'],
  ...['dailyLimit', 'monthlyLimit', 'perTransactionLimit', 'dailyTransactionLimit', 'dailyVolumeLimit'],
  ...['velocityLimit', 'revision', 'size', 'seconds', 'waitSeconds', 'expirationSeconds'],
]);
/** The same of answers, whose fields have the names that the interface gives them. */
const answeredNumbers =
  /^(?:minor|limit|status|times|percent|version|revision|decimals|attempts|retries|fees|.*(?:[aA]mount|[bB]alance|[lL]imit|(?<![aA]c)[cC]ount|Fee|Fees|Rate|Multiplier|Seconds|Minor|Ms|Min|Max|Threshold|Decimals|Position|Received|Sent))$/;
const lists = new Set(['limit', 'sortOrder', 'waitSeconds']);
const depthMax = 12;

/** Whose words a body has: the answer to a request that was refused names the fields that are wrong. */
export type Said = 'request' | 'answer' | 'refusal';

export type Redaction = {
  /** Of JSON that was parsed: a copy in which nothing secret or personal is left. */
  readonly redacted: (value: unknown, said: Said) => unknown;
  /** The same of the part of an address after its question mark. */
  readonly redactedQuery: (search: string) => string;
};

/** `words` are those of the interface's enumerations. */
export const redactionBy = (words: ReadonlySet<string>): Redaction => ({
  redacted: (value, said) => redact(value, '', 0, { said, words, isPersonal: false }),
  redactedQuery: (search) => redactQuery(search, { said: 'request', words, isPersonal: false }),
});

type Known = {
  readonly said: Said;
  readonly words: ReadonlySet<string>;
  /** It stands at or below a member that is. */
  readonly isPersonal: boolean;
};

/** What a refusal calls its reason is a word of the service. */
const isOfPerson = (name: string, { said }: Known): boolean =>
  personalNames.has(name) && !(said === 'refusal' && name === 'reason');

function redact(value: unknown, field: string, depth: number, known: Known): unknown {
  if (value === null) return value;
  if (typeof value === 'boolean') return known.isPersonal ? mask : value;
  if (typeof value === 'string') return isShown(value, field, known) ? value : mask;
  if (typeof value === 'number' || typeof value === 'bigint') return isNumber(field, known) ? value : mask;
  if (typeof value !== 'object' || depth === depthMax) return mask;
  if (Array.isArray(value)) return value.map((one) => redact(one, field, depth + 1, known));
  const entries = Object.entries(value).map(([name, one]) => [
    fieldName.test(name) ? name : mask,
    redact(one, name, depth + 1, isOfPerson(name, known) ? { ...known, isPersonal: true } : known),
  ]);
  return Object.fromEntries(entries);
}

const isNumber = (field: string, { said, isPersonal }: Known): boolean =>
  !isPersonal && (said === 'request' ? askedNumbers.has(field) : answeredNumbers.test(field));

const states: readonly string[] = webhookStates;

function isShown(text: string, field: string, known: Known): boolean {
  const { said, isPersonal } = known;
  if (isPersonal) return plainNames.has(field) && word.test(text) && isWord(text, field, known);
  if (id.test(text) || instant.test(text)) return true;
  // That of a webhook; an address has one as well.
  if (field === 'state') return states.includes(text);
  // Of a refusal by the platform it is text of its own.
  if (field === 'reason' && said === 'request') return false;
  if (field === 'code') return Object.hasOwn(statusOf, text) || findCurrency(text) !== undefined;
  if (field === 'field') return said === 'refusal' && fieldName.test(text);
  return wordFields.test(field) && word.test(text) && isWord(text, field, known);
}

/** What a refusal calls its reason, the service has called it. */
const isWord = (text: string, field: string, { said, words }: Known): boolean =>
  words.has(text) || findCurrency(text) !== undefined || (said === 'refusal' && field === 'reason');

function redactQuery(search: string, known: Known): string {
  const pairs = [...new URLSearchParams(search)].map(([name, value]): [string, string] => {
    if (isOfPerson(name, known)) return [name, mask];
    const isHarmless = lists.has(name) && /^[a-z0-9]{1,5}$/.test(value);
    const isCount = isNumber(name, known) && /^\d{1,18}$/.test(value);
    const isShownValue =
      isHarmless || isCount || /^(?:true|false)$/.test(value) || isShown(value, name, known);
    return [fieldName.test(name) ? name : mask, isShownValue ? value : mask];
  });
  return pairs.map(([name, value]) => `${name}=${value}`).join('&');
}

/** Looked for by the colon: nearly every other character of an answer could be the first of an id. */
const idsIn = /(?<=([A-Z][A-Za-z]{1,30})):[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const idsMax = 20;

/** The first ids that texts name, each once. */
export function idsOf(...texts: readonly string[]): string[] {
  const found = new Set<string>();
  for (const text of texts)
    for (const [rest, type] of text.matchAll(idsIn)) {
      // A text of its own: a part of another one keeps all of that in memory.
      found.add([type, rest].join(''));
      if (found.size === idsMax) return [...found];
    }
  return [...found];
}
