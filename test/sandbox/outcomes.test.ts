import { describe, expect, it } from 'vitest';
import {
  outcomeOfAccount,
  outcomeOfAddress,
  sandboxOutcomes,
  sandboxUmaDomain,
  screeningOutcomeOf,
  suffixOf,
  verificationOutcomes,
} from '../../src/sandbox/outcomes.ts';
import { sandboxScreening } from '../../src/sandbox/screening.ts';
import { activeCustomer, businessDetails } from '../support/builders/customers.ts';
import { screenedCustomer, screenedOwner } from '../support/builders/verification.ts';

const second = 1_000;
const minute = 60 * second;

/** The rows of docs/reference/sandbox.md, written a second time: when it is known how a payment ended, and how. */
const transfers = [
  ['002', [[0, 'failed', 'QUOTE_EXECUTION_FAILED']]],
  ['003', [[0, 'failed', 'OFFRAMP_FAILED']]],
  ['004', [[second, 'rejected', 'OFFRAMP_FAILED']]],
  ['005', [[30 * second, 'failed', 'OFFRAMP_FAILED']]],
  ['other', [[second, 'settled']]],
] as const;
const quotes = [
  ['002', [[second, 'failed', 'QUOTE_EXECUTION_FAILED']]],
  ['003', [[6 * minute, 'settled']]],
  ['004', [[second, 'failed', 'OFFRAMP_FAILED']]],
  [
    '005',
    [
      [second, 'settled'],
      [second, 'returned', 'OFFRAMP_FAILED'],
    ],
  ],
  ['006', [[second, 'cancelled']]],
  ['007', [[second, 'failed', 'OFFRAMP_FAILED', 'fails']]],
  ['other', [[second, 'settled']]],
] as const;
const addresses = [
  ['$success.usd', [[second, 'settled']]],
  ['$success.eur', [[second, 'settled']]],
  ['$success.mxn', [[second, 'settled']]],
  ['$pending.long.usd', [[24 * 60 * minute, 'settled']]],
  ['$fail.compliance.usd', [[second, 'failed', 'PAY_REQUEST_FAILED']]],
] as const;

const asRows = (context: string) =>
  sandboxOutcomes
    .filter((row) => row.context === context)
    .map(({ key, steps }) => [
      key,
      steps.map(({ afterMs, outcome }) => [afterMs, ...Object.values(outcome)]),
    ]);

describe('the table of sandbox outcomes', () => {
  it.each([
    ['transfer', transfers],
    ['quote', quotes],
    ['address', addresses],
  ])('has the rows of the interface for a %s', (context, rows) => expect(asRows(context)).toEqual(rows));

  it('says in words what each row means', () => {
    expect(sandboxOutcomes.filter(({ meaning }) => meaning.length === 0)).toEqual([]);
  });

  it('has the name checks of the interface', () => {
    expect(verificationOutcomes).toEqual({
      102: 'NOT_MATCHED',
      103: 'PARTIAL_MATCH',
      104: 'PENDING',
      105: 'INVALID_ACCOUNT',
      106: 'UNSUPPORTED',
      107: 'CHECKED_BY_RECEIVING_FI',
      109: 'SIMULATED_ERROR',
    });
  });
});

describe('the suffix of an identifier', () => {
  it.each([
    ['1234567002', '002'],
    ['DE89370400440532013005', '005'],
    ['+15550123006', '006'],
    ['testuser.002@okbank', '002'],
    ['a@b@002', 'a'],
    ['@002', ''],
    ['7', '7'],
    ['', ''],
    ['lnbc1003', '003'],
    ['0xABC', 'ABC'],
  ])('%s is %s', (identifier, suffix) => expect(suffixOf(identifier)).toBe(suffix));
});

describe('the outcome of an account', () => {
  it.each(transfers.map(([key]) => key))('of a transfer is that of its suffix: %s', (key) => {
    expect(outcomeOfAccount('transfer', `1234567${key}`)).toMatchObject({ context: 'transfer', key });
  });

  it.each(quotes.map(([key]) => key))('of a quote is that of its suffix: %s', (key) => {
    expect(outcomeOfAccount('quote', `1234567${key}`)).toMatchObject({ context: 'quote', key });
  });

  it.each(['006', '007'])('of a transfer has no row %s', (suffix) => {
    expect(outcomeOfAccount('transfer', `1234567${suffix}`).key).toBe('other');
  });

  it.each(['1234567001', '1234567102', '002 ', '0020', 'x@002', ''])(
    'with the identifier %j is the other one',
    (id) => {
      expect(outcomeOfAccount('quote', id).key).toBe('other');
    },
  );
});

describe('the outcome of an address', () => {
  it.each(addresses.map(([key]) => key))('is that of its name: %s', (key) => {
    expect(outcomeOfAddress(`${key}@${sandboxUmaDomain}`)).toMatchObject({ context: 'address', key });
  });

  it.each([
    '$success.usd@pay.example',
    `$success.gbp@${sandboxUmaDomain}`,
    `$002@${sandboxUmaDomain}`,
    '$success.usd',
  ])('is unknown for %s', (address) => expect(outcomeOfAddress(address)).toBeUndefined());
});

describe('the outcome of a check', () => {
  it.each([
    ['5523001', 'PENDING'],
    ['Lovelace002', 'REJECTED'],
    ['5523041', 'APPROVED'],
    ['0010', 'APPROVED'],
    ['', 'APPROVED'],
  ])('of %j is %s', async (text, finding) => {
    expect(screeningOutcomeOf(text)).toBe(finding);
    expect(await sandboxScreening.owner(screenedOwner(text))).toBe(finding);
    const business = businessDetails({ businessInfo: { legalName: 'A', registrationNumber: text } });
    const screened = screenedCustomer(activeCustomer(business));
    expect(await sandboxScreening.customer(screened)).toBe(finding);
  });

  it('is good for an individual, and for a business without a number', async () => {
    const nameless = businessDetails({ businessInfo: { legalName: 'Ends in 002' } });
    const customers = [activeCustomer(), activeCustomer(nameless)];
    const found = customers.map((one) => sandboxScreening.customer(screenedCustomer(one)));
    expect(await Promise.all(found)).toEqual(['APPROVED', 'APPROVED']);
  });
});
