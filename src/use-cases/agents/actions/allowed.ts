/** What has to be so before an operation is submitted. The agent's stream says it again when it decides. */

import { requireCovered, requireDebitable } from '../../../domain/accounts/booking.ts';
import { requireWithinOutflow } from '../../../domain/accounts/outflow.ts';
import type { OpenAccount } from '../../../domain/accounts/state.ts';
import { accessOf, amountOf, limitsOf, paymentOf } from '../../../domain/agents/actions/operation.ts';
import { type Access, authorize } from '../../../domain/agents/authorize.ts';
import type { ExecutionMode, Operation } from '../../../domain/agents/events.ts';
import type { AgentAction, KeptOperation, KnownAgent } from '../../../domain/agents/state.ts';
import type { Rates } from '../../../domain/money/rates.ts';
import { uuidOf } from '../../../kernel/ids.ts';
import { invariant } from '../../../kernel/invariant.ts';
import type { Money } from '../../../kernel/money.ts';
import { Rejected } from '../../../kernel/rejected.ts';
import type { Commands } from '../../commands.ts';

type Deps = { readonly rates: Rates; readonly now: () => Date };

/** Throws `Rejected` (FORBIDDEN) where the policy forbids it now. */
export const requireAllowed = (
  { rates, now }: Deps,
  agent: KnownAgent,
  access: Access,
  amount: Money,
): ExecutionMode => authorize(agent, access, amount, { rates: rates.table, at: now() }).mode;

export const requireOperationAllowed = (deps: Deps, agent: KnownAgent, operation: Operation): ExecutionMode =>
  requireAllowed(deps, agent, accessOf(operation), amountOf(operation));

/** A payment that goes at once needs its money at once; one that waits for approval needs it then. */
export async function requireMoney(
  { commands, now }: { readonly commands: Commands; readonly now: () => Date },
  operation: Operation,
  mode: ExecutionMode,
): Promise<void> {
  if (mode !== 'AUTO') return;
  const account = await sourceOf(commands, operation);
  if (!account) return;
  requireWithinOutflow(account.outflow, amountOf(operation), limitsOf(operation), now());
  requireCovered(account, amountOf(operation));
}

/**
 * What the account of an action that failed says of its amount, by the counters of the moment at which it failed: with the
 * numbers, which the record of the failure does not have. Nothing where the account would give it by now.
 */
export async function accountRefusal(
  commands: Commands,
  { operation, updatedAt }: Pick<AgentAction, 'operation' | 'updatedAt'>,
): Promise<Rejected | undefined> {
  const account = await sourceOf(commands, operation);
  if (!account) return undefined;
  try {
    requireDebitable(account, amountOf(operation), limitsOf(operation), updatedAt);
    return undefined;
  } catch (error) {
    if (!(error instanceof Rejected)) throw error;
    return error;
  }
}

/** Nothing where the money comes in from outside. */
async function sourceOf(commands: Commands, operation: KeptOperation): Promise<OpenAccount | undefined> {
  const { source } = paymentOf(operation);
  if (source.kind !== 'INTERNAL') return undefined;
  const account = await commands.load('account', uuidOf(source.accountId));
  invariant(account.status !== 'none', `${source.accountId} was never opened`);
  return account;
}
