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
import { questionsTo } from './questions.ts';

/** How often the screening tells what it has come to. */
export const screeningEveryMs = 3_000;
const waitMaxMs = 10_000;
/** Of a telling that nobody has answered. */
const answerMaxMs = 20_000;
/** A verification that nobody knows after so long was never begun. */
const unknownMaxMs = 60_000;

/** Who was shown for a customer, and how far the log went then. */
type Shown = { readonly customerId: string; readonly owners: readonly string[]; readonly at: bigint };
/** A verdict that was taken, and how far the log went when it was told. */
type ToldVerdict = {
  readonly verificationId: string;
  readonly verdict: Verdict;
  readonly from: bigint;
  readonly answer: Awaited<ReturnType<ScreeningReports['decided']>>;
};

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

type Letter = {
  readonly verificationId: string;
  readonly verdict: Verdict;
  at: number;
  readonly until: number;
};
type Reached = { readonly process: SimulatedProcess; readonly reports: ScreeningReports };
/** What is known of it at the end. */
export type OfScreening = Pick<ReturnType<typeof openScreening>, 'shown' | 'told' | 'findingOf'>;

type Deps = {
  readonly turns: Turns;
  readonly faults: Faults;
  readonly random: Random;
  readonly now: () => number;
  readonly logEnd: () => Promise<bigint>;
};

export function openScreening({ turns, faults, random, now, logEnd }: Deps) {
  const life = random.below(2 ** 30);
  const findingOf = (verificationId: string) => findingOfCustomer(life, verificationId);
  const shown: Shown[] = [];
  const told: ToldVerdict[] = [];
  const letters = new Set<Letter>();
  let reached: readonly Reached[] = [];

  const question = questionsTo('screening', { turns, faults, look: logEnd });
  const turn = callsOf(turns, 'screening', logEnd);
  const write = (verificationId: string, verdict: Verdict, afterMs: number): void => {
    const at = now() + afterMs;
    letters.add({ verificationId, verdict, at, until: at + unknownMaxMs });
  };
  const leaveOpen = (verificationId: string): void => {
    if ([...letters].some((letter) => letter.verificationId === verificationId)) return;
    const verdict = verdictOn(life, verificationId);
    const soon = random.below(waitMaxMs);
    write(verificationId, verdict, soon);
    if (faults.strikes('verdict told twice')) write(verificationId, verdict, soon + random.below(waitMaxMs));
    const other = verdict === 'APPROVED' ? 'REJECTED' : 'APPROVED';
    if (faults.strikes('other verdict told as well'))
      write(verificationId, other, soon + random.below(waitMaxMs));
  };
  const tell = async (letter: Letter): Promise<void> => {
    const { verificationId, verdict } = letter;
    letter.at = now() + answerMaxMs;
    const from = await turn();
    const found = random.pick(reached.filter(({ process }) => process.isAlive()));
    if (!found) return;
    const answer = await runAs(found.process, () =>
      found.reports.decided(verificationId, verdict).catch(() => undefined),
    );
    if (answer === undefined || (answer === 'unknown' && now() < letter.until)) return;
    letters.delete(letter);
    told.push({ verificationId, verdict, from, answer });
  };

  return {
    shown: shown as readonly Shown[],
    told: told as readonly ToldVerdict[],
    findingOf,
    of:
      (process: SimulatedProcess): OwnScreening =>
      (reports) => {
        reached = [...reached.filter((one) => one.process.isAlive()), { process, reports }];
        return {
          customer: ({ verificationId, customer: { customerId }, owners }) =>
            question({
              process,
              ask(at) {
                shown.push({ customerId, owners: owners.map((owner) => owner.beneficialOwnerId), at });
                const finding = findingOf(verificationId);
                if (finding === undefined || finding === 'PENDING') leaveOpen(verificationId);
                return finding;
              },
            }),
          owner: ({ personalInfo }: ScreenedOwner) =>
            question({ process, ask: () => findingOfOwner(personalInfo) }),
        };
      },
    /** What it does every now and then. */
    work(): void {
      for (const letter of letters) if (letter.at <= now()) void tell(letter);
    },
    isWaiting: (): boolean => letters.size > 0,
  };
}
