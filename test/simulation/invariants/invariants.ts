/** What is true of every life, whatever went wrong in it. */
import { allFaults } from '../faults.ts';
import { type Evidence, live, type Script } from '../life.ts';
import { ofAgents } from './agents.ts';
import { type Books, readBooks } from './books.ts';
import { ofTheLog } from './log.ts';
import { ofPayments } from './payments.ts';
import { ofTheRail } from './rail.ts';

/** What is known of a life, with the books of its log: as the last crash left them, after a worker's pass, at the end. */
export type Known = Evidence & {
  /** Of the log; `dense` where it is not said. */
  readonly positions?: 'dense' | 'growing';
  readonly booksLeft: Books;
  readonly booksRecovered: Books;
  readonly books: Books;
};

/** The ways in which a life breaks a rule: none where it is kept. */
export type Invariant = (known: Known) => Iterable<string>;

export type Violation = { readonly rule: string; readonly why: string };

const inTheBooks = (rule: Books['wrong'][number]['rule']): readonly [string, Invariant] => [
  rule,
  ({ books }) => books.wrong.flatMap((one) => (one.rule === rule ? [one.why] : [])),
];

const invariants: ReadonlyMap<string, Invariant> = new Map([
  inTheBooks('every event is balanced by itself'),
  inTheBooks('the trial balance of each platform is zero at every position'),
  inTheBooks('no guarded account is below zero'),
  inTheBooks('nothing but its own entries touches an account'),
  inTheBooks('an entry tells the balance that the postings give'),
  inTheBooks('an entry is booked once'),
  ...Object.entries(ofTheLog),
  ...Object.entries(ofPayments),
  ...Object.entries(ofTheRail),
  ...Object.entries(ofAgents),
]);

/** A life that does not come to its end breaks this one. */
const failsOnlyByFault = 'nothing fails but by a fault or a refusal';

export type Tried = { readonly violations: readonly Violation[]; readonly evidence: Evidence | undefined };

/** Lives a life and says which rules it breaks, with the first break of each. */
export async function tryOut(script: Script): Promise<Tried> {
  let evidence: Evidence | undefined;
  try {
    evidence = await live(script);
    return { violations: violationsIn(evidence), evidence };
  } catch (error) {
    const why = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    return { violations: [{ rule: failsOnlyByFault, why }], evidence };
  }
}

export const violationsOf = async (script: Script): Promise<readonly Violation[]> =>
  (await tryOut(script)).violations;

function violationsIn(evidence: Evidence): readonly Violation[] {
  const known: Known = {
    ...evidence,
    booksLeft: readBooks(evidence.left),
    booksRecovered: readBooks(evidence.recovered),
    books: readBooks(evidence.finished),
  };
  return [...invariants].flatMap(([rule, invariant]) => {
    const [why] = invariant(known);
    return why === undefined ? [] : [{ rule, why }];
  });
}

/** For making one shorter. */
export const livesOfCommands = { violationsOf, faults: allFaults, livesMax: 300 };
