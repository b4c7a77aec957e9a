import { describe, expect, it } from 'vitest';
import { differingFields, fingerprintOf } from '../../../../src/infrastructure/http/once/fingerprint.ts';

const transfer = { source: { accountId: 'a' }, destination: { accountId: 'b' }, amount: 100 };
const differences = (one: unknown, other: unknown) =>
  differingFields(fingerprintOf(one), fingerprintOf(other));

describe('two bodies', () => {
  it('are the same whatever the order of their fields', () => {
    const { amount, ...ends } = transfer;
    expect(differences(transfer, { amount, ...ends })).toEqual([]);
  });

  it.each([
    ['changed', { ...transfer, amount: 101 }, ['amount']],
    ['changed inside', { ...transfer, source: { accountId: 'c' } }, ['source']],
    ['added', { ...transfer, remittanceInformation: 'rent' }, ['remittanceInformation']],
    ['left out', { source: transfer.source, amount: 100 }, ['destination']],
  ])('differ in the fields that were %s', (_how, other, fields) => {
    expect(differences(transfer, other)).toEqual(fields);
  });

  it('differ in digits that a double cannot hold', () => {
    expect(differences({ amount: 9_007_199_254_740_993n }, { amount: 9_007_199_254_740_992n })).toEqual([
      'amount',
    ]);
  });

  it.each([
    ['is no JSON', undefined],
    ['is no object', [1]],
    ['has names that no header can carry', { 'a\r\nb': 1 }],
    ['has the name of the prototype', JSON.parse('{"__proto__ ": 1}')],
    ['has too many fields', Object.fromEntries(Array.from({ length: 51 }, (_one, n) => [`f${n}`, n]))],
  ])('differ as a whole where one %s', (_how, other) => {
    expect(differences({ body: 1 }, other)).toEqual(['body']);
  });

  it('have few fields told', () => {
    const many = Object.fromEntries(Array.from({ length: 40 }, (_one, n) => [`f${n}`, n]));
    expect(differences(many, {})).toHaveLength(10);
  });
});

describe('a fingerprint', () => {
  it('shows nothing of what was sent', () => {
    expect(fingerprintOf({ name: 'Ada Lovelace' })).not.toContain('Ada');
  });
});
