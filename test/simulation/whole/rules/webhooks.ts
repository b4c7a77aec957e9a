/** What the platforms' receivers were told. */
import { isDeepStrictEqual } from 'node:util';
import { isSentOnce } from '../../../../src/domain/webhooks/types.ts';
import { parseExactly } from '../../../../src/kernel/json.ts';
import { int64Max, smaller } from '../../../../src/kernel/money.ts';
import { erasedWord } from '../../../../src/kernel/personal.ts';
import type { Json } from '../../../support/http/client.ts';
import { readBooks } from '../../invariants/books.ts';
import { isReceiverOf } from '../acts/endpoints.ts';
import type { WebhookRow } from '../evidence/rows.ts';
import { endpointsIn } from './endpoints.ts';
import type { Known, Rule } from './rules.ts';

const rowsById = ({ rows }: Known): ReadonlyMap<string, WebhookRow> =>
  new Map(rows.webhooks.map((row) => [row.id, row]));

const about = ({ id, type, object_id, position }: WebhookRow): string =>
  `${type} ${id} of ${object_id} at ${position}`;

/** The last webhook that tells of a payment which has ended so. */
const told: Readonly<Record<string, RegExp>> = {
  COMPLETED: /\.(COMPLETED)$/,
  FAILED: /\.FAILED$/,
  REJECTED: /\.FAILED$/,
  EXPIRED: /\.(EXPIRED|FAILED)$/,
  REFUNDED: /\.(REFUND_COMPLETED|FAILED)$/,
};

/** Whether a body is another one without what it tells of a person, which was erased since. */
function isErasedOf(kept: string, sent: string): boolean {
  const same = (left: unknown, right: unknown): boolean => {
    if (left === erasedWord && typeof right === 'string') return true;
    if (typeof left !== 'object' || typeof right !== 'object' || !left || !right) return left === right;
    const [names, others] = [Object.keys(left), Object.keys(right)];
    return (
      isDeepStrictEqual(names, others) &&
      names.every((name) => same((left as Json)[name], (right as Json)[name]))
    );
  };
  return same(parseExactly(kept), (parseExactly(sent) as Json).data);
}

/** The end of any log. */
const last = 2n ** 63n;

/** So long after it a call is under way at most that was claimed before: it was late, and so was who keeps the read models. */
const underWayMaxMs = 45_000;

/** When a receiver was called first with the log as far as that: by then it had come so far. */
const firstSeen =
  ({ received }: Known) =>
  (position: bigint): number =>
    received.find(({ logEnd }) => logEnd >= position)?.at ?? Number.POSITIVE_INFINITY;

/**
 * Whether it was so when a receiver was called. What was called before a platform went back may come there afterwards, for as
 * long as a call is under way: then it was so before.
 */
function wasSo(known: Known, { at, logEnd }: Told, isSo: (then: Known) => boolean): boolean {
  const since = firstSeen(known);
  const before = known.timelines.waysBack.filter(
    ({ position }) => position <= logEnd && at - since(position) <= underWayMaxMs,
  );
  return [logEnd, ...before.map(({ position }) => position - 1n)].some((position) =>
    isSo(known.at(position)),
  );
}
type Told = Pick<Known['received'][number], 'at' | 'logEnd'>;

type Amount = { readonly amount: number | bigint; readonly currency: { readonly code: string } };

/** What an account has to credit yet. */
const heldIn = (finished: Known['finished'], id: string): bigint =>
  finished.reduce((sum, { type, data }) => {
    if (type === 'CreditHeld' && data.accountId === id) return sum + data.amount.minor;
    const isOver = type === 'AccountCredited' || type === 'CreditRefused';
    return isOver && data.accountId === id && data.held !== undefined ? sum - data.amount.minor : sum;
  }, 0n);

export const ofWebhooks: Readonly<Record<string, Rule>> = {
  *'every webhook comes to an end'({ rows }) {
    for (const row of rows.webhooks) if (row.state === 'PENDING') yield about(row);
  },

  *'only what is sent once is given up, and what waits when an endpoint is switched off'(known) {
    const { rows, finished, received } = known;
    const { cutoffAt } = endpointsIn(finished);
    const gone = new Set(received.flatMap(({ id, isGone }) => (isGone ? id : [])));
    for (const row of rows.webhooks) {
      const cutoff = cutoffAt(row.platform_id, last);
      const wasCut = row.state === 'CANCELLED' && cutoff !== undefined && BigInt(row.position) <= cutoff;
      const mayEnd = isSentOnce(row.type) || wasCut || gone.has(row.id);
      if (row.state !== 'DELIVERED' && !mayEnd) yield `${row.state} ${about(row)}`;
    }
  },

  *'without an endpoint nothing is kept to be told'({ rows, finished }) {
    const { isOnAt } = endpointsIn(finished);
    for (const row of rows.webhooks) if (!isOnAt(row.platform_id, BigInt(row.position))) yield about(row);
  },

  *'nothing from before an endpoint was switched off is told afterwards'(known) {
    const rows = rowsById(known);
    const since = firstSeen(known);
    for (const told of known.received) {
      const { id, at, logEnd, isSentAgain } = told;
      const row = rows.get(id);
      if (!row || isSentAgain) continue;
      const mayBe = (cutoff: bigint | undefined) =>
        cutoff === undefined || BigInt(row.position) >= cutoff || at - since(cutoff) <= underWayMaxMs;
      const cutoffIn = ({ finished }: Known) => endpointsIn(finished).cutoffAt(row.platform_id, logEnd);
      if (!wasSo(known, told, (then) => mayBe(cutoffIn(then))))
        yield `${about(row)}, switched off at ${cutoffIn(known)}`;
    }
  },

  *'nobody is told at an address that was left'(known) {
    const rows = rowsById(known);
    const since = firstSeen(known);
    for (const told of known.received) {
      const { id, at, logEnd, url } = told;
      const row = rows.get(id);
      if (!row) continue;
      const mayBe = (left: bigint | undefined) =>
        left === undefined || left > logEnd || at - since(left) <= underWayMaxMs;
      const leftIn = ({ finished }: Known) => endpointsIn(finished).leftAt(row.platform_id, url);
      if (!wasSo(known, told, (then) => mayBe(leftIn(then)))) yield `${about(row)} at ${url}`;
    }
  },

  *'what counts as delivered was taken'({ rows, received, begins }) {
    const taken = new Set(received.map(({ id }) => id));
    for (const row of rows.webhooks)
      if (row.state === 'DELIVERED' && BigInt(row.position) > begins && !taken.has(row.id)) yield about(row);
  },

  *'a webhook goes to its platform alone'(known) {
    const rows = rowsById(known);
    for (const told of known.received) {
      const { id, url } = told;
      const row = rows.get(id);
      // Of what a way back has taken there is no row any more.
      if (!row && !wasSo(known, told, ({ finished }) => finished !== known.finished))
        yield `${id} at ${url} is in no table`;
      const isOf = ({ finished }: Known) =>
        endpointsIn(finished)
          .addressesOf(row?.platform_id ?? '')
          .has(url);
      if (row && !wasSo(known, told, isOf)) yield `${about(row)} at ${url}`;
    }
  },

  *'a webhook names nothing of the other platform'({ received, holdings }) {
    for (const { url, body } of received) {
      const others = isReceiverOf(0, url) ? holdings[1] : holdings[0];
      for (const { id } of [...others.customers, ...others.external])
        if (body.includes(id)) yield `${id} at ${url}: ${body.slice(0, 200)}`;
    }
  },

  *'a webhook says the same each time'(known) {
    const rows = rowsById(known);
    for (const { id, body } of known.received) {
      const row = rows.get(id);
      if (row && !body.endsWith(`"data":${row.body}}`) && !isErasedOf(row.body, body)) yield about(row);
    }
  },

  *'webhooks of an object come in their order'(known) {
    const rows = rowsById(known);
    const last = new Map<string, WebhookRow>();
    const seen = new Set<string>();
    // What is sent again comes when it was asked for.
    for (const { id, isSentAgain } of known.received) {
      const row = rows.get(id);
      if (!row || isSentAgain || seen.has(id)) continue;
      seen.add(id);
      const before = last.get(`${row.platform_id} ${row.object_id}`);
      if (
        before &&
        (BigInt(before.position) > BigInt(row.position) ||
          (before.position === row.position && before.n > row.n))
      )
        yield `${about(row)} after ${about(before)}`;
      last.set(`${row.platform_id} ${row.object_id}`, row);
    }
  },

  *'a balance is told as it was at that position'({ rows, finished }) {
    for (const row of rows.webhooks) {
      if (row.type !== 'INTERNAL_ACCOUNT.BALANCE_UPDATED') continue;
      const { id, balance, totalBalance } = parseExactly(row.body) as Record<
        'balance' | 'totalBalance',
        Amount
      > & {
        id: string;
      };
      const until = finished.filter((event) => event.position <= BigInt(row.position));
      const { balances } = readBooks(until);
      const minor = balances.get(`${id} ${balance.currency.code}`) ?? 0n;
      if (BigInt(balance.amount) !== minor) yield `${about(row)}: ${balance.amount} for ${minor}`;
      const total = smaller(minor + heldIn(until, id), int64Max);
      if (BigInt(totalBalance.amount) !== total) yield `${about(row)}: ${totalBalance.amount} for ${total}`;
    }
  },

  *'a payment is told with the status that its webhook names'({ rows }) {
    for (const row of rows.webhooks) {
      const [, named] = /_PAYMENT\.(COMPLETED|PENDING|PROCESSING|EXPIRED)$/.exec(row.type) ?? [];
      if (named === undefined) continue;
      const { status } = parseExactly(row.body) as { status: string };
      if (status !== named) yield `${about(row)}: ${status}`;
    }
  },

  *'the end of a payment is told'({ rows, ended, finished }) {
    const { isOnAt } = endpointsIn(finished);
    const positions = Map.groupBy(finished, ({ stream }) => stream);
    const types = new Map<string, string[]>();
    for (const { object_id, type } of rows.webhooks)
      types.set(object_id, [...(types.get(object_id) ?? []), type]);
    for (const { terms, status, stage } of ended) {
      const all = types.get(terms.transactionId) ?? [];
      const isTold = all.some((type) => told[status]?.test(type));
      // While a platform has no endpoint it misses what happens.
      const wasOn = (positions.get(`transaction-${terms.transactionId.replace(/^.*:/, '')}`) ?? []).every(
        ({ position }) => isOnAt(terms.platformId, position),
      );
      if (told[status] && !isTold && wasOn)
        yield `${terms.transactionId} ${stage} ${status}: ${all.join(', ') || 'nothing'}`;
    }
  },
};
