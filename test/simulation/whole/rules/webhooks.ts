/** What the platforms' receivers were told. */
import { isDeepStrictEqual } from 'node:util';
import { isSentOnce } from '../../../../src/domain/webhooks/types.ts';
import { parseExactly } from '../../../../src/kernel/json.ts';
import { erasedWord } from '../../../../src/kernel/personal.ts';
import type { Json } from '../../../support/client.ts';
import { readBooks } from '../../invariants/books.ts';
import type { WebhookRow } from '../rows.ts';
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

export const ofWebhooks: Readonly<Record<string, Rule>> = {
  *'every webhook comes to an end'({ rows }) {
    for (const row of rows.webhooks) if (row.state === 'PENDING') yield about(row);
  },

  *'only what is sent once is given up'({ rows }) {
    for (const row of rows.webhooks)
      if (row.state !== 'DELIVERED' && !isSentOnce(row.type)) yield `${row.state} ${about(row)}`;
  },

  *'what counts as delivered was taken'({ rows, received, begins }) {
    const taken = new Set(received.map(({ id }) => id));
    for (const row of rows.webhooks)
      if (row.state === 'DELIVERED' && BigInt(row.position) > begins && !taken.has(row.id)) yield about(row);
  },

  *'a webhook goes to its platform alone'(known) {
    const rows = rowsById(known);
    for (const { id, url } of known.received) {
      const row = rows.get(id);
      if (!row) yield `${id} at ${url} is in no table`;
      else if (row.url !== url) yield `${about(row)} at ${url}`;
    }
  },

  *'a webhook names nothing of the other platform'({ received, holdings }) {
    for (const { url, body } of received) {
      const others = url.includes('platform-0') ? holdings[1] : holdings[0];
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
      const { id, balance } = parseExactly(row.body) as {
        id: string;
        balance: { amount: number | bigint; currency: { code: string } };
      };
      const position = BigInt(row.position);
      const { balances } = readBooks(finished.filter((event) => event.position <= position));
      const minor = balances.get(`${id} ${balance.currency.code}`) ?? 0n;
      if (BigInt(balance.amount) !== minor) yield `${about(row)}: ${balance.amount} for ${minor}`;
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

  *'the end of a payment is told'({ rows, ended }) {
    const types = new Map<string, string[]>();
    for (const { object_id, type } of rows.webhooks)
      types.set(object_id, [...(types.get(object_id) ?? []), type]);
    for (const { terms, status, stage } of ended) {
      const all = types.get(terms.transactionId) ?? [];
      const isTold = all.some((type) => told[status]?.test(type));
      if (told[status] && !isTold)
        yield `${terms.transactionId} ${stage} ${status}: ${all.join(', ') || 'nothing'}`;
    }
  },
};
