/** Questions to the rail, one at a time for each payment. */
import { whateverTheTime } from '../../../infrastructure/deadlines/deadline.ts';
import { PassingMap } from '../../../infrastructure/remembered/passing.ts';
import type { Patience } from '../../../infrastructure/remembered/patience.ts';
import type { TransactionId } from '../../../kernel/ids.ts';
import { RailAway } from './bounded-rail.ts';

/** `away`: the rail has failed, or has given no answer in time. */
export type Outcome = 'asked' | 'away';

export type Asking = ReturnType<typeof createAsking>;

export function createAsking(patience: Pick<Patience, 'failed'>) {
  /** Payments that the rail is being asked about. Who comes second waits for the first. */
  const underWay = new PassingMap<TransactionId, Promise<Outcome>>();

  /** What a rail that is away has not answered is asked again by the payment's timer. */
  const patiently = async (transactionId: TransactionId, work: () => Promise<void>): Promise<Outcome> => {
    try {
      await work();
      return 'asked';
    } catch (error) {
      if (!(error instanceof RailAway)) throw error;
      patience.failed(transactionId);
      return 'away';
    } finally {
      underWay.delete(transactionId);
    }
  };
  return {
    /** Does the work, which asks the rail; or waits for what is under way of the payment. */
    once(transactionId: TransactionId, work: () => Promise<void>): Promise<Outcome> {
      const begun =
        underWay.get(transactionId) ??
        // Others wait for it as well, and what the rail has said is recorded whoever is late.
        whateverTheTime(() => patiently(transactionId, work));
      underWay.set(transactionId, begun);
      return begun;
    },
    /** Once nothing is under way of the payment. */
    done: (transactionId: TransactionId): Promise<Outcome> | undefined => underWay.get(transactionId),
  };
}
