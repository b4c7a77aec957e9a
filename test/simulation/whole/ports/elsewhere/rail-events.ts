/** What a rail over HTTP tells by itself: how payments end, that there is news of them, and that money has come. */
import { createHash } from 'node:crypto';
import type { Ending, RailPayment } from '../../../../../src/domain/ports/payment-rail.ts';
import { isId } from '../../../../../src/kernel/ids.ts';
import { fateOf, isPulled } from '../../../rail.ts';
import { callsOf, type Turns } from '../../engine/turns.ts';
import { openLetters } from '../letters.ts';
import type { Elsewhere, SignedService } from './signed-service.ts';

const waitMaxMs = 10_000;

type Status = { readonly status: number };
/** What has become of a payment, as it was told. */
export type ToldEnding = { readonly paymentId: string; readonly ending: Ending };
/** Money that has come for an account, or for the payment of a quote. Minor units of USD. */
export type ToldArrival = {
  readonly whose: string;
  readonly minor: bigint;
  readonly bankReference: string;
  /** Of its operator, after a refusal. */
  readonly decision?: string;
};

/** All of it, and the status that it was answered with in the end. */
export type OfRailEvents = {
  readonly endings: readonly (ToldEnding & Status)[];
  readonly arrivals: readonly (ToldArrival & Status)[];
};

/** What it posts. */
type Letter = {
  readonly event: object;
  /** What would put the money into other hands. */
  readonly otherwise?: object;
  readonly of?: string;
  /** Called when it is posted. */
  readonly begin?: () => void;
  /** Told what came of it. */
  readonly note?: (told: Status) => void;
};

type Deps = Pick<Elsewhere, 'faults' | 'random' | 'now'> & {
  readonly turns: Turns;
  readonly service: Pick<SignedService, 'send' | 'sendUnsigned' | 'sendUnreadable'>;
  readonly complain: (why: string) => void;
};

export function eventsOfRail({ turns, faults, random, now, service, complain }: Deps) {
  const endings: (ToldEnding & Status)[] = [];
  const arrivals: (ToldArrival & Status)[] = [];
  const taken = new Map<string, RailPayment['kind']>();
  /** Payments that have ended where nothing else tells of it. */
  const over = new Set<string>();
  const turn = callsOf(turns, 'rail', () => undefined);
  let received = 0;

  const letters = openLetters<Letter>({
    now,
    async tell({ event, begin, otherwise, note }, isLast) {
      await turn();
      begin?.();
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
    if (!letters.has(({ of }) => of === paymentId)) tell(paymentId, kind);
  };
  const tell = (paymentId: string, kind: RailPayment['kind']): void => {
    const { ending, returned } = fateOf({ paymentId });
    // What has reached an account here stays there: nobody takes it back for the rail. It may come before what it follows.
    const isSentBack = returned !== undefined && !isPulled({ kind });
    const news = { event: { type: 'payment.news', paymentId } };
    if (wayOfTelling({ paymentId }) === 'news') {
      // What nobody asks for unless there is news comes back once it is known to have arrived.
      const note = () => isSentBack && write({ of: paymentId, ...news }, random.below(2 * waitMaxMs));
      const begin = () => void over.add(paymentId);
      write({ of: paymentId, begin, note, ...news }, random.below(waitMaxMs));
      return;
    }
    const endingOf = (one: Ending): Letter => ({
      of: paymentId,
      event: { type: 'payment.ended', paymentId, ending: one },
      otherwise: { type: 'payment.ended', paymentId, ending: oppositeOf(one) },
      note: (status) => void endings.push({ paymentId, ending: one, ...status }),
    });
    write(endingOf(ending), random.below(waitMaxMs));
    if (isSentBack) write(endingOf(returned), random.below(2 * waitMaxMs));
    if (faults.strikes('news of a payment')) write(news, random.below(waitMaxMs));
  };
  /** Somebody sends money, and names whom it is for. Minor units of USD. */
  const receive = (whose: string, reference: string, minor: bigint, withinMs = waitMaxMs): void => {
    const bankReference = `FAR${++received}`;
    let isAsked = false;
    const letterOf = (more: Pick<ToldArrival, 'decision'>): Letter => {
      const arrivalOf = (other: bigint) => ({
        type: 'money.arrived',
        bankReference,
        amount: { minor: String(other), currency: 'USD' },
        named: [`for ${reference}, thanks`],
        ...more,
      });
      const note = ({ status }: Status) => {
        arrivals.push({ whose, minor, bankReference, ...more, status });
        if (status !== 422 || isAsked || !isId('InternalAccount', whose)) return;
        isAsked = true;
        letters.write(letterOf(asksAgain({ bankReference })), 2 * waitMaxMs);
      };
      return { event: arrivalOf(minor), otherwise: arrivalOf(minor + 1n), note };
    };
    write(letterOf({}), random.below(withinMs));
  };

  return {
    endings: endings as OfRailEvents['endings'],
    arrivals: arrivals as OfRailEvents['arrivals'],
    announce,
    isOver: (paymentId: string): boolean => over.has(paymentId),
    receive,
    /** As its operator has it do for who has lost what they were told. */
    tellAgain(): void {
      // News that is on its way may be that of the return: who has forgotten the arrival asks for that, and for nothing afterwards.
      for (const [paymentId, kind] of taken)
        if (wayOfTelling({ paymentId }) === 'news') tell(paymentId, kind);
        else announce(paymentId, kind);
    },
    work: letters.work,
    isWaiting: letters.isWaiting,
  };
}

/** How Daybook hears what becomes of a payment: it asks as well, it is told and nothing else, or told to ask. */
export function wayOfTelling({ paymentId }: Pick<RailPayment, 'paymentId'>): 'both' | 'tells' | 'news' {
  const [dice = 0] = createHash('sha256').update(`way of ${paymentId}`).digest();
  if (dice < 50) return 'tells';
  return dice < 100 ? 'news' : 'both';
}

/** How its operator asks for what an account has refused: by a decision, or as if nobody had said anything. */
const asksAgain = ({ bankReference }: Pick<ToldArrival, 'bankReference'>): Pick<ToldArrival, 'decision'> => {
  const [dice = 0] = createHash('sha256').update(`operator of ${bankReference}`).digest();
  return dice < 128 ? { decision: 'again' } : {};
};

/** What would put the money into other hands. */
export const oppositeOf = ({ status }: Pick<Ending, 'status'>): Ending =>
  status === 'settled' ? { status: 'rejected', reason: 'OFFRAMP_FAILED' } : { status: 'settled' };
