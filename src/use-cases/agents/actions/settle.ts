/** What follows from an action, seen through as far as it goes at once. */

import { refusalOf } from '../../../domain/accounts/booking.ts';
import { paymentOf } from '../../../domain/agents/actions/operation.ts';
import type { KeptOperation, KnownAgent } from '../../../domain/agents/state.ts';
import { agentAction } from '../../../domain/payments/events.ts';
import { debitEntryId } from '../../../domain/payments/transaction.ts';
import type { Cause } from '../../../infrastructure/commands/dispatch.ts';
import { type AgentActionId, type AgentId, uuidOf } from '../../../kernel/ids.ts';
import { invariant } from '../../../kernel/invariant.ts';
import type { Commands } from '../../commands.ts';
import { actionOf, type FoundAction } from '../../find/agent.ts';
import type { Payments } from '../../payments/rail-payments/rail-payments.ts';

type Deps = { readonly commands: Commands; readonly payments: Payments };

/** Of a transfer that the rail ends at once. */
const cameToNothing: ReadonlySet<string> = new Set(['FAILED', 'REJECTED', 'REFUNDED']);

/** The action as it stands, after a transfer has been handed over to the rail. */
export async function settled(
  { commands, payments }: Deps,
  { details: { agentId } }: KnownAgent,
  actionId: AgentActionId,
  cause: Cause,
): Promise<FoundAction> {
  const decided = await reload(commands, agentId, actionId);
  if (decided.action.status === 'PENDING_APPROVAL') return unlessExpired(commands, decided, cause);
  if (decided.action.status !== 'APPROVED') return decided;
  await seeThrough(commands, decided, cause);
  const found = await reload(commands, agentId, actionId);
  const { status, operation } = found.action;
  if (status !== 'APPROVED' || operation.type === 'EXECUTE_QUOTE') return found;
  const { transactionId } = operation.transfer;
  const made = await commands.load('transaction', uuidOf(transactionId));
  invariant(made.status !== 'NONE', 'a transfer that was approved and not made');
  const payment = await payments.handOver(made, cause);
  if (cameToNothing.has(payment.status))
    await commands.resume('transaction', uuidOf(transactionId), isOf(actionId), cause);
  return reload(commands, agentId, actionId);
}

/** An execution that came to wait just after its quote had expired was not there to be told: it is told now. */
async function unlessExpired(commands: Commands, waiting: FoundAction, cause: Cause): Promise<FoundAction> {
  const { agent, actionId, action } = waiting;
  if (action.operation.type !== 'EXECUTE_QUOTE') return waiting;
  const uuid = uuidOf(action.operation.transactionId);
  if ((await commands.load('transaction', uuid)).status !== 'EXPIRED') return waiting;
  await commands.resume('transaction', uuid, ({ type }) => type === 'TransactionExpired', cause);
  return reload(commands, agent.details.agentId, actionId);
}

/**
 * The worker carries out the same events, and may be in the middle of it: what it has recorded so far is followed here
 * as well, so that the answer shows where it leads.
 */
async function seeThrough(
  commands: Commands,
  { actionId, action: { operation } }: FoundAction,
  cause: Cause,
): Promise<void> {
  if (await isUnderway(commands, operation, actionId)) return;
  const { source, transactionId } = paymentOf(operation);
  if (source.kind === 'INTERNAL')
    await commands.resume('account', uuidOf(source.accountId), isOf(actionId), cause, [
      debitEntryId(transactionId),
      refusalOf({ actionId }),
    ]);
  await commands.resume('transaction', uuidOf(transactionId), isOf(actionId), cause);
}

/** The events that come of an action. */
const isOf =
  (actionId: AgentActionId) =>
  ({ data }: { readonly data: object }): boolean =>
    'agentAction' in data && agentAction.safeParse(data.agentAction).data?.actionId === actionId;

/** Whether the payment has begun, and by this action. */
async function isUnderway(
  commands: Commands,
  operation: KeptOperation,
  actionId: AgentActionId,
): Promise<boolean> {
  const { source, transactionId } = paymentOf(operation);
  const payment = await commands.load('transaction', uuidOf(transactionId));
  if (payment.status === 'NONE') return false;
  if (operation.type !== 'EXECUTE_QUOTE') return true;
  if (payment.status === 'PENDING' || payment.status === 'EXPIRED') return false;
  if (source.kind !== 'INTERNAL') return payment.fundedBy === actionId;
  const entryId = debitEntryId(transactionId);
  const account = await commands.load('account', uuidOf(source.accountId), [entryId]);
  return account.status !== 'none' && account.entries.get(entryId) === actionId;
}

async function reload(commands: Commands, agentId: AgentId, actionId: AgentActionId): Promise<FoundAction> {
  const agent = await commands.load('agent', uuidOf(agentId), [actionId]);
  invariant(agent.status !== 'NONE', 'an action of no agent');
  return actionOf(agent, actionId);
}
