/** How an entry changes the balance, and when it is refused. */
import { invariant } from '../../kernel/invariant.ts';
import type { Money } from '../../kernel/money.ts';
import { Rejected, type RejectionCode } from '../../kernel/rejected.ts';
import { move } from '../books/postings.ts';
import type { AgentActionRef, OutflowLimits } from '../payments/events.ts';
import type { AccountEvent } from './events.ts';
import { halted, requireNotHalted } from './halt.ts';
import { arrive, decidedAs, hasRoom, isHalted, refusedAs, released } from './held-credits.ts';
import { requireWithinOutflow } from './outflow.ts';
import type { EntryCommand, OpenAccount } from './state.ts';

type DebitCommand = Extract<EntryCommand, { type: 'DebitAccount' }>;
type DepositCommand = Extract<EntryCommand, { purpose: 'deposit' }>;
export type FinalDeposit = DepositCommand & Required<Pick<DepositCommand, 'recordsRefusal'>>;

/** The entry that stands for a refused debit. */
export const refusalOf = ({ actionId }: Pick<AgentActionRef, 'actionId'>) => `${actionId}:refused`;

/** Either the debit or its refusal is recorded, once: a repeat cannot come to the other result. */
export function debitForAction(
  command: DebitCommand,
  agentAction: AgentActionRef,
  state: OpenAccount,
): readonly AccountEvent[] {
  const by = state.entries.get(command.entryId);
  if (by === command.requestedBy || state.entries.get(refusalOf(agentAction)) !== undefined) return [];
  try {
    if (by !== undefined) throw new Rejected('CONFLICT', 'The payment was executed by another request.');
    return book(command, state);
  } catch (error) {
    if (!(error instanceof Rejected)) throw error;
    const { code, message } = error;
    const { transactionId, amount, at } = command;
    const { accountId } = state;
    const data = { accountId, transactionId, agentAction, amount, code, message, at };
    return [{ type: 'DebitRefused', data }];
  }
}

export const isFinalIfRefused = (command: EntryCommand): command is FinalDeposit =>
  command.type === 'CreditAccount' && command.purpose === 'deposit' && command.recordsRefusal !== undefined;

/** The entry as it was told first, and as an operator has decided since, each of which is refused by itself. */
const askedAs = ({ entryId, recordsRefusal: { decision } }: FinalDeposit): readonly string[] =>
  decision === undefined ? [entryId] : [entryId, decidedAs(entryId, decision)];

/** What has to be known of an account to credit it, or to refuse for good. */
export const entriesOfFinal = (command: FinalDeposit): readonly string[] => [
  command.entryId,
  ...askedAs(command).map(refusedAs),
];

/** With what code the deposit was refused, as it is asked for; nothing where it was not. */
export const refusedWith = (command: FinalDeposit, { entries }: OpenAccount): RejectionCode | undefined =>
  entries.get(refusedAs(askedAs(command).at(-1) ?? command.entryId)) as RejectionCode | undefined;

/**
 * Either the deposit or its refusal is recorded, once: who is told of a refusal does not meet a credit later. Throws
 * `Rejected` (SERVICE_UNAVAILABLE) while the customer is being deleted: which of the two it is, is not known yet.
 */
export function depositOrRefuse(command: FinalDeposit, state: OpenAccount): readonly AccountEvent[] {
  const { transactionId, amount, recordsRefusal, at } = command;
  if (refusedWith(command, state) !== undefined) return [];
  if (isHalted(state)) throw new Rejected('SERVICE_UNAVAILABLE', halted);
  try {
    const { because } = recordsRefusal;
    if (because) throw new Rejected(because.code, because.message);
    return book(command, state);
  } catch (error) {
    if (!(error instanceof Rejected)) throw error;
    const { code, message } = error;
    const { accountId, entries } = state;
    // What was told before the operator decided is refused with it, should it come later.
    return askedAs(command)
      .filter((entryId) => entries.get(refusedAs(entryId)) === undefined)
      .map((entryId) => ({
        type: 'DepositRefused',
        data: { accountId, entryId, transactionId, amount, code, message, at },
      }));
  }
}

/** The entry, with what follows from it for the account. Throws `Rejected` where the account does not allow it. */
export function book(command: EntryCommand, state: OpenAccount): readonly AccountEvent[] {
  const { amount } = command;
  invariant(amount.minor > 0n, 'an entry of nothing');
  invariant(
    amount.currency === state.currency,
    `${amount.currency} booked on an account in ${state.currency}`,
  );
  if (command.type === 'DebitAccount') return debit(command, state);
  // Money that is on its way arrives, at once or later, whatever has become of the account since, unless it is closed.
  return command.purpose === 'deposit' ? [deposit(command, state)] : arrive(command, state);
}

const entryOf = (
  { entryId, transactionId, requestedBy, amount, at }: EntryCommand,
  { accountId }: OpenAccount,
) => ({ accountId, entryId, transactionId, requestedBy, amount, at });

function debit(command: DebitCommand, state: OpenAccount): readonly AccountEvent[] {
  const { amount, to, purpose, opens, agentAction, signedBy, limits = {}, at } = command;
  requireDebitable(state, amount, limits, at);
  const balanceAfter = state.balance - amount.minor;
  const entry = {
    ...entryOf(command, state),
    purpose,
    balanceAfter,
    postings: [...move(state.accountId, to, amount)],
    ...(opens && { opens }),
    ...(agentAction && { agentAction }),
    ...(signedBy && { signedBy }),
  };
  return [{ type: 'AccountDebited', data: entry }, ...released(state, balanceAfter, at)];
}

/** Throws `Rejected` where the account does not give the amount. */
export function requireDebitable(state: OpenAccount, amount: Money, limits: OutflowLimits, at: Date): void {
  requireActive(state);
  requireWithinOutflow(state.outflow, amount, limits, at);
  requireCovered(state, amount);
}

function deposit(command: DepositCommand, state: OpenAccount): AccountEvent {
  requireActive(state);
  const { amount, from, purpose, deposit } = command;
  const { accountId, customerId } = state;
  if (!hasRoom(state.balance, amount))
    throw new Rejected('AMOUNT_OUT_OF_RANGE', 'The balance would exceed what the interface can carry.');
  const balanceAfter = state.balance + amount.minor;
  const postings = [...move(from, accountId, amount)];
  const entry = { ...entryOf(command, state), customerId, balanceAfter, postings };
  return { type: 'AccountCredited', data: { ...entry, purpose, deposit } };
}

function requireActive(state: OpenAccount): void {
  const { status, accountId } = state;
  if (status === 'ACTIVE') {
    requireNotHalted(state);
    return;
  }
  const message = `The internal account is ${status}; only an ACTIVE account sends or receives.`;
  throw new Rejected('USER_NOT_READY', message, { accountId, status });
}

/** Throws `Rejected` on a short balance. */
export function requireCovered(
  { accountId, balance, currency }: OpenAccount,
  { minor: required }: Money,
): void {
  if (balance >= required) return;
  const message = 'The balance of the source account does not cover the amount.';
  throw new Rejected('INSUFFICIENT_BALANCE', message, { accountId, currency, balance, required });
}
