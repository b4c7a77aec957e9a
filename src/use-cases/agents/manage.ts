/** What the platform does with its agents. */

import type { ReadDb } from '../../../projections/database.ts';
import type { AgentCommand } from '../../domain/agents/agent.ts';
import { newPolicy } from '../../domain/agents/policy-changes.ts';
import { paysByItself, requireMayPay } from '../../domain/agents/spending.ts';
import type { KnownAgent } from '../../domain/agents/state.ts';
import { type KnownCustomer, requireNotDeleted } from '../../domain/customers/customer.ts';
import type { Cause } from '../../infrastructure/commands/dispatch.ts';
import { idOf, uuidOf } from '../../kernel/ids.ts';
import { invariant } from '../../kernel/invariant.ts';
import type { Attempt } from '../attempt.ts';
import { mayPay, type Principal } from '../caller.ts';
import type { Commands } from '../commands.ts';
import { whileThere } from '../customers/while-there.ts';
import { type DrawDeps, drawCode, dropping, type IssuedCode } from './codes.ts';
import { requireEmployed, requireOwnAccounts } from './own-accounts.ts';

type Deps = DrawDeps & {
  readonly commands: Commands;
  readonly readDb: ReadDb;
  readonly now: () => Date;
};
type Wanted = { readonly name: string; readonly policy: Parameters<typeof newPolicy>[0] };

/**
 * The agent and its first device code. Throws `Rejected`: 410 for a deleted customer, 404 for accounts that are not the
 * customer's, 403 for a caller who may not pay where the agent could by itself.
 */
export async function createAgent(
  deps: Deps,
  customer: KnownCustomer,
  { name, policy: wanted }: Wanted,
  caller: Pick<Principal, 'permissions'>,
  { cause, uuidFor }: Attempt,
): Promise<{ readonly agent: KnownAgent; readonly issued: IssuedCode }> {
  requireNotDeleted(customer);
  const { platformId, customerId, platformCustomerId } = customer;
  await requireOwnAccounts(deps.readDb, customer, wanted);
  const agentId = idOf('Agent', uuidFor('agent'));
  const policy = newPolicy(wanted);
  if (paysByItself(policy)) requireMayPay(mayPay(caller));
  const at = deps.now();
  const details = { platformId, agentId, customerId, platformCustomerId, name, policy, at };
  const issued = await drawCode(deps, { id: uuidFor('device-code'), agentId, platformId }, at);
  const command = { type: 'CreateAgent', details, deviceCode: issued.deviceCode, at } as const;
  const ofCustomer = whileThere(deps.commands, customerId, cause);
  const agent = await decide(deps.commands, agentId, command, ofCustomer).catch(dropping(deps, issued));
  return { agent, issued };
}

/** The agent after the command. */
export const changeAgent = (
  commands: Commands,
  { details: { agentId } }: KnownAgent,
  command: AgentCommand,
  cause: Cause,
): Promise<KnownAgent> => decide(commands, agentId, command, cause);

/** The agent with another policy. Throws `Rejected`: 410 for a deleted customer, 404 for accounts that are not its. */
export async function changePolicy(
  { commands, readDb }: Pick<Deps, 'commands' | 'readDb'>,
  agent: KnownAgent,
  command: Extract<AgentCommand, { type: 'ChangePolicy' }>,
  cause: Cause,
): Promise<KnownAgent> {
  await requireEmployed(commands, agent.details);
  await requireOwnAccounts(readDb, agent.details, command.changes, agent.policy);
  const { agentId, customerId } = agent.details;
  return decide(commands, agentId, command, whileThere(commands, customerId, cause));
}

/** Its token is dead as soon as the stream says so; what is kept of it goes as well. */
export async function deleteAgent(
  { commands, agentCredentials, now }: Pick<Deps, 'commands' | 'agentCredentials' | 'now'>,
  { details: { agentId } }: KnownAgent,
  cause: Cause,
): Promise<void> {
  await decide(commands, agentId, { type: 'DeleteAgent', by: cause.actor, at: now() }, cause);
  await agentCredentials.forget(agentId);
}

async function decide(
  commands: Commands,
  agentId: KnownAgent['details']['agentId'],
  command: AgentCommand,
  cause: Cause,
): Promise<KnownAgent> {
  const { state } = await commands.run('agent', uuidOf(agentId), command, cause);
  invariant(state.status !== 'NONE', 'decided on an agent that is not there');
  return state;
}
