import { describe, expect, it } from 'vitest';
import { stringify } from '../../src/kernel/json.ts';
import { withoutTexts } from '../../src/workers/erasure/without-texts.ts';

const account = 'ExternalAccount:01a21a53-7c1c-7781-b53b-39756f7490d4';

const left = (body: object, ...texts: readonly string[]) =>
  JSON.parse(withoutTexts(stringify(body), new Set(texts)));

describe('what is kept says nothing of a person', () => {
  it.each([
    ['a name, wherever it stands', { told: ['of Ada Lovelace', 'Ada Lovelace'] }, ['Ada Lovelace']],
    ['an address of payments', { destination: { umaAddress: '$ada@a.test' } }, ['$ada@a.test']],
    ['what is written with escapes', { description: 'a "b"\n\u2028' }, ['a "b"\n\u2028']],
    ['a word, as a name', { fullName: 'PENDING' }, ['PENDING']],
    ['a country, deep in what is personal', { data: [{ accountInfo: { bank: { country: 'US' } } }] }, ['US']],
    [
      'numbers and dates',
      { personalInfo: { identifier: '078-05-1120', birthDate: '1990-12-10' } },
      ['078-05-1120', '1990-12-10'],
    ],
    [
      'countries, one after another',
      { businessInfo: { countriesOfOperation: ['US', 'GB'], taxId: 'US' } },
      ['US', 'GB'],
    ],
    [
      'whatever a platform has called it',
      { counterpartyInformation: { 'a.b': 'US', 7: 'GB' } },
      ['US', 'GB'],
    ],
  ])('neither %s', (_what, body, texts) => {
    const rest = JSON.stringify(left(body, ...texts));
    for (const text of texts) expect(rest).not.toContain(JSON.stringify(text));
    expect(rest).toContain('"erased"');
  });

  it.each([
    ['words of the interface', { status: 'PENDING', refund: { reason: 'PENDING' } }, ['PENDING']],
    [
      'a region and a currency',
      { region: 'US', receivedAmount: { currency: { code: 'USD' } } },
      ['US', 'USD'],
    ],
    [
      'moments and digits',
      { createdAt: '2026-11-27T00:06:48.610Z', asOf: '12' },
      ['2026-11-27T00:06:48.610Z', '12'],
    ],
    ['ids', { id: account, destination: { accountId: account } }, [account]],
    [
      'rails of an account',
      { accountInfo: { accountType: 'UPI', paymentRails: ['UPI', 'NEFT'] } },
      ['UPI', 'NEFT'],
    ],
    [
      'how to pay in',
      { accountOrWalletInfo: { country: 'US', phoneNumber: '+15550123456' } },
      ['US', '+15550123456'],
    ],
    ['what is asked for', { requestedReceiverCustomerInfoFields: [{ name: 'TAX_ID' }] }, ['TAX_ID']],
    ['names of members', { 'Ada Lovelace': 1 }, ['Ada Lovelace']],
  ])('but %s', (_what, body, texts) => {
    expect(left(body, ...texts)).toEqual(body);
  });

  it('is told from what stands beside it', () => {
    const body = { address: { country: 'US', lines: ['US'] }, region: 'US', fullName: 'US', list: ['US'] };
    const gone = 'erased';
    const expected = {
      address: { country: gone, lines: [gone] },
      region: 'US',
      fullName: gone,
      list: ['US'],
    };
    expect(left(body, 'US')).toEqual(expected);
  });

  it('and what is not is kept as it was written', () => {
    const json =
      '{"amount":9007199254740993, "rate" : 1.10,"fullName":"Ada King","a":[{"b":[]},"Ada  King"]}';
    expect(withoutTexts(json, new Set(['Ada King']))).toBe(json.replace('"Ada King"', '"erased"'));
  });
});
