import { Kysely, PostgresDialect, type Transaction } from 'kysely';
import type { Pool } from '../src/infrastructure/postgres/pool.ts';
import type { AgentActionsTable } from './models/agent-actions.ts';
import type { AgentsTable } from './models/agents.ts';
import type { BeneficialOwnersTable } from './models/beneficial-owners.ts';
import type { CustomersTable } from './models/customers.ts';
import type { DocumentsTable } from './models/documents.ts';
import type { ExternalAccountsTable } from './models/external-accounts.ts';
import type { InternalAccountsTable } from './models/internal-accounts.ts';
import type { LedgerBalancesTable, PostingsTable } from './models/ledger.ts';
import type { TimersTable } from './models/timers.ts';
import type { TransactionsTable } from './models/transaction-row.ts';
import type { VerificationsTable } from './models/verifications.ts';
import type { WalletCredentialsTable, WalletSessionsTable } from './models/wallets.ts';
import type { WebhookEndpointsTable } from './models/webhook-endpoints.ts';
import type { CheckpointsTable } from './projector/checkpoints.ts';
import type { ApiTokensTable } from './tables/api-tokens.ts';
import type { EmailsTable } from './tables/emails.ts';
import type { WebhookAttemptsTable, WebhookEventsTable } from './tables/webhook-events.ts';

/** The read models, copied from the log and rebuilt from it at will; how far the copies have come; the outbox; API tokens. */
export type Database = {
  customers: CustomersTable;
  beneficial_owners: BeneficialOwnersTable;
  verifications: VerificationsTable;
  documents: DocumentsTable;
  internal_accounts: InternalAccountsTable;
  external_accounts: ExternalAccountsTable;
  transactions: TransactionsTable;
  postings: PostingsTable;
  ledger_balances: LedgerBalancesTable;
  agents: AgentsTable;
  agent_actions: AgentActionsTable;
  timers: TimersTable;
  checkpoints: CheckpointsTable;
  wallet_credentials: WalletCredentialsTable;
  wallet_sessions: WalletSessionsTable;
  emails: EmailsTable;
  webhook_endpoints: WebhookEndpointsTable;
  webhook_events: WebhookEventsTable;
  webhook_attempts: WebhookAttemptsTable;
  api_tokens: ApiTokensTable;
};

export type ReadDb = Kysely<Database>;
export type WriteDb = Transaction<Database>;

export const createReadDb = (pool: Pool): ReadDb =>
  new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
