import type { Selectable } from 'kysely';
import type { AgentPolicy, Operation, Usage } from '../../src/domain/agents/events.ts';
import type { AgentAction, Problem } from '../../src/domain/agents/state.ts';
import type { AgentActionId, AgentId, CustomerId, PlatformId, TransactionId } from '../../src/kernel/ids.ts';
/** As in the events, with amounts as text: JSON has no integers of this size. */
export type StoredAmounts<T> = T extends bigint
  ? string
  : T extends object
    ? { [K in keyof T]: StoredAmounts<T[K]> }
    : T;

export type StoredTransfer = {
  readonly amount: string;
  readonly currency: string;
  readonly sourceAccountId: string;
  readonly destinationAccountId: string;
};

export type AgentActionsTable = {
  id: AgentActionId;
  platform_id: PlatformId;
  agent_id: AgentId;
  customer_id: CustomerId;
  platform_customer_id: string;
  type: Operation['type'];
  status: AgentAction['status'];
  /** The payment that it executes or makes; there may be none yet, or never. */
  transaction_id: TransactionId;
  transfer: StoredTransfer | null;
  rejection_reason: string | null;
  /** Why nothing came of it, where no transaction says so. */
  failure: Problem | null;
  /** When somebody approved or rejected it, and who: as in the metadata of events. */
  decided_at: Date | null;
  decided_by: string | null;
  created_at: Date;
  updated_at: Date;
};

export type AgentActionRow = Selectable<AgentActionsTable>;

export type AgentsTable = {
  id: AgentId;
  platform_id: PlatformId;
  customer_id: CustomerId;
  name: string;
  is_paused: boolean;
  is_connected: boolean;
  policy: StoredAmounts<AgentPolicy>;
  usage: StoredAmounts<Usage>;
  created_at: Date;
  updated_at: Date;
};

export type AgentRow = Selectable<AgentsTable>;
