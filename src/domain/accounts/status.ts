/**
 * The status of an internal account (docs/explanation/life-of-a-payment.md). Its owner's approval opens it and the owner's
 * deletion closes it; the operator freezes it, and lifts that again.
 */
import { Rejected } from '../../kernel/rejected.ts';
import type { AccountEvent, AccountStatus } from './events.ts';
import { releaseHeld } from './held-credits.ts';
import type { AccountCommand, OpenAccount } from './state.ts';

type StatusCommand = Extract<
  AccountCommand,
  { type: 'ChangeAccountStatus' | 'FreezeAccount' | 'UnfreezeAccount' }
>;

/** Only such an account sends or receives, and tells where to pay in. */
export const isOpenToMoney = (status: AccountStatus): boolean => status === 'ACTIVE';

/** Throws `Rejected` for freezing what is not ACTIVE, and unfreezing what is not FROZEN. */
export function changeStatus(command: StatusCommand, state: OpenAccount): readonly AccountEvent[] {
  switch (command.type) {
    case 'ChangeAccountStatus': {
      const { status } = command;
      const follows = status === 'ACTIVE' ? state.status === 'PENDING' : state.status !== 'CLOSED';
      return follows ? enter(status, state, command.at) : [];
    }
    case 'FreezeAccount':
      return move('ACTIVE', 'FROZEN', command, state);
    case 'UnfreezeAccount':
      return move('FROZEN', 'ACTIVE', command, state);
  }
}

function move(
  from: AccountStatus,
  to: AccountStatus,
  { reason, at }: { readonly reason: string; readonly at: Date },
  state: OpenAccount,
): readonly AccountEvent[] {
  const { status, accountId } = state;
  if (status === to) return [];
  if (status === from) return enter(to, state, at, reason);
  const message = `The internal account is ${status}; only one that is ${from} becomes ${to}.`;
  throw new Rejected('CONFLICT', message, { accountId, status });
}

/**
 * What a frozen account has held is credited as soon as it is not frozen any more. One that is closed takes of it what
 * comes back, and refuses what is paid to it.
 */
function enter(
  status: AccountStatus,
  state: OpenAccount,
  at: Date,
  reason?: string,
): readonly AccountEvent[] {
  const { accountId, status: from } = state;
  const data = { accountId, status, from, ...(reason !== undefined && { reason }), at };
  const isFreed = from === 'FROZEN' || status === 'CLOSED';
  const freed = isFreed ? releaseHeld({ ...state, status }, at) : [];
  return [{ type: 'AccountStatusChanged', data }, ...freed];
}
