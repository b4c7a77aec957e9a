/** What is true of every life of a whole installation, whatever went wrong in it. */
import { account } from '../../../../src/domain/accounts/account.ts';
import type { Account } from '../../../../src/domain/accounts/state.ts';
import { agent } from '../../../../src/domain/agents/agent.ts';
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
import type { Server } from '../ports/postgres.ts';
import { ofTheBank } from './bank.ts';
import { ofDocuments } from './documents.ts';
import { ofTheInterface } from './interface.ts';
import { ofMails } from './mails.ts';
import { ofRefusals } from './refusals.ts';
import { ofTheScreening } from './screening.ts';
import { statesIn } from './states.ts';
import { ofTheTables } from './tables.ts';
import { ofWebhooks } from './webhooks.ts';

/** What the log comes to. */
export type Known = Evidence & {
  readonly books: ReturnType<typeof readBooks>;
  readonly ended: readonly KnownPayment[];
};

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

const rules: ReadonlyMap<string, Rule> = new Map([
  ...Object.entries(ofTheInterface),
  ...Object.entries(ofTheTables),
  ...Object.entries(ofWebhooks),
  ...Object.entries(ofMails),
  ...Object.entries(ofTheBank),
  ...Object.entries(ofDocuments),
  ...Object.entries(ofTheScreening),
  ...Object.entries(ofRefusals),
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
  const { finished, rows, stored, taken } = evidence;
  const books = readBooks(finished);
  const ended = endsIn(evidence);
  const known: Known = { ...evidence, books, ended };
  const waiting = rows.timers.map(({ kind, subject }) => `${kind} ${subject}`);
  const ofCommands = {
    ...{ stored, taken, finished, left: finished, recovered: finished, ended, underWay: ended, waiting },
    ...{
      books,
      booksLeft: books,
      booksRecovered: books,
      accounts: accountsIn(evidence),
      agents: agentsIn(evidence),
    },
  } as unknown as KnownOfCommands;
  const told = ({ wrong }: Known['books']) => wrong.map(({ rule, why }) => ({ rule, why }));
  const firstOf = (rule: string, all: Iterable<string>): readonly Violation[] => {
    const [why] = all;
    return why === undefined ? [] : [{ rule, why }];
  };
  const all = { ...ofTheLog, ...ofPayments, ...ofTheRail, ...ofAgents };
  return [
    ...told(books).slice(0, 1),
    ...shared.flatMap((rule) => firstOf(rule, all[rule]?.(ofCommands) ?? ['there is no such rule'])),
    ...[...rules].flatMap(([rule, broken]) => firstOf(rule, broken(known))),
  ];
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
