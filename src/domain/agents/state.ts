import type { KeyedHistory } from '../../kernel/keyed-history.ts';
import type { Money } from '../../kernel/money.ts';
import type { AgentEvent, AgentPolicy, Operation, Usage } from './events.ts';

type Execution = Extract<Operation, { type: 'EXECUTE_QUOTE' }>;

/** What an action does, without the quote that it creates: that has a stream of its own, and may say much. */
export type KeptOperation =
  | Exclude<Operation, Execution>
  | (Omit<Execution, 'creates'> & { readonly createsQuote?: true });

export type AgentAction = {
  readonly status: 'PENDING_APPROVAL' | 'APPROVED' | 'REJECTED' | 'FAILED';
  readonly operation: KeptOperation;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** What is counted, on which day, and how often the counters had been restated by then. */
  readonly counted?: { readonly spend: Money; readonly on: string; readonly restatements: number };
  readonly problem?: Problem | undefined;
  readonly rejectionReason?: string;
  /** When somebody approved or rejected it: never where the policy alone allowed it. */
  readonly decidedAt?: Date;
  /** Who did, as in the metadata of events. Events of former versions do not say. */
  readonly decidedBy?: string | undefined;
};

export type Problem = NonNullable<Extract<AgentEvent, { type: 'AgentActionFailed' }>['data']['problem']>;

export type AgentDetails = Extract<AgentEvent, { type: 'AgentCreated' }>['data'];

export type DeviceCode = { readonly deviceCodeId: string; readonly expiresAt: Date };

export type KnownAgent = {
  readonly status: 'ACTIVE' | 'DELETED';
  readonly details: Omit<AgentDetails, 'name' | 'policy'>;
  readonly name: string;
  readonly isPaused: boolean;
  readonly policy: AgentPolicy;
  readonly usage: Usage;
  /** How often the usage was restated in another currency of the limits. */
  readonly restatements: number;
  /** The last one issued: those before it are void. */
  readonly deviceCode: DeviceCode;
  /** The token that acts for the agent, once a device code has been redeemed. */
  readonly tokenId?: string;
  /** By id. Those that wait for approval are in memory, however old they are. */
  readonly actions: KeyedHistory<AgentAction>;
  readonly updatedAt: Date;
};

export type Agent = { readonly status: 'NONE' } | KnownAgent;
