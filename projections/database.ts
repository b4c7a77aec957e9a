import { Kysely, PostgresDialect, type Transaction } from 'kysely';
import type { Pool } from '../src/infrastructure/postgres.ts';
import type { AgentActionsTable } from './agent-actions.ts';
import type { AgentsTable } from './agents.ts';
import type { ApiTokensTable } from './api-tokens.ts';
import type { BeneficialOwnersTable } from './beneficial-owners.ts';
import type { CheckpointsTable } from './checkpoints.ts';
import type { CustomersTable } from './customers.ts';
import type { DocumentsTable } from './documents.ts';
import type { EmailsTable } from './emails.ts';
import type { ExternalAccountsTable } from './external-accounts.ts';
import type { InternalAccountsTable } from './internal-accounts.ts';
import type { LedgerBalancesTable, PostingsTable } from './ledger.ts';
import type { TimersTable } from './timers.ts';
import type { TransactionsTable } from './transaction-row.ts';
import type { VerificationsTable } from './verifications.ts';
import type { WalletCredentialsTable, WalletSessionsTable } from './wallets.ts';
import type { WebhookEndpointsTable } from './webhook-endpoints.ts';
import type { WebhookAttemptsTable, WebhookEventsTable } from './webhook-events.ts';

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
