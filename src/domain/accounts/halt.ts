/**
 * While its customer is being deleted an account is halted: it gives nothing and takes no deposit, and holds what is paid
 * to it. So what was found in it stays true until the deletion is done or abandoned. Each deletion has a number; what comes
 * late of one that is over does nothing.
 */
import { Rejected } from '../../kernel/rejected.ts';
import type { AccountEvent } from './events.ts';
import { isHalted, releaseHeld } from './held-credits.ts';
import type { AccountCommand, OpenAccount } from './state.ts';

export type HaltCommand = Extract<AccountCommand, { type: 'HaltAccount' | 'LiftHalt' }>;

/** Lifting is recorded of an account that was not halted, too: what halts it for the same deletion may be late. */
export function changeHalt({ type, deletion, at }: HaltCommand, state: OpenAccount): readonly AccountEvent[] {
  const { accountId, status, halt } = state;
  const isOver = halt && (halt.deletion > deletion || (halt.deletion === deletion && halt.isLifted));
  if (status === 'CLOSED' || isOver) return [];
  if (type === 'HaltAccount')
    return halt?.deletion === deletion ? [] : [{ type: 'AccountHalted', data: { accountId, deletion, at } }];
  const lifted = { deletion, isLifted: true };
  return [
    { type: 'HaltLifted', data: { accountId, deletion, at } },
    ...releaseHeld({ ...state, halt: lifted }, at),
  ];
}

export const halted =
  'The customer of the internal account is being deleted: it takes and gives nothing until that is done or abandoned.';

/** Throws `Rejected` while the customer is being deleted. */
export function requireNotHalted(account: OpenAccount): void {
  if (!isHalted(account)) return;
  const { accountId, status } = account;
  throw new Rejected('USER_NOT_READY', halted, { accountId, status });
}
