/** What is true of every life of a whole installation, whatever went wrong in it. */
import { account } from '../../../../src/domain/accounts/account.ts';
import type { Account } from '../../../../src/domain/accounts/state.ts';
import { agent } from '../../../../src/domain/agents/agent.ts';
import type { DomainEvent } from '../../../../src/domain/aggregates.ts';
import type { Transaction } from '../../../../src/domain/payments/life/progress.ts';
import { transaction } from '../../../../src/domain/payments/transaction.ts';
import { ofAgents } from '../../invariants/agents.ts';
import { readBooks } from '../../invariants/books.ts';
import type { Known as KnownOfCommands, Violation } from '../../invariants/invariants.ts';
import { ofTheLog } from '../../invariants/log.ts';
import { movesIn, ofPayments } from '../../invariants/payments.ts';
import { ofTheRail } from '../../invariants/rail.ts';
import type { KnownPayment } from '../../life.ts';
import { type Evidence, live, type Script } from '../life.ts';
import type { Server } from '../ports/database/postgres.ts';
import { ofTheAudience } from './audience.ts';
import { ofTheBank } from './bank.ts';
import { ofDocuments } from './documents.ts';
import { ofTheInterface } from './interface.ts';
import { ofKeyedRefusals } from './keyed-refusals.ts';
import { ofMails } from './mails.ts';
import { ofTheFarRail } from './rail.ts';
import { ofRefusals } from './refusals.ts';
import { ofReturns } from './returns.ts';
import { ofTheScreening } from './screening.ts';
import { statesIn } from './states.ts';
import { ofTheTables } from './tables.ts';
import { ofWebhooks } from './webhooks.ts';

/** What the log comes to. */
export type Known = Evidence & {
  readonly books: ReturnType<typeof readBooks>;
  readonly ended: readonly KnownPayment[];
  /** The same with the log as it was seen from the last way back before a position until the next one. */
  readonly at: (position: bigint) => Known;
};

/** Whether a way back has taken such an event. */
const hasLost = ({ happened, goneAt }: Known['timelines'], is: (event: DomainEvent) => boolean): boolean =>
  happened.some((event) => is(event) && goneAt(event.id) !== undefined);

/** Whether it was handed over before its platform went back, and not afterwards: its end is not what became of that. */
export function isTakenBack({ timelines, finished }: Known, { terms }: KnownPayment): boolean {
  const isOf = ({ data }: DomainEvent) =>
    'transactionId' in data && data.transactionId === terms.transactionId;
  return (
    timelines.waysBack.length > 0 &&
    hasLost(timelines, isOf) &&
    !finished.some((event) => isOf(event) && event.type === 'PaymentSubmitted')
  );
}

/** A rail that tells by itself does so once: of a return that it told before a way back nobody hears afterwards. */
function isReturnedBefore({ timelines, finished, toldByRail }: Known, { terms }: KnownPayment): boolean {
  const isReturn = ({ type, data }: DomainEvent) =>
    type === 'PaymentReturned' && data.transactionId === terms.transactionId;
  return (
    toldByRail.endings.some(({ paymentId }) => paymentId === terms.transactionId) &&
    hasLost(timelines, isReturn) &&
    !finished.some(isReturn)
  );
}

/** The ways in which a life breaks a rule: none where it is kept. */
export type Rule = (known: Known) => Iterable<string>;

/** Of the simulation of commands; the others need what is known there alone, or are kept in another way here. */
const shared = [
  'who has the log alone is convinced by its hashes',
  'revisions of a stream follow each other, and positions grow',
  'an event has an id of its own',
  'a stream is of one platform',
  'an event is of the platform that it names',
  'the state of an account has the balance of its postings',
  'a deposit has its transaction',
  'a customer has one wallet',
  ...Object.keys(ofPayments),
  ...Object.keys(ofTheRail),
  ...Object.keys(ofAgents),
] as const;

/** A rail has carried what it was told at any time: nothing is taken back there. */
const ofAnyTime: ReadonlySet<string> = new Set([
  'the rail carries nothing but payments of the log',
  'a payment is completed where the rail settled it, and nowhere else',
]);

const rules: ReadonlyMap<string, Rule> = new Map([
  ...Object.entries(ofTheInterface),
  ...Object.entries(ofTheTables),
  ...Object.entries(ofWebhooks),
  ...Object.entries(ofTheAudience),
  ...Object.entries(ofMails),
  ...Object.entries(ofTheBank),
  ...Object.entries(ofDocuments),
  ...Object.entries(ofTheFarRail),
  ...Object.entries(ofTheScreening),
  ...Object.entries(ofRefusals),
  ...Object.entries(ofKeyedRefusals),
  ...Object.entries(ofReturns),
]);

/** A life that does not come to its end breaks this one. */
const comesToAnEnd = 'a life comes to an end';

export type Tried = { readonly violations: readonly Violation[]; readonly evidence: Evidence | undefined };

/** Lives a life and says which rules it breaks, with the first break of each. */
export async function tryOut(server: Server, script: Script): Promise<Tried> {
  let evidence: Evidence | undefined;
  try {
    evidence = await live(server, script);
    return { violations: violationsIn(evidence), evidence };
  } catch (error) {
    const why = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { violations: [{ rule: comesToAnEnd, why }], evidence };
  }
}

function violationsIn(evidence: Evidence): readonly Violation[] {
  const { finished, rows, stored, positions, taken, timelines } = evidence;
  const known = knownOf(evidence);
  const { books, ended } = known;
  const waiting = rows.timers.map(({ kind, subject }) => `${kind} ${subject}`);
  const ofCommands = {
    ...{
      stored,
      positions,
      taken,
      finished,
      left: finished,
      recovered: finished,
      ended,
      underWay: ended,
      waiting,
    },
    ...{
      books,
      booksLeft: books,
      booksRecovered: books,
      accounts: accountsIn(evidence),
      agents: agentsIn(evidence),
    },
  } as unknown as KnownOfCommands;
  const ofAllTimes: KnownOfCommands = {
    ...ofCommands,
    finished: timelines.happened,
    ended: ended.filter((payment) => !isTakenBack(known, payment) && !isReturnedBefore(known, payment)),
  };
  const told = ({ wrong }: Known['books']) => wrong.map(({ rule, why }) => ({ rule, why }));
  const firstOf = (rule: string, all: Iterable<string>): readonly Violation[] => {
    const [why] = all;
    return why === undefined ? [] : [{ rule, why }];
  };
  const all = { ...ofTheLog, ...ofPayments, ...ofTheRail, ...ofAgents };
  return [
    ...told(books).slice(0, 1),
    ...shared.flatMap((rule) =>
      firstOf(rule, all[rule]?.(ofAnyTime.has(rule) ? ofAllTimes : ofCommands) ?? ['there is no such rule']),
    ),
    ...[...rules].flatMap(([rule, broken]) => firstOf(rule, broken(known))),
  ];
}

function knownOf(evidence: Evidence): Known {
  const { timelines } = evidence;
  const eras = new Map<Evidence['finished'], Known>();
  const at = (position: bigint): Known => {
    const finished = timelines.at(position);
    const known = eras.get(finished) ?? make(finished);
    eras.set(finished, known);
    return known;
  };
  const make = (finished: Evidence['finished']): Known => ({
    ...evidence,
    finished,
    books: readBooks(finished),
    ended: endsIn({ finished }),
    at,
  });
  return at(evidence.stored.at(-1)?.position ?? 0n);
}

/** Every payment of the log as it ended. */
export function endsIn({ finished }: Pick<Evidence, 'finished'>): readonly KnownPayment[] {
  const states = new Map<string, Transaction>();
  for (const { before, event } of movesIn(finished))
    states.set(event.stream, transaction.evolve(before, event as Parameters<typeof transaction.evolve>[1]));
  return [...states.values()].flatMap((state) => (state.stage === 'none' ? [] : [state]));
}

const agentsIn = (evidence: Evidence) =>
  [...statesIn(evidence, 'agent', agent).values()].flatMap((state) => ('usage' in state ? [state] : []));

function accountsIn(evidence: Evidence): ReadonlyMap<string, Account> {
  const { finished } = evidence;
  const states = statesIn(evidence, 'account', account);
  return new Map(
    finished.flatMap((event) => {
      const state = states.get(event.stream);
      return event.type === 'AccountOpened' && state ? [[event.data.accountId as string, state]] : [];
    }),
  );
}
