import { beforeEach, describe, expect, it } from 'vitest';
import type { Counterparty, RailPayment } from '../../src/domain/ports/payment-rail.ts';
import { idOf } from '../../src/kernel/ids.ts';
import { sandboxOutcomes, sandboxUmaDomain } from '../../src/sandbox/outcomes.ts';
import { type SandboxRail, sandboxRail } from '../../src/sandbox/rail.ts';
import { validAccountInfo } from '../support/builders/external-accounts.ts';
import { railPayment } from '../support/builders/rail-payments.ts';
import { externalAccountDetails } from '../support/builders/registered-accounts.ts';
import { msLater, testStart } from '../support/time/clock.ts';

/** What it remembers of a payment is of one test. */
let rail: SandboxRail;
let now = testStart;
beforeEach(() => {
  now = testStart;
  rail = sandboxRail(() => now, 0.5);
});

const accountEndingIn = (suffix: string): Counterparty => ({
  kind: 'account',
  account: externalAccountDetails({
    accountInfo: validAccountInfo('USD_ACCOUNT', { accountNumber: `1234567${suffix}` }),
  }),
});
const payment = (kind: RailPayment['kind'], counterparty: Counterparty): RailPayment =>
  railPayment({ kind, counterparty });
const asked = { signal: new AbortController().signal };
const statusOf = (paid: RailPayment, recorded: RailPayment['recorded']) =>
  rail.statusOf({ ...paid, recorded }, asked);
const at = (umaAddress: string): Counterparty => ({ kind: 'address', umaAddress });

/** A payment for each row and each kind that the row is for. */
const cases = sandboxOutcomes.flatMap((row) => {
  const kinds =
    row.context === 'transfer'
      ? (['transfer-in', 'transfer-out'] as const)
      : (['quote', 'incoming'] as const);
  const { context, key } = row;
  const counterparty =
    context === 'address' ? at(`${key}@${sandboxUmaDomain}`) : accountEndingIn(key === 'other' ? '789' : key);
  return kinds.map((kind) => [kind, key, row, payment(kind, counterparty)] as const);
});

describe('the sandbox rail', () => {
  it.each(cases)('takes a %s with %s as its row says', async (kind, _key, { steps }, paid) => {
    const [{ afterMs, outcome }] = steps;
    const submission = await rail.submit(paid, asked);
    if (afterMs === 0) {
      expect(submission).toEqual({ status: 'ended', ending: await statusOf(paid, 'submitted') });
      return;
    }
    const underway = kind === 'quote' || kind === 'incoming' || outcome.status === 'settled';
    const checkAt = msLater(afterMs / 2);
    expect(submission).toEqual({ status: 'accepted', reference: 'SBX-000000000004', underway, checkAt });
  });

  it.each([
    ['$fail.compliance.usd', '789', 'failed'],
    ['$fail.compliance.usd', '004', 'failed'],
    ['$success.usd', '002', 'failed'],
    ['$success.usd', '789', 'settled'],
    ['$ada@pay.example', '789', 'settled'],
  ])(
    'ends what comes from %s and goes on to an account that ends in %s as %s',
    async (name, suffix, status) => {
      const senderUmaAddress = name.includes('@') ? name : `${name}@${sandboxUmaDomain}`;
      const incoming = { ...payment('incoming', accountEndingIn(suffix)), senderUmaAddress };
      const ending = await statusOf(incoming, 'submitted');
      const wanted = name.startsWith('$fail') ? 'PAY_REQUEST_FAILED' : undefined;
      expect(ending?.status).toBe(status);
      if (wanted) expect(ending).toMatchObject({ reason: wanted });
    },
  );

  it('keeps waiting for a sender who is slow, whatever account it goes on to', async () => {
    const senderUmaAddress = `$pending.long.usd@${sandboxUmaDomain}`;
    const incoming = { ...payment('incoming', accountEndingIn('789')), senderUmaAddress };
    expect(await rail.submit(incoming, asked)).toMatchObject({ checkAt: msLater((24 * 3_600_000) / 2) });
  });

  it.each(cases)('says at once what it will say of a %s with %s', async (_kind, _key, _row, paid) => {
    expect(rail.takesAtOnce?.(paid)).toEqual(await rail.submit(paid, asked));
  });

  it.each(cases)('ends a %s with %s as its row says', async (_kind, _key, { steps }, paid) => {
    const [first, second] = steps;
    const ending = await statusOf(paid, 'submitted');
    expect(ending.status).toBe(first.outcome.status);
    expect('reason' in ending ? ending.reason : undefined).toBe(
      'reason' in first.outcome ? first.outcome.reason : undefined,
    );
    expect('checkAt' in ending ? ending.checkAt : undefined).toEqual(second && msLater(second.afterMs / 2));
    if (second) now = msLater(second.afterMs / 2);
    expect(await statusOf(paid, 'settled')).toEqual(second?.outcome ?? { status: 'settled' });
  });

  it('ends nothing before its time, however often it is asked', async () => {
    const paid = payment('quote', accountEndingIn('005'));
    const taken = await rail.submit(paid, asked);
    const [arrives, returns] = [msLater(500), msLater(1_000)];
    for (now of [testStart, msLater(499)]) expect(await statusOf(paid, 'submitted')).toEqual(taken);
    now = arrives;
    const settled = { status: 'settled', checkAt: returns };
    expect(await statusOf(paid, 'submitted')).toEqual(settled);
    now = msLater(700);
    for (const recorded of ['submitted', 'settled', 'settled'] as const)
      expect(await statusOf(paid, recorded)).toEqual(settled);
    now = returns;
    expect(await statusOf(paid, 'settled')).toEqual({ status: 'returned', reason: 'OFFRAMP_FAILED' });
  });

  it('forgets the payments of a platform, and of no other', async () => {
    const paid = payment('quote', accountEndingIn('789'));
    const other = { ...paid, platformId: idOf('Platform', '00000000-0000-7000-8000-0000000000ff') };
    for (const one of [paid, other]) await rail.submit(one, asked);
    rail.forget(paid.platformId);
    expect(await statusOf(paid, 'begun')).toEqual({ status: 'unknown' });
    expect(await statusOf(other, 'begun')).toMatchObject({ status: 'accepted' });
  });

  it('answers the same when it is asked again', async () => {
    const [, , , paid] = cases[0] ?? [];
    if (paid) expect(await rail.submit(paid, asked)).toEqual(await rail.submit(paid, asked));
  });

  it('loses the refund of a payout that failed for good, and no other', async () => {
    const lost = new Set<string>();
    for (const [, key, , paid] of cases) {
      rail.forget(paid.platformId);
      const ending = await statusOf(paid, 'submitted');
      if (ending.status === 'failed' && ending.refundFails) lost.add(key);
    }
    expect(lost).toEqual(new Set(['007']));
  });

  it('lets a simulated payment from a customer here arrive', async () => {
    const paid = payment('incoming', at('$ada@pay.example'));
    expect(await rail.submit(paid, asked)).toMatchObject({ status: 'accepted', underway: true });
    now = msLater(500);
    expect(await statusOf(paid, 'submitted')).toEqual({ status: 'settled' });
  });

  it('reaches nobody at an address that it does not know', async () => {
    const paid = payment('quote', at('$ada@pay.example'));
    const ending = { status: 'failed', reason: 'PAY_REQUEST_FAILED', refundFails: false };
    expect(await rail.submit(paid, asked)).toEqual({ status: 'ended', ending });
    expect(await statusOf(paid, 'submitted')).toEqual(ending);
  });
});

describe('a receiver in the sandbox', () => {
  it.each([
    ['$success.usd', 'USD'],
    ['$success.eur', 'EUR'],
    ['$success.mxn', 'MXN'],
    ['$pending.long.usd', 'USD'],
    ['$fail.compliance.usd', 'USD'],
  ])('at %s takes %s and wants to know who pays', (name, currency) => {
    const found = rail.receiverAt(`${name}@${sandboxUmaDomain}`);
    expect(found?.currencies).toEqual([currency]);
    expect(found?.requiredPayerDataFields.filter(({ mandatory }) => mandatory)).toEqual([
      { name: 'FULL_NAME', mandatory: true },
    ]);
  });

  it('is nobody else', () => expect(rail.receiverAt('$ada@pay.example')).toBeUndefined());
});

describe('the check of a name', () => {
  const check = (suffix: string, beneficiary: object) =>
    rail.checkName(
      validAccountInfo('USD_ACCOUNT', { accountNumber: `1234567${suffix}`, beneficiary }),
      asked,
    );
  const ada = { beneficiaryType: 'INDIVIDUAL', fullName: 'Ada King Lovelace' };

  it.each([
    ['101', { status: 'MATCHED', fullName: 'Ada King Lovelace' }],
    ['102', { status: 'NOT_MATCHED' }],
    ['103', { status: 'PARTIAL_MATCH', fullName: 'A. King Lovelace' }],
    ['104', { status: 'PENDING' }],
    ['106', { status: 'UNSUPPORTED' }],
    ['107', { status: 'CHECKED_BY_RECEIVING_FI' }],
    ['108', { status: 'MATCHED', fullName: 'Ada King Lovelace' }],
    ['002', { status: 'MATCHED', fullName: 'Ada King Lovelace' }],
    ['789', { status: 'MATCHED', fullName: 'Ada King Lovelace' }],
  ])('of an account ending in %s is %j', async (suffix, result) => {
    expect(await check(suffix, ada)).toEqual(result);
  });

  it.each([
    [{ beneficiaryType: 'INDIVIDUAL', fullName: 'Plato' }, 'Plato.'],
    [{ beneficiaryType: 'BUSINESS', legalName: 'Analytical Engines Ltd' }, 'A. Engines Ltd'],
    [{ beneficiaryType: 'INDIVIDUAL', fullName: '𠮷田 太郎' }, '𠮷. 太郎'],
    [{ beneficiaryType: 'BUSINESS', legalName: '𠮷野家 株式会社' }, '𠮷. 株式会社'],
    [{ beneficiaryType: 'INDIVIDUAL', fullName: ' Ann  Smith' }, 'A. Smith'],
  ])('finds a close variant of %j: %s', async (beneficiary, fullName) => {
    expect(await check('103', beneficiary)).toEqual({ status: 'PARTIAL_MATCH', fullName });
  });

  it('tells no name where none was given', async () => {
    const anonymous = validAccountInfo('AED_ACCOUNT', { beneficiary: undefined });
    expect(await rail.checkName(anonymous, asked)).toEqual({ status: 'MATCHED' });
  });

  it.each([
    ['105', 'INVALID_BANK_ACCOUNT'],
    ['109', 'INTERNAL_ERROR'],
  ])('refuses an account ending in %s', async (suffix, code) => {
    await expect(check(suffix, ada)).rejects.toMatchObject({ code });
  });

  it('reads the part before the @ of an identifier', async () => {
    const info = validAccountInfo('INR_ACCOUNT', { vpa: 'ada.102@okbank109' });
    expect(await rail.checkName(info, asked)).toEqual({ status: 'NOT_MATCHED' });
  });

  it.each(['789', '102'])('is not made for a wallet (%s)', async (suffix) => {
    const info = validAccountInfo('SPARK_WALLET', {
      address: `spark1pgss8ydknsx2nqpzy3yqcv6hcvzsfa4vj${suffix}`,
    });
    expect(await rail.checkName(info, asked)).toBeUndefined();
  });
});
