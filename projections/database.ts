import { Kysely, PostgresDialect, type Transaction } from 'kysely';
import type { Pool } from '../src/infrastructure/postgres/pool.ts';
import { preparing } from './prepared.ts';
import type {
  ExternalAccountsTable,
  FundingReferencesTable,
  InternalAccountsTable,
} from './tables/accounts.ts';
import type { AgentActionsTable, AgentsTable } from './tables/agents.ts';
import type { ApiTokensTable, DeletedTokensTable } from './tables/api-tokens.ts';
import type { CheckpointsTable, FollowedLogTable } from './tables/checkpoints.ts';
import type {
  BeneficialOwnersTable,
  CustomersTable,
  DocumentsTable,
  VerificationsTable,
} from './tables/customers.ts';
import type { LedgerBalancesTable, PostingsTable } from './tables/ledger.ts';
import type { ParkedWorkTable } from './tables/parked.ts';
import type { PlatformClocksTable } from './tables/platform-clocks.ts';
import type { RequestBodiesTable, RequestLogTable } from './tables/request-log.ts';
import type {
  TimersTable,
  TransactionsTable,
  TransactionTotalsTable,
  UncompletedTransactionsTable,
} from './tables/transactions.ts';
import type { EmailsTable, WalletCredentialsTable, WalletSessionsTable } from './tables/wallets.ts';
import type {
  WebhookAttemptsTable,
  WebhookCutoffsTable,
  WebhookEndpointsTable,
  WebhookEventsTable,
} from './tables/webhooks.ts';

/** The read models, copied from the log and rebuilt from it at will; how far the copies have come; the outbox; API tokens. */
export type Database = {
  customers: CustomersTable;
  beneficial_owners: BeneficialOwnersTable;
  verifications: VerificationsTable;
  documents: DocumentsTable;
  internal_accounts: InternalAccountsTable;
  funding_references: FundingReferencesTable;
  external_accounts: ExternalAccountsTable;
  transactions: TransactionsTable;
  uncompleted_transactions: UncompletedTransactionsTable;
  transaction_totals: TransactionTotalsTable;
  postings: PostingsTable;
  ledger_balances: LedgerBalancesTable;
  agents: AgentsTable;
  agent_actions: AgentActionsTable;
  timers: TimersTable;
  platform_clocks: PlatformClocksTable;
  checkpoints: CheckpointsTable;
  followed_log: FollowedLogTable;
  parked_work: ParkedWorkTable;
  wallet_credentials: WalletCredentialsTable;
  wallet_sessions: WalletSessionsTable;
  emails: EmailsTable;
  webhook_endpoints: WebhookEndpointsTable;
  webhook_cutoffs: WebhookCutoffsTable;
  webhook_events: WebhookEventsTable;
  webhook_attempts: WebhookAttemptsTable;
  api_tokens: ApiTokensTable;
  deleted_tokens: DeletedTokensTable;
  request_log: RequestLogTable;
  request_bodies: RequestBodiesTable;
};

export type ReadDb = Kysely<Database>;
export type WriteDb = Transaction<Database>;

export const createReadDb = (pool: Pool): ReadDb =>
  new Kysely<Database>({ dialect: new PostgresDialect({ pool: preparing(pool) }) });
