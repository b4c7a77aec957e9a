/** The log itself, and who was promised what of it. */
import { isDeepStrictEqual } from 'node:util';
import { depositEntryId } from '../../../src/domain/payments/transaction.ts';
import { isStreamOf } from '../../../src/domain/streams.ts';
import { faultIn } from '../../support/resources/verify.ts';
import type { Invariant } from './invariants.ts';

export const ofTheLog: Readonly<Record<string, Invariant>> = {
  *'who has the log alone is convinced by its hashes'({ stored, positions }) {
    const fault = faultIn(stored, positions);
    if (fault) yield fault.message;
  },

  *'revisions of a stream follow each other, and positions grow'({ stored }) {
    const revisions = new Map<string, number>();
    let before = 0n;
    for (const { stream, revision, position } of stored) {
      const expected = (revisions.get(stream) ?? -1) + 1;
      if (revision !== expected) yield `${stream}: ${revision} after ${expected - 1}`;
      if (position <= before) yield `${stream}: ${position} after ${before}`;
      revisions.set(stream, revision);
      before = position;
    }
  },

  *'an event has an id of its own'({ stored }) {
    const ids = new Set<string>();
    for (const { id, stream } of stored) {
      if (ids.has(id)) yield `${id} in ${stream}`;
      ids.add(id);
    }
  },

  *'a stream is of one platform'({ stored }) {
    const owners = new Map<string, string>();
    for (const { stream, metadata, type } of stored) {
      // All of them that go back say so in one stream, which is the installation's.
      if (isStreamOf('restorations', stream)) continue;
      const owner = owners.get(stream) ?? metadata.platformId;
      if (owner !== metadata.platformId) yield `${type} of ${metadata.platformId} in ${stream} of ${owner}`;
      owners.set(stream, owner);
    }
  },

  *'an event is of the platform that it names'({ finished }) {
    for (const { type, data, metadata } of finished)
      if ('platformId' in data && data.platformId !== metadata.platformId)
        yield `${type} of ${data.platformId} by ${metadata.platformId}`;
  },

  *'what was answered is in the log'({ answered, booksLeft }) {
    for (const entryId of answered) if (!booksLeft.booked.has(entryId)) yield entryId;
  },

  *'nothing that was recorded is gone later'({ left, recovered, finished }) {
    for (const [n, { id }] of left.entries())
      if (recovered[n]?.id !== id || finished[n]?.id !== id) yield `event ${n}`;
  },

  *'a second pass of a worker finds nothing to do'({ addedAgain, recovered }) {
    if (addedAgain > 0) yield `${addedAgain} events after ${recovered.length}`;
  },

  *'what was asked for once is done once at most'({ asked, finished }) {
    const wanted = new Set(
      asked.flatMap(({ command }) =>
        command.type === 'CreditAccount' && command.purpose === 'deposit' ? [command.transactionId] : [],
      ),
    );
    const seen = new Set<string>();
    for (const event of finished) {
      if (event.type !== 'AccountCredited' || !event.data.deposit) continue;
      const { transactionId, entryId } = event.data;
      if (!wanted.has(transactionId)) yield `nobody asked for ${entryId}`;
      if (seen.has(transactionId)) yield `${entryId} of ${transactionId} is not the first`;
      if (entryId !== depositEntryId(transactionId)) yield `${entryId} of ${transactionId}`;
      seen.add(transactionId);
    }
  },

  *'what a process remembers is what the log says'({ remembered }) {
    for (const { stream, recalled, loaded } of remembered)
      if (!isDeepStrictEqual(facts(recalled), facts(loaded))) yield stream;
  },

  *'the state of an account has the balance of its postings'({ accounts, books }) {
    for (const [accountId, state] of accounts) {
      if (state.status === 'none') {
        yield `${accountId} is not there`;
        continue;
      }
      const balance = books.balances.get(`${accountId} ${state.currency}`) ?? 0n;
      if (state.balance !== balance) yield `${accountId}: ${state.balance} for ${balance}`;
    }
  },

  *'a deposit has its transaction'({ recovered }) {
    const told = new Set(
      recovered.flatMap((event) => (event.type === 'DepositReceived' ? [event.data.transactionId] : [])),
    );
    for (const event of recovered)
      if (event.type === 'AccountCredited' && event.data.deposit && !told.has(event.data.transactionId))
        yield event.data.transactionId;
  },

  *'a customer has one wallet'({ recovered }) {
    const wallets = recovered.flatMap((event) =>
      event.type === 'AccountOpened' && event.data.accountType === 'EMBEDDED_WALLET'
        ? [event.data.customerId]
        : [],
    );
    for (const event of recovered) {
      if (event.type !== 'CustomerCreated') continue;
      const { customerId } = event.data;
      const count = wallets.filter((holder) => holder === customerId).length;
      if (count !== 1) yield `${customerId}: ${count}`;
    }
  },
};

/** Of an account, what does not depend on how much of its history is in memory. */
const facts = (state: unknown): unknown =>
  typeof state === 'object' && state !== null && 'entries' in state
    ? { ...state, entries: undefined }
    : state;
