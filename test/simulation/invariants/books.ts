/** What an auditor finds who reads the log from its beginning and trusts nothing but the postings. */
import type { DomainEvent } from '../../../src/domain/aggregates.ts';
import { imbalance, postingsOf } from '../../../src/domain/books/postings.ts';

export type Books = {
  /** Per guarded account and currency. */
  readonly balances: ReadonlyMap<string, bigint>;
  /** Per transaction and currency: what has left its source and not arrived anywhere; nothing that is zero. */
  readonly inFlight: ReadonlyMap<string, bigint>;
  /** The id of every entry. */
  readonly booked: ReadonlySet<string>;
  /** What was wrong at some position, by rule. */
  readonly wrong: readonly Wrong[];
};

type Rule =
  | 'every event is balanced by itself'
  | 'the trial balance of each platform is zero at every position'
  | 'no guarded account is below zero'
  | 'nothing but its own entries touches an account'
  | 'an entry tells the balance that the postings give'
  | 'an entry is booked once';
export type Wrong = { readonly rule: Rule; readonly why: string };

type Entry = Extract<DomainEvent, { type: 'AccountDebited' | 'AccountCredited' }>;
const isEntry = (event: DomainEvent): event is Entry =>
  event.type === 'AccountDebited' || event.type === 'AccountCredited';

/** Reads the whole log and checks it at every position. */
export function readBooks(log: readonly DomainEvent[]): Books {
  const balances = new Map<string, bigint>();
  const inFlight = new Map<string, bigint>();
  const perPlatform = new Map<string, bigint>();
  const owners = new Map<string, string>();
  const booked = new Set<string>();
  const wrong: Wrong[] = [];
  for (const event of log) {
    if (event.type === 'AccountOpened') owners.set(event.data.accountId, event.data.platformId);
    const postings = postingsOf(event);
    if (postings.length === 0) continue;
    const tell = (rule: Rule, why: unknown) =>
      void wrong.push({ rule, why: `${event.type} at ${event.position}: ${why}` });
    for (const [currency, minor] of imbalance(postings))
      tell('every event is balanced by itself', `${minor} ${currency}`);
    for (const { account, minor, currency } of postings) {
      const owner = account.includes(':') ? owners.get(account) : event.metadata.platformId;
      add(perPlatform, `${owner} ${currency}`, minor);
      if (account.includes(':')) add(balances, `${account} ${currency}`, minor);
      if (account === 'in-flight') add(inFlight, `${transactionOf(event)} ${currency}`, minor);
    }
    for (const [account, minor] of open(perPlatform))
      tell('the trial balance of each platform is zero at every position', `${account} ${minor}`);
    const touched = postings.flatMap(({ account }) => (account.includes(':') ? [account] : []));
    const own = isEntry(event) ? event.data.accountId : undefined;
    if (touched.some((account) => account !== own))
      tell('nothing but its own entries touches an account', touched);
    if (isEntry(event)) checkEntry(event, balances, booked, tell);
  }
  return { balances, inFlight: open(inFlight), booked, wrong };
}

function checkEntry(
  { data: { accountId, entryId, balanceAfter, amount } }: Entry,
  balances: ReadonlyMap<string, bigint>,
  booked: Set<string>,
  tell: (rule: Rule, why: unknown) => void,
): void {
  const balance = balances.get(`${accountId} ${amount.currency}`) ?? 0n;
  if (balance < 0n) tell('no guarded account is below zero', balance);
  if (balance !== balanceAfter)
    tell('an entry tells the balance that the postings give', `${balanceAfter} for ${balance}`);
  if (booked.has(entryId)) tell('an entry is booked once', entryId);
  booked.add(entryId);
}

const add = (sums: Map<string, bigint>, key: string, minor: bigint) =>
  sums.set(key, (sums.get(key) ?? 0n) + minor);

const open = (sums: ReadonlyMap<string, bigint>) => new Map([...sums].filter(([, minor]) => minor !== 0n));

const transactionOf = ({ data }: DomainEvent): string =>
  'transactionId' in data ? data.transactionId : 'nothing';
