/** Copies of the log, and what works on it: as they are when nothing waits any more. */
import type { Rule } from './rules.ts';

export const ofTheTables: Readonly<Record<string, Rule>> = {
  *'what is done comes to an end'({ isSettled }) {
    if (!isSettled) yield 'something waits for minutes';
  },

  *'a row of a payment says what the log says'({ rows, ended }) {
    const states = new Map(ended.map((payment) => [payment.terms.transactionId as string, payment]));
    for (const { id, status, platform_id } of rows.transactions) {
      const payment = states.get(id);
      if (payment?.status !== status || payment.terms.platformId !== platform_id)
        yield `${id}: ${status} of ${platform_id} for ${payment?.status} of ${payment?.terms.platformId}`;
    }
  },

  *'a payment has its row'({ rows, ended }) {
    const there = new Set(rows.transactions.map(({ id }) => id));
    for (const { terms, stage } of ended)
      if (!there.has(terms.transactionId) && stage !== 'quoted') yield terms.transactionId;
  },

  *'a row of an account has the balance of its postings'({ rows, books }) {
    for (const { id, balance, currency } of rows.balances) {
      const minor = books.balances.get(`${id} ${currency}`) ?? 0n;
      if (BigInt(balance) !== minor) yield `${id}: ${balance} for ${minor} ${currency}`;
    }
  },

  *'a closed account takes back what was its own, and moves nothing else'({ finished }) {
    const closed = new Set<string>();
    for (const { stream, type, data } of finished) {
      if (type === 'AccountStatusChanged' && data.status === 'CLOSED') closed.add(stream);
      if (!closed.has(stream)) continue;
      if (type === 'AccountDebited' || (type === 'AccountCredited' && data.purpose !== 'refund'))
        yield `${type} of ${data.transactionId} in ${stream}`;
    }
  },

  *'an account refuses a payment once it is closed, and not before'({ finished }) {
    const closed = new Set<string>();
    for (const { stream, type, data } of finished) {
      if (type === 'AccountStatusChanged' && data.status === 'CLOSED') closed.add(stream);
      if (type === 'CreditRefused' && !closed.has(stream)) yield `${data.transactionId} in ${stream}`;
    }
  },

  *'the ledger adds up to nothing in each currency'({ rows }) {
    const sums = new Map<string, bigint>();
    for (const { currency, minor } of rows.ledger)
      sums.set(currency, (sums.get(currency) ?? 0n) + BigInt(minor));
    for (const [currency, minor] of sums) if (minor !== 0n) yield `${minor} ${currency}`;
  },

  *'the ledger has what the postings of the log come to'({ rows, books }) {
    for (const { account, currency, minor } of rows.ledger) {
      if (!account.includes(':')) continue;
      const expected = books.balances.get(`${account} ${currency}`) ?? 0n;
      if (BigInt(minor) !== expected) yield `${account}: ${minor} for ${expected} ${currency}`;
    }
  },

  *'who was erased is in no table'({ rows }) {
    for (const row of rows.erased) yield row.slice(0, 400);
  },

  *'read models are what is built anew from the log'({ rebuilt, timelines }) {
    // Whoever reads the log after a way back has not seen how late it was by the clocks of what that has taken.
    const said = (row: string) =>
      timelines.waysBack.length > 0 ? row.replace(/"recorded_high": "[^"]*"/, '') : row;
    const times = Map.groupBy(rebuilt, (row) => said(row).slice(1));
    for (const [, [row = '', ...same]] of times) if (same.length === 0) yield row.slice(0, 400);
  },

  *'an auditor finds read models that are as the log has them'({ audited }) {
    yield* audited;
  },

  *'nothing is set aside'({ rows }) {
    for (const { consumer, stream, error } of rows.parked) yield `${consumer} ${stream}: ${error}`;
  },

  *'who follows the log is at its end'({ rows, stored }) {
    const last = stored.at(-1)?.position;
    for (const { name, position } of rows.checkpoints)
      if (['projections', 'policies'].includes(name) && BigInt(position) !== last)
        yield `${name} at ${position} of ${last}`;
  },
};
