/** For whom an agent may be: a customer who is there, and accounts of this customer. */
import type { ReadDb } from '../../../projections/database.ts';
import { externalAccountsOfCustomer } from '../../../projections/models/external-accounts.ts';
import { accountsOfCustomer } from '../../../projections/models/internal-accounts.ts';
import type { AgentPolicy } from '../../domain/agents/events.ts';
import type { PolicyChanges } from '../../domain/agents/policy-changes.ts';
import type { AgentDetails } from '../../domain/agents/state.ts';
import { requireNotDeleted } from '../../domain/customers/customer.ts';
import { isId, uuidOf } from '../../kernel/ids.ts';
import { Rejected } from '../../kernel/rejected.ts';
import type { Commands } from '../commands.ts';
import { loadCustomer } from '../find/customer.ts';

type Employer = Pick<AgentDetails, 'platformId' | 'customerId'>;

/** Throws `Rejected` (410) where the agent's customer is deleted. */
export async function requireEmployed(
  commands: Commands,
  { platformId, customerId }: Employer,
): Promise<void> {
  requireNotDeleted(await loadCustomer(commands, platformId, customerId));
}

/** Whether the agent's customer is there. */
export async function isEmployed(
  commands: Commands,
  { customerId }: Pick<Employer, 'customerId'>,
): Promise<boolean> {
  const customer = await commands.load('customer', uuidOf(customerId));
  return customer.status === 'active';
}

/** Throws `Rejected` (404) for accounts that are not the customer's. Those that the policy names already may stay. */
export async function requireOwnAccounts(
  readDb: ReadDb,
  { platformId, customerId }: Employer,
  changes: PolicyChanges,
  before?: AgentPolicy,
): Promise<void> {
  const known = before ? accountsIn(before) : [];
  const named = accountsIn(changes).filter((id) => !known.includes(id));
  const [inside, outside] = [
    named.filter((id) => isId('InternalAccount', id)),
    named.filter((id) => isId('ExternalAccount', id)),
  ];
  if (named.length === 0) return;
  const own = new Set([
    ...(await accountsOfCustomer(readDb, platformId, customerId, inside)),
    ...(await externalAccountsOfCustomer(readDb, platformId, customerId, outside)),
  ]);
  const foreign = named.filter((id) => !own.has(id));
  if (foreign.length === 0) return;
  throw new Rejected('REFERENCE_NOT_FOUND', `The customer has no account ${foreign.join(', ')}.`, {
    resource: isId('ExternalAccount', foreign[0] ?? '') ? 'ExternalAccount' : 'InternalAccount',
    accountIds: foreign,
  });
}

const accountsIn = ({ accountRestrictions }: Pick<PolicyChanges, 'accountRestrictions'>): string[] => {
  const { allowedAccountIds, accountRules } = accountRestrictions ?? {};
  return [...new Set([...(allowedAccountIds ?? []), ...(accountRules ?? []).map((rule) => rule.accountId)])];
};
