/** What has to be so before an operation is submitted. The agent's stream says it again when it decides. */

import { requireCovered } from '../../../domain/accounts/booking.ts';
import { requireWithinOutflow } from '../../../domain/accounts/outflow.ts';
import { accessOf, amountOf, limitsOf, paymentOf } from '../../../domain/agents/actions/operation.ts';
import { type Access, authorize } from '../../../domain/agents/authorize.ts';
import type { ExecutionMode, Operation } from '../../../domain/agents/events.ts';
import type { KnownAgent } from '../../../domain/agents/state.ts';
import type { Rates } from '../../../domain/money/rates.ts';
import { uuidOf } from '../../../kernel/ids.ts';
import { invariant } from '../../../kernel/invariant.ts';
import type { Money } from '../../../kernel/money.ts';
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
  const { source } = paymentOf(operation);
  if (mode !== 'AUTO' || source.kind !== 'INTERNAL') return;
  const account = await commands.load('account', uuidOf(source.accountId));
  invariant(account.status !== 'none', `${source.accountId} was never opened`);
  requireWithinOutflow(account.outflow, amountOf(operation), limitsOf(operation), now());
  requireCovered(account, amountOf(operation));
}
