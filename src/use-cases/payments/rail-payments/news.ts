/** What a rail says by itself: that there is news of a payment, or how it ended. */
import { awaitsSubmission } from '../../../domain/payments/life/moves.ts';
import type { Payment } from '../../../domain/payments/life/progress.ts';
import type { RailReports } from '../../../domain/ports/rail-module.ts';
import type { Cause } from '../../../infrastructure/commands/dispatch.ts';
import { isId, type TransactionId, uuidOf } from '../../../kernel/ids.ts';
import { Rejected } from '../../../kernel/rejected.ts';
import type { Commands } from '../../commands.ts';
import type { LocalPayments } from '../local-payments.ts';
import { requireEnding } from './answers.ts';
import type { Asking } from './asking.ts';
import type { Checks } from './checks.ts';
import { hasOutside } from './outside.ts';
import type { Recording } from './recording.ts';
import { isDelivered } from './routing.ts';
import { isWithRail } from './words.ts';

type Deps = {
  readonly commands: Pick<Commands, 'load'>;
  readonly local: Pick<LocalPayments, 'announcedTo'>;
  readonly load: (transactionId: TransactionId) => Promise<Payment>;
  readonly asking: Asking;
  readonly recording: Pick<Recording, 'end' | 'compare'>;
  readonly checks: Checks;
};

export type RailNews = {
  /**
   * Asks the rail what became of a payment of which it says that there is news, and records it. Throws `Rejected`
   * (SERVICE_UNAVAILABLE) where it does not answer then.
   */
  readonly news: (paymentId: string) => Promise<void>;
  /** Records what the rail says by itself of a payment that is with it. */
  readonly ended: RailReports['ended'];
};

const retryAfterSeconds = 1;
const notAnswered = () =>
  new Rejected(
    'SERVICE_UNAVAILABLE',
    'The rail gave no answer when it was asked what the news is. Tell of it again later.',
    { retryAfterSeconds },
  );

export function createRailNews({ commands, local, load, asking, recording, checks }: Deps): RailNews {
  /** A payment that the rail names; `undefined` where there is none, or none of the rail's. */
  const named = async (paymentId: string): Promise<Payment | undefined> => {
    if (!isId('Transaction', paymentId)) return undefined;
    const state = await commands.load('transaction', uuidOf(paymentId));
    return state.status !== 'NONE' && (await isForRail(local, state)) ? state : undefined;
  };
  return {
    async news(paymentId) {
      const payment = await named(paymentId);
      if (!payment) return;
      const { transactionId } = payment.terms;
      await asking.done(transactionId);
      const outcome = await asking.once(transactionId, async () => {
        const now = await load(transactionId);
        return isWithRail(now) ? checks.check(now, causeOf(now)) : checks.recheck(now);
      });
      // Nobody may ask again: of some payments a rail says nothing but by itself.
      if (outcome === 'away') throw notAnswered();
    },
    async ended(paymentId, said) {
      const ending = requireEnding(said);
      const payment = await named(paymentId);
      if (!payment) return 'unknown';
      if (isWithRail(payment)) {
        const { isNew } = await recording.end(payment, ending, causeOf(payment));
        if (isNew) return 'recorded';
      }
      return recording.compare(await load(payment.terms.transactionId), ending)
        ? 'unchanged'
        : 'contradicted';
    },
  };
}

/** Whether the rail may have it: one to a customer here, and one whose way is not settled, was never given to it. */
async function isForRail(local: Pick<LocalPayments, 'announcedTo'>, payment: Payment): Promise<boolean> {
  if (!hasOutside(payment)) return false;
  if (payment.terms.destination.kind !== 'UMA_ADDRESS') return true;
  if (!payment.route && awaitsSubmission(payment)) return false;
  return !(await isDelivered(local, payment));
}

const causeOf = ({ terms: { transactionId, platformId } }: Payment): Cause => ({
  platformId,
  correlationId: transactionId,
  causationId: `rail:${transactionId}`,
  actor: 'rail',
});
