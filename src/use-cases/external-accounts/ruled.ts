/**
 * External accounts for which agents of their customer have rules. Deleted and registered again, an account is another one,
 * which no rule names: whoever deletes it ends the rule.
 */
import type { ReadDb } from '../../../projections/database.ts';
import { agentsWithRuleFor } from '../../../projections/models/agents.ts';
import { requireMayPay, widensWithout } from '../../domain/agents/spending.ts';
import type { KnownAgent } from '../../domain/agents/state.ts';
import type { ExternalAccountDetails } from '../../domain/external-accounts/external-account.ts';
import { type ExternalAccountId, uuidOf } from '../../kernel/ids.ts';
import { Rejected } from '../../kernel/rejected.ts';
import { mayPay, type Principal } from '../caller.ts';
import type { Commands } from '../commands.ts';

type Deps = { readonly commands: Commands; readonly readDb: ReadDb };

/** Throws `Rejected` (FORBIDDEN) for a caller who may not pay, where an agent could pay more without its rule. */
export async function requireMayEndRules(
  { commands, readDb }: Deps,
  { platformId, customerId, externalAccountId }: ExternalAccountDetails,
  caller: Pick<Principal, 'permissions'>,
): Promise<void> {
  if (customerId === null || mayPay(caller)) return;
  for (const agentId of await agentsWithRuleFor(readDb, platformId, customerId, externalAccountId)) {
    const agent = await commands.load('agent', uuidOf(agentId));
    if (agent.status === 'ACTIVE') requireMayPay(!widensWithout(agent.policy, externalAccountId));
  }
}

/** Throws `Rejected` (CONFLICT) where a rule names the account: an agent ends none, neither its own nor another's. */
export async function requireNoRules(
  { readDb }: Pick<Deps, 'readDb'>,
  { policy, details: { platformId, customerId } }: KnownAgent,
  externalAccountId: ExternalAccountId,
): Promise<void> {
  const isRuled =
    policy.accountRestrictions?.accountRules?.some(({ accountId }) => accountId === externalAccountId) ||
    (await agentsWithRuleFor(readDb, platformId, customerId, externalAccountId)).length > 0;
  if (isRuled)
    throw new Rejected('CONFLICT', "A rule of an agent's policy names the account: the platform deletes it.");
}
