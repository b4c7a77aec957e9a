/** What platforms were told. */
import { isDeepStrictEqual } from 'node:util';
import type { DomainEvent } from '../../../../src/domain/aggregates.ts';
import type { Json } from '../../../support/http/client.ts';
import { promises } from '../acts/holdings.ts';
import { type Asked, decides, type Heard, platformNumbers } from '../client.ts';
import { credentialsOf } from '../installation.ts';
import type { OfRailService } from '../ports/elsewhere/rail-service.ts';
import type { Answer } from '../ports/network.ts';
import type { Rule } from './rules.ts';

const decided = ({ answers }: Asked): readonly Heard[] => answers.filter(decides);
const isDone = ({ status }: Answer): boolean => status < 300;
const about = ({ key, method, path }: Asked): string => `${method} ${path}${key ? ` under ${key}` : ''}`;

/** What a request of each kind makes at most once, whatever becomes of it. */
const effects: readonly (readonly [path: RegExp, type: DomainEvent['type']])[] = [
  [/\/transfer-(in|out)$/, 'TransferCreated'],
  [/\/quotes$/, 'QuoteCreated'],
  [/^\/customers$/, 'CustomerCreated'],
  [/^\/(customers|platform|agents\/me)\/external-accounts$/, 'ExternalAccountCreated'],
  [/^\/documents$/, 'DocumentUploaded'],
  [/\/fund$/, 'DepositReceived'],
];

/** Money that a rail has told of for an account, however often. */
const depositsBy = ({ arrivals }: OfRailService): number =>
  new Set(
    arrivals.flatMap(({ bankReference, whose }) =>
      whose.startsWith('InternalAccount:') ? [bankReference] : [],
    ),
  ).size;

/** What is answered with the id of what it has made. */
const made = /transfer|^\/(quotes|documents)$|^\/customers(\/external-accounts)?$/;

/** What is written of a secret, or of a person, in no line of a log. */
const secrets = [credentialsOf(0).clientSecret, credentialsOf(1).clientSecret, '1234567456', 'Ada Lovelace'];

const ofPromises = Object.fromEntries(
  promises.map((promise): [string, Rule] => [
    promise,
    function* ({ missed }) {
      for (const { rule, path } of missed) if (rule === promise) yield path;
    },
  ]),
);

export const ofTheInterface: Readonly<Record<string, Rule>> = {
  ...ofPromises,

  *'a key has one answer'({ asked, timelines }) {
    for (const one of asked.filter(({ key }) => key)) {
      // An agent that is gone is not let in, whatever it was told before.
      const all = decided(one).filter(({ status }) => status !== 401 || !one.bearer);
      // What was answered across a way back may be of either side.
      const eras = Map.groupBy(all, ({ from, to }) =>
        timelines.at(from) === timelines.at(to) ? timelines.at(from) : undefined,
      );
      for (const [era, [first, ...others]] of eras)
        for (const { status, body } of era ? others : [])
          if (status !== first?.status || !isDeepStrictEqual(body, first.body))
            yield `${about(one)}: ${first?.status} and ${status}`;
    }
  },

  *'a key has one effect'({ asked, finished, timelines, begins, bank, toldByRail }) {
    const seen = [...timelines.waysBack.map(({ position }) => timelines.at(position - 1n)), finished];
    for (const [path, type] of effects) {
      const keys = asked.filter((one) => one.method === 'POST' && path.test(one.path)).length;
      const others = type === 'DepositReceived' ? bank.arrived.length + depositsBy(toldByRail) : 0;
      for (const era of seen) {
        const there = era.filter((event) => event.position > begins && event.type === type).length;
        if (there > keys + others) yield `${there} of ${type} for ${keys} requests`;
      }
    }
  },

  *'two keys have two effects'({ asked }) {
    const ids = new Map<string, string>();
    for (const one of asked) {
      const [first] = decided(one).filter(isDone);
      if (one.method !== 'POST' || !made.test(one.path) || !first) continue;
      const { id } = first.body;
      const other = ids.get(id);
      if (other !== undefined) yield `${id} by ${about(one)} and ${other}`;
      ids.set(id, about(one));
    }
  },

  *'what was answered is in the log'({ asked, timelines }) {
    const goneAt = new Map<unknown, bigint | undefined>();
    for (const { id, data } of timelines.happened) {
      const gone = timelines.goneAt(id);
      for (const value of Object.values(data))
        if (!goneAt.has(value) || goneAt.get(value) !== undefined) goneAt.set(value, gone);
    }
    for (const one of asked) {
      if (one.method !== 'POST' || !made.test(one.path)) continue;
      for (const { body, from } of decided(one).filter(isDone)) {
        const gone = goneAt.get(body.id);
        // What a way back has taken is answered to nobody who asks afterwards.
        if (!goneAt.has(body.id) || (gone !== undefined && gone <= from))
          yield `${about(one)}: ${body.id}, gone at ${gone}, asked for at ${from}`;
      }
    }
  },

  *'nothing fails but for a while, and says so'({ asked }) {
    for (const one of asked)
      for (const { status, headers, body } of one.answers)
        if (status >= 500 && (status !== 503 || headers['retry-after'] === undefined))
          yield `${about(one)}: ${status} ${JSON.stringify(body)}`;
  },

  *'the interface says of each payment what the log says'({ seen, ended }) {
    const states = new Map(ended.map((payment) => [payment.terms.transactionId as string, payment.status]));
    for (const { path, answer } of seen) {
      const [, id] = /^\/transactions\/(.*)$/.exec(path) ?? [];
      const state = id !== undefined && states.get(id);
      const isThere = answer?.status !== 404;
      if (id !== undefined && (isThere || state) && answer?.body?.status !== state)
        yield `${id}: ${answer?.status} ${answer?.body?.status} for ${states.get(id)}`;
    }
  },

  *'the interface says of each account what its postings come to'({ seen, books }) {
    for (const { path, answer } of seen) {
      if (!path.includes('internal-accounts')) continue;
      if (answer?.status !== 200) yield `${path}: ${answer?.status}`;
      for (const { id, balance } of answer?.body?.data ?? []) {
        const minor = books.balances.get(`${id} ${balance.currency.code}`) ?? 0n;
        if (BigInt(balance.amount) !== minor) yield `${id}: ${balance.amount} for ${minor}`;
      }
    }
  },

  *'the console shows what the interface says'({ seen }) {
    // How far the log had come is another matter: it goes on with what concerns no account.
    const shown = (answer: Answer | undefined) => answer && { ...answer.body, asOf: undefined };
    for (const { path, answer, atDesk } of seen)
      if (path.includes('internal-accounts') && !isDeepStrictEqual(shown(atDesk), shown(answer)))
        yield `${path}: ${atDesk?.status} ${JSON.stringify(atDesk?.body)} for ${JSON.stringify(answer?.body)}`;
  },

  *'the pages of a list have everything once'({ seen, rows }) {
    const platforms = new Map(rows.transactions.map(({ id, platform_id }) => [id, platform_id]));
    for (const by of platformNumbers) {
      const pages = seen.filter((one) => one.by === by && one.path.startsWith('/transactions?'));
      const ids: string[] = pages.flatMap(({ answer }) =>
        (answer?.body?.data ?? []).map(({ id }: Json) => id),
      );
      const [platform] = ids.map((id) => platforms.get(id));
      const all = [...platforms].filter(([, of]) => of === platform);
      if (new Set(ids).size !== ids.length || (platform && ids.length !== all.length))
        yield `${ids.length} of ${all.length}, ${new Set(ids).size} of them once, for ${by}`;
      for (const { path, answer } of pages)
        if (answer?.body?.totalCount !== ids.length)
          yield `${path}: ${answer?.status}, ${answer?.body?.totalCount} of ${ids.length}`;
    }
  },

  *'no secret and no person is in a log'({ lines }) {
    for (const line of lines) {
      const text = JSON.stringify(line);
      for (const secret of secrets) if (text.includes(secret)) yield text.slice(0, 300);
    }
  },
};
