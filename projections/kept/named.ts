/** Whether a platform has something of an id, whatever it is. */
import type { Id, IdType, PlatformId } from '../../src/kernel/ids.ts';
import type { ReadDb } from '../database.ts';

/** What can be looked for by id alone, and where it stands. */
const tables = {
  Customer: 'customers',
  BeneficialOwner: 'beneficial_owners',
  Document: 'documents',
  Verification: 'verifications',
  InternalAccount: 'internal_accounts',
  ExternalAccount: 'external_accounts',
  Transaction: 'transactions',
  Agent: 'agents',
  Webhook: 'webhook_events',
  Request: 'request_log',
} as const satisfies Partial<Record<IdType, string>>;

type NamedType = keyof typeof tables;

export async function isThere<T extends NamedType>(
  db: ReadDb,
  platformId: PlatformId,
  type: T,
  id: Id<T>,
): Promise<boolean> {
  const found = await db
    // Every one of these tables has both columns, which the type of a union of tables cannot show.
    .selectFrom(tables[type] as 'customers')
    .select('id')
    .where('platform_id', '=', platformId)
    .where('id', '=', id as Id<'Customer'>)
    .executeTakeFirst();
  return found !== undefined;
}

/** Whose action it is, unless that agent was deleted. */
export const agentOfAction = (db: ReadDb, platformId: PlatformId, id: Id<'AgentAction'>) =>
  db
    .selectFrom('agent_actions')
    .innerJoin('agents', 'agents.id', 'agent_actions.agent_id')
    .select('agent_id')
    .where('agent_actions.platform_id', '=', platformId)
    .where('agent_actions.id', '=', id)
    .executeTakeFirst();
