/**
 * Who checks customers and owners for an installation. What a check comes to follows from who is checked; where it takes
 * longer, the verdict is told later, until somebody says that it is recorded.
 */
import { createHash } from 'node:crypto';
import type { OwnScreening } from '../../../../src/app/parts/screening.ts';
import type {
  Finding,
  ScreenedOwner,
  ScreeningReports,
  Verdict,
} from '../../../../src/domain/ports/screening.ts';
import type { PersonalInfo } from '../../../../src/domain/verification/personal-info.ts';
import type { Random } from '../../random.ts';
import { runAs, type SimulatedProcess } from '../engine/process.ts';
import { callsOf, type Turns } from '../engine/turns.ts';
import type { Faults } from '../faults.ts';
import type { Places } from './elsewhere/route.ts';
import { openLetters } from './letters.ts';
import { questionsTo } from './questions.ts';

const waitMaxMs = 10_000;

/** Who was shown for a customer, and how far the log went then. */
type Shown = { readonly customerId: string; readonly owners: readonly string[]; readonly at: bigint };
/** A verdict that was taken, and how far the log went when it was told. */
type ToldVerdict = {
  readonly verificationId: string;
  readonly verdict: Verdict;
  readonly from: bigint;
  /** And when it was told the first time, whether that came to anything or not. */
  readonly first: bigint;
  readonly answer: AnswerToVerdict;
};
/** `decided` where it is not said by which verdict. */
export type AnswerToVerdict = Awaited<ReturnType<ScreeningReports['decided']>> | 'decided';

const diceOf = (text: string): number => createHash('sha256').update(text).digest()[0] ?? 0;

const findingBy = (dice: number): Finding => {
  if (dice < 110) return 'APPROVED';
  return dice < 170 ? 'REJECTED' : 'PENDING';
};

/** What the check of an owner comes to. */
export const findingOfOwner = ({
  firstName,
  lastName,
}: Pick<PersonalInfo, 'firstName' | 'lastName'>): Finding => findingBy(diceOf(`${firstName} ${lastName}`));

/** What the check of a customer comes to at once; nothing where it goes on. Lives begin with the same customers. */
function findingOfCustomer(life: number, verificationId: string): Finding | undefined {
  const dice = diceOf(`${life} ${verificationId}`);
  return dice % 3 === 0 ? undefined : findingBy(dice);
}

/** And later, where it was left open. */
const verdictOn = (life: number, verificationId: string): Verdict =>
  diceOf(`${life} later ${verificationId}`) < 128 ? 'APPROVED' : 'REJECTED';

type Letter = { readonly verificationId: string; readonly verdict: Verdict };
/** Where the screening does its work. */
export type Desk = {
  /** What it finds of a customer that it is shown. */
  readonly customer: (verificationId: string, shown: Shown) => Finding | undefined;
  /** On its way there and back all goes wrong that can. */
  readonly question: ReturnType<typeof questionsTo<bigint>>;
  /** Writes down what nobody may do. */
  readonly complain: (why: string) => void;
};
/** How the screening and the processes come to each other. */
export type Way = {
  /** Where it is, if it is asked over a network; nothing otherwise. */
  readonly places: Places;
  readonly of: (process: SimulatedProcess) => OwnScreening;
  /** Tells one of the processes. Nothing comes back where nobody has answered. */
  readonly tell: (verificationId: string, verdict: Verdict) => Promise<AnswerToVerdict | undefined>;
};
/** What is known of it at the end. */
export type OfScreening = Pick<
  ReturnType<typeof openScreening>,
  'shown' | 'told' | 'findingOf' | 'complaints'
>;

type Deps = {
  readonly turns: Turns;
  readonly faults: Faults;
  readonly random: Random;
  readonly now: () => number;
  readonly logEnd: () => Promise<bigint>;
  /** In the process itself where it is not said. */
  readonly wayOf?: ((desk: Desk) => Way) | undefined;
};

export function openScreening({ turns, faults, random, now, logEnd, wayOf = inTheProcess(random) }: Deps) {
  const life = random.below(2 ** 30);
  const findingOf = (verificationId: string) => findingOfCustomer(life, verificationId);
  const shown: Shown[] = [];
  const told: ToldVerdict[] = [];
  const firstTold = new Map<string, bigint>();
  const complaints: string[] = [];

  const question = questionsTo('screening', { turns, faults, look: logEnd });
  const turn = callsOf(turns, 'screening', logEnd);
  const letters = openLetters<Letter>({
    now,
    async tell({ verificationId, verdict }, isLast) {
      const from = await turn();
      const said = `${verificationId} ${verdict}`;
      const first = firstTold.get(said) ?? from;
      firstTold.set(said, first);
      const answer = await way.tell(verificationId, verdict);
      // A verification that nobody knows after so long was never begun.
      if (answer === undefined || (answer === 'unknown' && !isLast())) return false;
      told.push({ verificationId, verdict, from, first, answer });
      return true;
    },
  });
  const leaveOpen = (verificationId: string): void => {
    if (letters.has((letter) => letter.verificationId === verificationId)) return;
    const verdict = verdictOn(life, verificationId);
    const soon = random.below(waitMaxMs);
    letters.write({ verificationId, verdict }, soon);
    if (faults.strikes('verdict told twice'))
      letters.write({ verificationId, verdict }, soon + random.below(waitMaxMs));
    const other = verdict === 'APPROVED' ? 'REJECTED' : 'APPROVED';
    if (faults.strikes('other verdict told as well'))
      letters.write({ verificationId, verdict: other }, soon + random.below(waitMaxMs));
  };
  const way = wayOf({
    question,
    customer(verificationId, one) {
      shown.push(one);
      const finding = findingOf(verificationId);
      if (finding === undefined || finding === 'PENDING') leaveOpen(verificationId);
      return finding;
    },
    complain: (why) => void complaints.push(why),
  });

  return {
    shown: shown as readonly Shown[],
    told: told as readonly ToldVerdict[],
    complaints: complaints as readonly string[],
    findingOf,
    places: way.places,
    of: way.of,
    work: letters.work,
    isWaiting: letters.isWaiting,
  };
}

type Reached = { readonly process: SimulatedProcess; readonly reports: ScreeningReports };

/** At the port of the service. */
const inTheProcess =
  (random: Random) =>
  ({ question, customer }: Desk): Way => {
    let reached: readonly Reached[] = [];
    return {
      places: new Map(),
      of: (process) => (reports) => {
        reached = [...reached.filter((one) => one.process.isAlive()), { process, reports }];
        return {
          customer: ({ verificationId, customer: { customerId }, owners }) =>
            question({
              process,
              ask: (at) =>
                customer(verificationId, {
                  customerId,
                  owners: owners.map((owner) => owner.beneficialOwnerId),
                  at,
                }),
            }),
          owner: ({ personalInfo }: ScreenedOwner) =>
            question({ process, ask: () => findingOfOwner(personalInfo) }),
        };
      },
      async tell(verificationId, verdict) {
        const found = random.pick(reached.filter(({ process }) => process.isAlive()));
        return (
          found &&
          runAs(found.process, () => found.reports.decided(verificationId, verdict).catch(() => undefined))
        );
      },
    };
  };
