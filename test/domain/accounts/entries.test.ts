import { describe, expect, it } from 'vitest';
import { account } from '../../../src/domain/accounts/account.ts';
import { int64Max } from '../../../src/kernel/money.ts';
import {
  accountCredited,
  accountDebited,
  accountOpened,
  accountPaid,
  accountRefunded,
  arrival,
  debit,
  deposit,
  holding,
  refund,
} from '../../support/builders/accounts.ts';
import { accountId } from '../../support/builders/identities.ts';
import { eur, usd } from '../../support/builders/money.ts';
import { specFor, stateOf } from '../../support/builders/spec.ts';
import { quoteTerms, transferOut } from '../../support/builders/terms.ts';
import { msLater } from '../../support/time/clock.ts';

const given = specFor(account);

describe('a debit', () => {
  it('takes from the balance, with its counterpart in flight', () => {
    const postings = [
      { account: accountId, minor: -100_00n, currency: 'USD' },
      { account: 'in-flight' as const, minor: 100_00n, currency: 'USD' },
    ];
    const debited = accountDebited({ balanceAfter: 50_00n, postings });
    given(...holding(150_00n))
      .when(debit())
      .then(debited);
  });

  it('may take everything', () =>
    given(...holding(100_00n))
      .when(debit())
      .then(accountDebited({ balanceAfter: 0n })));

  it.each([
    { kind: 'quote', terms: quoteTerms() } as const,
    { kind: 'transfer', terms: transferOut() } as const,
  ])('carries the $kind that it opens, to the last word', (opens) =>
    given(...holding(150_00n))
      .when(debit({ opens }))
      .then(accountDebited({ opens })),
  );

  it('is refused when the balance is one cent short', () =>
    given(...holding(99_99n))
      .when(debit())
      .thenRejected('INSUFFICIENT_BALANCE', {
        accountId,
        currency: 'USD',
        balance: 99_99n,
        required: 100_00n,
      }));

  it('is refused on an empty account', () =>
    given(accountOpened()).when(debit()).thenRejected('INSUFFICIENT_BALANCE'));

  it('does not count money that has left already', () =>
    given(...holding(150_00n), accountDebited())
      .when(debit({ entryId: 'entry-2' }))
      .thenRejected('INSUFFICIENT_BALANCE'));
});

describe('a credit', () => {
  it('of a deposit comes from the rail', () => {
    const postings = [
      { account: 'rail' as const, minor: -100_00n, currency: 'USD' },
      { account: accountId, minor: 100_00n, currency: 'USD' },
    ];
    given(accountOpened()).when(deposit()).then(accountCredited({ postings }));
  });

  it('of a refund comes from what is in flight', () =>
    given(accountOpened()).when(refund()).then(accountRefunded()));

  it('of a payment comes from where the payment has it', () => {
    const ready = [
      { account: 'in-flight' as const, minor: -100_00n, currency: 'USD' },
      { account: accountId, minor: 100_00n, currency: 'USD' },
    ];
    given(accountOpened()).when(arrival()).then(accountPaid());
    given(accountOpened())
      .when({ ...arrival(), from: 'in-flight' })
      .then(accountPaid({ postings: ready }));
  });

  it('adds to the balance', () =>
    given(...holding(1n))
      .when(deposit())
      .then(accountCredited({ balanceAfter: 100_01n })));

  it("names nobody where the account is the platform's", () =>
    given(accountOpened({ customerId: null }))
      .when(deposit())
      .then(accountCredited({ customerId: null })));

  it('may fill the account up to the largest amount of the interface', () =>
    given(...holding(int64Max - 1n))
      .when(deposit({ amount: usd(1n) }))
      .then(accountCredited({ amount: usd(1n), balanceAfter: int64Max })));

  it('of a deposit is refused beyond that', () =>
    given(...holding(int64Max))
      .when(deposit({ amount: usd(1n) }))
      .thenRejected('AMOUNT_OUT_OF_RANGE'));
});

describe('an entry', () => {
  const booked = [...holding(100_00n), accountDebited({ balanceAfter: 0n })];

  it.each([
    debit(),
    debit({ amount: usd(1n), requestedBy: 'request-2', at: msLater(1) }),
    refund(),
    deposit(),
    arrival(),
  ])('is booked once, however its id is used again: $type ($purpose)', (again) =>
    given(...booked)
      .when(again)
      .thenNothing(),
  );

  it('is a repeat even when the balance would not cover it any more', () =>
    given(...booked)
      .when(debit())
      .thenNothing());

  it('is no repeat when it was refused before', () =>
    given(accountOpened(), accountCredited({ entryId: 'first' }))
      .when(debit())
      .then(accountDebited({ balanceAfter: 0n })));

  it('is remembered with the request that booked it', () => {
    const state = stateOf(account, ...booked);
    const entries = state.status === 'none' ? undefined : state.entries;
    expect(['first', 'entry-1', 'entry-2'].map((id) => entries?.get(id))).toEqual([
      'request-1',
      'request-1',
      undefined,
    ]);
  });

  it.each([0n, -1n])('of %s cannot be', (minor) => {
    for (const entry of [debit, deposit, refund, arrival])
      given(...holding(1n))
        .when(entry({ amount: usd(minor) }))
        .thenImpossible();
  });

  it('in another currency cannot be', () => {
    for (const entry of [debit, deposit, refund, arrival])
      given(...holding(1n))
        .when(entry({ amount: eur(1n) }))
        .thenImpossible();
  });
});
