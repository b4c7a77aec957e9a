/** Kept JSON without what it says of a person: the rest of it stays as it was written. */
import { personalNames } from '../../domain/personal-names.ts';
import { erasedWord, isAnyId, plainNames } from '../../kernel/personal.ts';

/** What the service says itself, beside what is personal or within it. */
const ownNames: ReadonlySet<string> = new Set([
  ...plainNames,
  'paymentRails',
  'accountOrWalletInfo',
  'refund',
  'requestedReceiverCustomerInfoFields',
]);

/** It may be a word of the interface, a number or a moment as well, and mean something else where nothing is personal. */
const isCode = (text: string): boolean => /^[A-Z\d_+.:-]+$/.test(text);

/** `names` are those on the way to the text, its own among them. */
function isOfPerson(text: string, names: readonly string[]): boolean {
  if (isAnyId(text) || names.some((name) => ownNames.has(name))) return false;
  return !isCode(text) || names.some((name) => personalNames.has(name));
}

/** A bracket, or a text; with a colon that is the name of a member. */
const token = /[{}[\]]|("(?:[^"\\]|\\.)*")(\s*:)?/g;

/** With a word in the place of each of the texts. */
export function withoutTexts(json: string, texts: ReadonlySet<string>): string {
  const outer: string[] = [];
  let name = '';
  return json.replace(token, (whole: string, said: string | undefined, colon: string | undefined) => {
    if (said === undefined) {
      if (whole === '{' || whole === '[') outer.push(name);
      else name = outer.pop() ?? '';
      return whole;
    }
    const text: string = JSON.parse(said);
    if (colon !== undefined) {
      name = text;
      return whole;
    }
    return texts.has(text) && isOfPerson(text, [...outer, name]) ? JSON.stringify(erasedWord) : whole;
  });
}
