import { describe, expect, it } from 'vitest';
import { referenceFor, referencesIn } from '../../../src/domain/accounts/funding-identifiers.ts';

const reference = referenceFor('InternalAccount:1');
const code = reference.slice(3);

describe('the reference in a text of a bank statement', () => {
  it.each([
    ['alone', reference],
    ['in small letters', reference.toLowerCase()],
    ['without its dash', `DB${code}`],
    ['in groups', `DB ${code.slice(0, 4)} ${code.slice(4)}`],
    ['among other words', `Invoice 7, ${reference} thanks`],
    ['between lines', `SVWZ+RENT\n${reference}\nEREF`],
  ])('is found %s', (_how, text) => expect(referencesIn(text)).toContain(reference));

  it.each([
    ['inside another word', `X${reference}`],
    ['with more behind it', `${reference}A`],
    ['too short', reference.slice(0, -1)],
    ['nowhere', 'rent for May'],
  ])('is not found %s', (_how, text) => expect(referencesIn(text)).not.toContain(reference));

  it('is one of several', () => {
    const other = referenceFor('InternalAccount:2');
    expect(referencesIn(`${reference} or ${other}`)).toEqual([reference, other]);
  });
});
