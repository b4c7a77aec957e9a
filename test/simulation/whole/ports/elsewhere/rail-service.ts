/** The rail as a service that Daybook asks over HTTP, and that posts what becomes of payments to Daybook. */
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
import { quietLog } from '../../../../support/rails/rail-modules.ts';
import type { SimulatedProcess } from '../../engine/process.ts';
import type { Turns } from '../../engine/turns.ts';
import { questionsTo } from '../questions.ts';
import { rail as known } from './addresses.ts';
import { eventsOfRail, type OfRailEvents, oppositeOf, wayOfTelling } from './rail-events.ts';
import { type AnswerAndOther, type Elsewhere, signedService } from './signed-service.ts';

type Wired = ReturnType<typeof wirePayment>;
type Message =
  | { readonly type: 'payment.submit' | 'payment.status' | 'payment.withdraw'; readonly payment: Wired }
  | { readonly type: 'account.check' };

/** What is known of it at the end. */
export type OfRailService = OfRailEvents & { readonly complaints: readonly string[] };
export type FarRail = ReturnType<typeof railService>;

type Deps = Elsewhere & {
  readonly turns: Turns;
  /** That of the simulation of commands: it knows what it has taken, and what becomes of it. */
  readonly rail: PaymentRail;
  /** The connector of a process. */
  readonly connect: typeof httpRail;
};

export function railService(deps: Deps) {
  const { turns, faults, now, newId, rail, connect } = deps;
  const complaints: string[] = [];
  const complain = (why: string) => void complaints.push(why);
  const question = questionsTo('rail', { turns, faults, look: () => undefined });
  const asked = { signal: new AbortController().signal };
  const submit = async (payment: RailPayment): Promise<Submission> => {
    const submission = await rail.submit(payment, asked);
    if (submission.status === 'accepted') events.announce(payment.paymentId, payment.kind);
    return submission;
  };
  const carryOut = async (message: Message): Promise<object> => {
    if (message.type === 'account.check') return { status: 'UNCHECKED' };
    const payment = paymentIn(message.payment);
    const said = await answerTo(message.type, payment);
    // What becomes of some payments it tells by itself alone.
    return wayOfTelling(payment) === 'both' ? said : { ...said, checkAt: undefined };
  };
  const answerTo = async (type: Message['type'], payment: RailPayment): Promise<RailStatus> => {
    if (type === 'payment.withdraw') return rail.withdraw(asItIs(payment), asked);
    if (type === 'payment.status') return rail.statusOf(asItIs(payment), asked);
    const submission = await submit(payment);
    return submission.status === 'ended' ? submission.ending : submission;
  };
  /** What has ended is not what it was when it was taken, whatever Daybook has recorded. */
  const asItIs = (payment: RailPayment): RailPayment =>
    payment.recorded === 'begun' && events.isOver(payment.paymentId)
      ? { ...payment, recorded: 'submitted' }
      : payment;
  const answer = async (process: SimulatedProcess, text: string): Promise<AnswerAndOther> => {
    const message = JSON.parse(text) as Message;
    const it = await question({ process, ask: () => carryOut(message) });
    return [it, oppositeOf(it as Ending)];
  };
  const service = signedService(deps, { ...known, party: 'rail', answer, unreadable, complain });
  const events = eventsOfRail({ ...deps, service, complain });
  const { url, places } = service;
  return {
    ...events,
    complaints: complaints as OfRailService['complaints'],
    places,
    /** The rail of a process, but for accounts that no service is asked for. */
    of: (reports: RailReports) =>
      connect({ url, secret: known.secret }, { reports, newId, now: () => new Date(now()), log: quietLog }),
  };
}

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
