/** The rail as a service that Daybook asks over HTTP, and that posts what becomes of payments to Daybook. */
import { createHash } from 'node:crypto';
import type {
  Ending,
  PaymentRail,
  RailPayment,
  RailStatus,
  Submission,
} from '../../../../../src/domain/ports/payment-rail.ts';
import type { RailReports } from '../../../../../src/domain/ports/rail-module.ts';
import type { httpRail } from '../../../../../src/outside/http-rail.ts';
import type { wirePayment } from '../../../../../src/outside/rail-wire.ts';
import { fateOf } from '../../../rail.ts';
import type { SimulatedProcess } from '../../engine/process.ts';
import { callsOf, type Turns } from '../../engine/turns.ts';
import { openLetters } from '../letters.ts';
import { questionsTo } from '../questions.ts';
import { rail as known } from './addresses.ts';
import type { Places } from './route.ts';
import { type AnswerAndOther, type Elsewhere, signedService } from './signed-service.ts';

const waitMaxMs = 10_000;

type Wired = ReturnType<typeof wirePayment>;
type Message =
  | { readonly type: 'payment.submit' | 'payment.status' | 'payment.withdraw'; readonly payment: Wired }
  | { readonly type: 'account.check' };

type Status = { readonly status: number };
/** What has become of a payment, as it was told. */
export type ToldEnding = { readonly paymentId: string; readonly ending: Ending };
/** Money that has come for an account. Minor units of USD. */
export type ToldArrival = {
  readonly account: string;
  readonly minor: bigint;
  readonly bankReference: string;
};

/** What it has told by itself, and the status that it was answered with in the end. */
export type OfRailService = {
  readonly endings: readonly (ToldEnding & Status)[];
  readonly arrivals: readonly (ToldArrival & Status)[];
  readonly complaints: readonly string[];
};

export type FarRail = OfRailService & {
  readonly places: Places;
  /** The rail of a process, but for accounts that no service is asked for. */
  readonly of: (reports: RailReports) => ReturnType<typeof httpRail>;
  readonly work: () => void;
  /** Somebody sends money, and names whom it is for. Minor units of USD. */
  readonly receive: (account: string, reference: string, minor: bigint) => void;
  /** As its operator has it do for who has lost what they were told. */
  readonly tellAgain: () => void;
  readonly isWaiting: () => boolean;
};

type Deps = Elsewhere & {
  readonly turns: Turns;
  /** That of the simulation of commands: it knows what it has taken, and what becomes of it. */
  readonly rail: PaymentRail;
  /** The connector of a process. */
  readonly connect: typeof httpRail;
};

/** What it posts; nothing of news is noted. */
type Letter = {
  readonly event: object;
  /** What would put the money into other hands. */
  readonly otherwise?: object;
  readonly of?: string;
  readonly note?: (told: Status) => void;
};

export function railService(deps: Deps): FarRail {
  const { turns, faults, random, now, newId, rail, connect } = deps;
  const endings: (ToldEnding & Status)[] = [];
  const arrivals: (ToldArrival & Status)[] = [];
  const taken = new Map<string, RailPayment['kind']>();
  const complaints: string[] = [];
  const complain = (why: string) => void complaints.push(why);
  const question = questionsTo('rail', { turns, faults, look: () => undefined });
  const turn = callsOf(turns, 'rail', () => undefined);
  const asked = { signal: new AbortController().signal };
  let received = 0;

  const letters = openLetters<Letter>({
    now,
    async tell({ event, otherwise, note }, isLast) {
      await turn();
      if (otherwise) await bother(otherwise);
      const status = await service.send(event);
      if (status === 400 || status === 401) complain(`${JSON.stringify(event)} is answered ${status}`);
      const isOver = status === 200 || status === 422 || (status === 404 && isLast());
      if (isOver) note?.({ status });
      return isOver;
    },
  });
  /** Posts what no process may take. */
  const bother = async (event: object): Promise<void> => {
    if (faults.strikes('event that the rail has not signed')) await service.sendUnsigned(event);
    if (faults.strikes('event that nobody can read'))
      await service.sendUnreadable({ ...event, ending: { status: 'paid' }, amount: '1' });
  };
  const write = (letter: Letter, afterMs: number): void => {
    letters.write(letter, afterMs);
    if (faults.strikes('event told twice')) letters.write(letter, random.below(waitMaxMs));
  };
  /** All that it will tell of a payment by itself. */
  const announce = (paymentId: string, kind: RailPayment['kind']): void => {
    taken.set(paymentId, kind);
    if (letters.has(({ of }) => of === paymentId)) return;
    const { ending, returned } = fateOf({ paymentId });
    const endingOf = (one: Ending): Letter => ({
      of: paymentId,
      event: { type: 'payment.ended', paymentId, ending: one },
      otherwise: { type: 'payment.ended', paymentId, ending: otherThan(one) },
      note: (status) => void endings.push({ paymentId, ending: one, ...status }),
    });
    write(endingOf(ending), random.below(waitMaxMs));
    // What has reached an account here stays there: nobody takes it back for the rail. It may come before what it follows.
    if (returned && !isPulled(kind)) write(endingOf(returned), random.below(2 * waitMaxMs));
    if (faults.strikes('news of a payment'))
      write({ event: { type: 'payment.news', paymentId } }, random.below(waitMaxMs));
  };
  const receive = (account: string, reference: string, minor: bigint): void => {
    const bankReference = `FAR${++received}`;
    const arrivalOf = (other: bigint) => ({
      type: 'money.arrived',
      bankReference,
      amount: { minor: String(other), currency: 'USD' },
      named: [`for ${reference}, thanks`],
    });
    const note = (status: Status) => void arrivals.push({ account, minor, bankReference, ...status });
    write({ event: arrivalOf(minor), otherwise: arrivalOf(minor + 1n), note }, random.below(waitMaxMs));
  };

  const submit = async (payment: RailPayment): Promise<Submission> => {
    const submission = await rail.submit(payment, asked);
    if (submission.status === 'accepted') announce(payment.paymentId, payment.kind);
    return submission;
  };
  const carryOut = async (message: Message): Promise<object> => {
    if (message.type === 'account.check') return { status: 'UNCHECKED' };
    const payment = paymentIn(message.payment);
    const said = await answerTo(message.type, payment);
    // What becomes of some payments it tells by itself alone.
    return tellsAlone(payment) ? { ...said, checkAt: undefined } : said;
  };
  const answerTo = async (type: Message['type'], payment: RailPayment): Promise<RailStatus> => {
    if (type === 'payment.withdraw') return rail.withdraw(payment, asked);
    if (type === 'payment.status') return rail.statusOf(payment, asked);
    const submission = await submit(payment);
    return submission.status === 'ended' ? submission.ending : submission;
  };
  const answer = async (process: SimulatedProcess, text: string): Promise<AnswerAndOther> => {
    const message = JSON.parse(text) as Message;
    const it = await question({ process, ask: () => carryOut(message) });
    return [it, otherThan(it as Ending)];
  };
  const service = signedService(deps, { ...known, party: 'rail', answer, unreadable, complain });
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const { url, places } = service;
  return {
    endings,
    arrivals,
    complaints,
    places,
    of: (reports) =>
      connect({ url, secret: known.secret }, { reports, newId, now: () => new Date(now()), log }),
    work: letters.work,
    receive,
    tellAgain() {
      for (const [paymentId, kind] of taken) announce(paymentId, kind);
    },
    isWaiting: letters.isWaiting,
  };
}

const isPulled = (kind: RailPayment['kind']): boolean => kind === 'transfer-in' || kind === 'incoming';

const tellsAlone = ({ paymentId }: RailPayment): boolean =>
  (createHash('sha256').update(`alone ${paymentId}`).digest()[0] ?? 0) < 80;

/** What would put the money into other hands. */
const otherThan = ({ status }: Pick<Ending, 'status'>): Ending =>
  status === 'settled' ? { status: 'rejected', reason: 'OFFRAMP_FAILED' } : { status: 'settled' };

/** As Daybook has it: the service knows no more of it than it was told. */
const paymentIn = ({ amount, counterparty, startedAt, ...payment }: Wired): RailPayment =>
  ({
    ...payment,
    amount: { ...amount, minor: BigInt(amount.minor) },
    counterparty: { kind: 'account', account: counterparty },
    startedAt: new Date(startedAt),
  }) as unknown as RailPayment;

const unreadable = [
  '',
  'settled',
  '{"status":"settled"',
  '{"status":"paid"}',
  '["settled"]',
  '{"status":"accepted"}',
  '<p>settled</p>',
];
