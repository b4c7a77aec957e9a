/** The entries of one account of the books, as the log has them. */

import type { Moments } from '../../../../domain/books/clocks.ts';
import {
  type Posting,
  postingsOf,
  type SystemAccount,
  systemAccounts,
} from '../../../../domain/books/postings.ts';
import { streamOf } from '../../../../domain/streams.ts';
import type { StoredEvent } from '../../../../infrastructure/event-store/event-store.ts';
import { type InternalAccountId, isId } from '../../../../kernel/ids.ts';
import { UsageError } from '../../usage-error.ts';
import { NotInLog } from './outcome.ts';
import { eventsOf, type ReadEvent, readable } from './reading.ts';
import type { StandingLog } from './standing.ts';

/** An internal account, or a system account of one platform in one currency. */
export type BookedAccount =
  | { readonly kind: 'internal'; readonly accountId: InternalAccountId }
  | {
      readonly kind: 'system';
      readonly account: SystemAccount;
      readonly platformId: string;
      readonly currency: string;
    };

export type Entry = {
  readonly position: bigint;
  readonly eventId: string;
  readonly type: string;
  readonly transactionId: string | undefined;
  readonly actor: string;
  readonly moments: Moments;
  readonly currency: string;
  /** Positive into the account. */
  readonly minor: bigint;
  /** What the account held after it, in the order of the log. */
  readonly balance: bigint;
};

/** What an account is named by on the command line. Throws `UsageError`, with what to do, for what names none. */
export function accountNamed(
  name: string,
  { platform, currency }: { readonly platform?: string | undefined; readonly currency?: string | undefined },
): BookedAccount {
  if (isId('InternalAccount', name)) return { kind: 'internal', accountId: name };
  const account = systemAccounts.find((one) => one === name);
  if (account === undefined)
    throw new UsageError(
      `${name} is no account: name an InternalAccount:<uuid>, or one of ${systemAccounts.join(', ')}.`,
    );
  if (platform === undefined || currency === undefined)
    throw new UsageError(
      `${account} is there once for each platform and currency: add --platform and --currency.`,
    );
  return { kind: 'system', account, platformId: platform, currency };
}

/**
 * In the order of the log. `contradictions` gets a line for each entry after which the account's own event says another
 * balance than its postings add up to. Throws `NotInLog` where there is no such account: a system account is there once
 * its platform has moved money of its currency.
 */
export async function* entriesOf(
  log: StandingLog,
  account: BookedAccount,
  contradictions: string[],
): AsyncGenerator<Entry, void, undefined> {
  let balance = 0n;
  let isThere = false;
  for await (const { event, position, moments } of sourceOf(log, account)) {
    isThere = true;
    for (const { minor, currency } of ownPostings(event, account)) {
      balance += minor;
      const { data, type, id: eventId, metadata } = event;
      const said = 'balanceAfter' in data && account.kind === 'internal' ? data.balanceAfter : balance;
      if (said !== balance && contradictions.length < toldMax)
        contradictions.push(
          `${type} ${eventId} at ${position} says a balance of ${said}; the entries come to ${balance}.`,
        );
      const transactionId = 'transactionId' in data ? data.transactionId : undefined;
      yield {
        position,
        eventId,
        type,
        transactionId,
        actor: metadata.actor,
        moments,
        currency,
        minor,
        balance,
      };
    }
  }
  if (isThere) return;
  if (account.kind === 'internal') throw new NotInLog(`There is no account ${account.accountId}.`);
  throw new NotInLog(`There is no ${account.platformId} in the log that has moved ${account.currency}.`);
}

const toldMax = 100;

/** That of an account, also of one without entries. Empty where there is no such account. */
export async function currencyOf(log: StandingLog, account: BookedAccount): Promise<string> {
  if (account.kind === 'system') return account.currency;
  const [opened] = await log.read(streamOf('account', account.accountId), 0, 1);
  return String(opened?.data.currency ?? '');
}

async function* sourceOf(
  log: StandingLog,
  account: BookedAccount,
): AsyncGenerator<ReadEvent, void, undefined> {
  if (account.kind === 'internal') yield* eventsOf(log, streamOf('account', account.accountId));
  else
    for await (const stored of log.events())
      if (stored.metadata.platformId === account.platformId && movesCurrency(stored, account.currency))
        yield readable(stored);
}

const movesCurrency = (event: StoredEvent, currency: string): boolean =>
  postingsOf(event).some((posting) => posting.currency === currency);

function ownPostings(event: ReadEvent['event'], account: BookedAccount): readonly Posting[] {
  return postingsOf(event).filter((posting) =>
    account.kind === 'internal'
      ? posting.account === account.accountId
      : posting.account === account.account && posting.currency === account.currency,
  );
}
