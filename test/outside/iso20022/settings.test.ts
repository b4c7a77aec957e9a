import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readSettings } from '../../../src/outside/iso20022/settings.ts';
import { temporaryFolder } from '../../support/bank/bank.ts';
import { euroAccount, sterlingAccount } from '../../support/bank/messages.ts';

const valid = {
  initiatingParty: 'Daybook Ltd',
  accounts: [{ currency: 'EUR', iban: 'DE89 3704 0044 0532 0130 00', name: 'Daybook Ltd', bic: 'COBADEFF' }],
};
const euro = valid.accounts[0];

const read = (content: unknown) => {
  const path = join(temporaryFolder(), 'bank.json');
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return { path, settings: () => readSettings(path, '/data/rail') };
};

describe('the settings of the rail', () => {
  it('need an account and a name; the rest has standards', () => {
    expect(read(valid).settings()).toEqual({
      initiatingParty: 'Daybook Ltd',
      accounts: [
        { currency: 'EUR', iban: euroAccount, name: 'Daybook Ltd', bic: 'COBADEFF', serviceLevel: 'SEPA' },
      ],
      folder: '/data/rail',
      orderVersion: 'pain.001.001.09',
      orderTransfersMax: 1_000,
      everySeconds: 15,
      schemas: undefined,
      fileBytesMax: 16_777_216,
    });
  });

  it('name folders from where they are', () => {
    const { path, settings } = read({ ...valid, folder: 'bank', schemas: './schemas' });
    expect(settings()).toMatchObject({ folder: join(path, '../bank'), schemas: join(path, '../schemas') });
  });

  it.each<[string, object, RegExp]>([
    [
      'an IBAN with wrong check digits',
      { accounts: [{ ...euro, iban: 'DE88370400440532013000' }] },
      /accounts\.0\.iban/,
    ],
    ['what is no BIC', { accounts: [{ ...euro, bic: 'BANK' }] }, /accounts\.0\.bic/],
    ['a currency that is not carried', { accounts: [{ ...euro, currency: 'USD' }] }, /accounts\.0\.currency/],
    ['two accounts in one currency', { accounts: [euro, { ...euro, iban: sterlingAccount }] }, /one account/],
    ['no account', { accounts: [] }, /accounts/],
    ['a name that banks do not take', { initiatingParty: 'Dåybøøk & Co' }, /initiatingParty/],
    ['an unknown version', { orderVersion: 'pain.001.001.02' }, /orderVersion/],
    ['an unknown setting', { iban: euroAccount }, /iban/],
    [
      'two mistakes',
      { initiatingParty: '', everySeconds: 0 },
      /^DAYBOOK_RAIL_SETTINGS: .*initiatingParty: .*; everySeconds: [^\n]*$/,
    ],
  ])('are refused with %s', (_what, more, problem) => {
    expect(read({ ...valid, ...more }).settings).toThrow(problem);
  });

  it('are refused where they are no JSON, or not there, by the variable that names them', () => {
    expect(read('{').settings).toThrow(/^DAYBOOK_RAIL_SETTINGS: the settings file \S+ is no JSON$/);
    expect(() => readSettings('/nowhere/bank.json', '/data')).toThrow(
      /^DAYBOOK_RAIL_SETTINGS: the settings file \/nowhere\/bank\.json cannot be read: ENOENT/,
    );
    expect(() => readSettings(undefined, '/data')).toThrow(/^DAYBOOK_RAIL_SETTINGS: must name/);
  });
});
