/** What an auditor finds who reads the log from its beginning and trusts nothing but the postings. */
import { expect } from 'vitest';
import type { DomainEvent } from '../../src/domain/aggregates.ts';
import { imbalance, postingsOf } from '../../src/domain/books/postings.ts';

export type Books = {
  /** Per guarded account and currency. */
  readonly balances: ReadonlyMap<string, bigint>;
  /** Per transaction and currency: what has left its source and not arrived anywhere; nothing that is zero. */
  readonly inFlight: ReadonlyMap<string, bigint>;
  /** The id of every entry. */
  readonly booked: ReadonlySet<string>;
};

/**
 * Reads the whole log and checks it at every position: balanced by itself and within each platform, no account below
 * zero, every entry booked once and by the platform that the account belongs to.
 */
export function audit(log: readonly DomainEvent[]): Books {
  const balances = new Map<string, bigint>();
  const inFlight = new Map<string, bigint>();
  const perPlatform = new Map<string, bigint>();
  const owners = new Map<string, string>();
  const booked = new Set<string>();
  for (const event of log) {
    if (event.type === 'AccountOpened') owners.set(event.data.accountId, event.data.platformId);
    const postings = postingsOf(event);
    if (postings.length === 0) continue;
    expect(imbalance(postings), `${event.type} at ${event.position}`).toEqual(new Map());
    for (const { account, minor, currency } of postings) {
      const owner = account.includes(':') ? owners.get(account) : event.metadata.platformId;
      add(perPlatform, `${owner} ${currency}`, minor);
      if (account.includes(':')) add(balances, `${account} ${currency}`, minor);
      if (account === 'in-flight') add(inFlight, `${transactionOf(event)} ${currency}`, minor);
    }
    expect(open(perPlatform), `after ${event.type} at ${event.position}`).toEqual(new Map());
    checkGuardedAccounts(event, balances, booked);
  }
  return { balances, inFlight: open(inFlight), booked };
}

const add = (sums: Map<string, bigint>, key: string, minor: bigint) =>
  sums.set(key, (sums.get(key) ?? 0n) + minor);

const open = (sums: ReadonlyMap<string, bigint>) => new Map([...sums].filter(([, minor]) => minor !== 0n));

const transactionOf = ({ data }: DomainEvent): string =>
  'transactionId' in data ? data.transactionId : 'nothing';

/** Only an account's own entries touch it; each one is booked once and tells the balance that the postings give. */
function checkGuardedAccounts(
  event: DomainEvent,
  balances: ReadonlyMap<string, bigint>,
  booked: Set<string>,
): void {
  const touched = postingsOf(event).filter(({ account }) => account.includes(':'));
  if (event.type !== 'AccountDebited' && event.type !== 'AccountCredited') {
    expect(touched).toEqual([]);
    return;
  }
  const { accountId, entryId, balanceAfter, amount } = event.data;
  expect(touched.map(({ account }) => account)).toEqual([accountId]);
  expect(balances.get(`${accountId} ${amount.currency}`)).toBe(balanceAfter);
  expect(balanceAfter).toBeGreaterThanOrEqual(0n);
  expect(booked.has(entryId), `${entryId} is booked twice`).toBe(false);
  booked.add(entryId);
}
