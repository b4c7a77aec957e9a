/**
 * Whose the money is that was told of under a reference, and how much it is: as it was told first. Accounts and quotes are
 * streams of their own, and would each take it; the stream of the reference is one (decision 98).
 */
import type { ArrivedMoney } from '../../domain/ports/rail-module.ts';
import { arrivedMoneyStream } from '../../domain/reservations/reservation.ts';
import type { Cause } from '../../infrastructure/commands/dispatch.ts';
import type { InternalAccountId, TransactionId } from '../../kernel/ids.ts';
import { invariant } from '../../kernel/invariant.ts';
import { Rejected, type RejectionCode, saysNo } from '../../kernel/rejected.ts';
import type { Commands } from '../commands.ts';

type Deps = { readonly commands: Commands; readonly now: () => Date };

type Claim = Pick<ArrivedMoney, 'bankReference' | 'amount' | 'decision'> & {
  /** The account, or the payment of the quote. */
  readonly holder: InternalAccountId | TransactionId;
  /** Whether whatever was cut short under this claim would be refused as well by now, where the work is. */
  readonly isFinal: (refusal: RejectionCode) => boolean;
};

/**
 * Does work that takes the money where nothing refuses it, and calls `take` before that. `take` throws `Rejected` (CONFLICT)
 * where the money was told of for somebody else, or as another amount. Of money that is refused after all nobody has it.
 */
export async function claiming<Result>(
  { commands, now }: Deps,
  { bankReference, amount, decision, holder, isFinal }: Claim,
  cause: Cause,
  work: (take: () => Promise<void>) => Promise<Result>,
): Promise<Result> {
  const stream = arrivedMoneyStream(bankReference);
  const asTold = `${amount.minor} ${amount.currency}`;
  const mine = { holder, claim: decision === undefined ? asTold : `${asTold} ${decision}`, at: now() };
  const release = () => commands.run('reservation', stream, { type: 'ReleaseName', ...mine }, cause);
  let isTaken = false;
  const take = async () => {
    const taken = { code: 'CONFLICT', message: '' } as const;
    const reserve = { type: 'ReserveName', ...mine, taken } as const;
    const { state } = await commands.run('reservation', stream, reserve, cause).catch(notMine);
    isTaken = true;
    invariant(state.status === 'held', 'reserved, and free');
    const [first = ''] = state.claims.keys();
    if (!`${first} `.startsWith(`${asTold} `)) throw toldOtherwise();
  };
  try {
    return await work(take);
  } catch (error) {
    const isOver = saysNo(error);
    if (isOver && (isTaken || isFinal(error.code))) await release();
    throw error;
  }
}

function notMine(error: unknown): never {
  throw error instanceof Rejected && error.code === 'CONFLICT' ? toldOtherwise() : error;
}

export const toldOtherwise = () =>
  new Rejected(
    'CONFLICT',
    'Money was told of under this reference before: of another amount, or for another.',
  );
