import { z } from 'zod';
import { type EventOf, instant, minorUnits, moneyCodec, personal } from '../../kernel/codecs.ts';
import { idField } from '../../kernel/ids.ts';
import { outflowLimits, quoteTerms, transferTerms } from '../payments/events.ts';
import { signedBy } from '../wallets/events.ts';

/** What a policy can give (docs/reference/agents.md). */
export const agentPermissions = [
  'VIEW_TRANSACTIONS',
  'CREATE_TRANSFERS',
  'CREATE_QUOTES',
  'EXECUTE_QUOTES',
  'MANAGE_EXTERNAL_ACCOUNTS',
] as const;
export type AgentPermission = (typeof agentPermissions)[number];

/** What becomes of an operation that the policy allows. */
export const executionModes = ['AUTO', 'APPROVAL_REQUIRED'] as const;
export type ExecutionMode = (typeof executionModes)[number];

const currency = z.string().min(1);

/** What an agent may do. A limit that is absent does not limit. Amounts are in the currency of their limits. */
const agentPolicy = z.object({
  permissions: z.array(z.enum(agentPermissions)),
  defaultExecutionMode: z.enum(executionModes),
  spendingLimits: z.object({
    currency,
    perTransactionLimit: minorUnits,
    dailyLimit: minorUnits.optional(),
    dailyTransactionLimit: z.int().min(0).optional(),
    monthlyLimit: minorUnits.optional(),
  }),
  accountRestrictions: z
    .object({
      /** Absent: all accounts of the customer. */
      allowedAccountIds: z.array(z.string()).optional(),
      accountRules: z
        .array(
          z.object({
            accountId: z.string(),
            executionMode: z.enum(executionModes).optional(),
            perTransactionLimit: minorUnits.optional(),
          }),
        )
        .optional(),
    })
    .optional(),
  /** An amount above it needs approval. */
  approvalThresholds: z.object({ currency, amount: minorUnits.optional() }).optional(),
});
export type AgentPolicy = z.output<typeof agentPolicy>;

/** What has been spent on a UTC day and in its month, in the currency of the spending limits. */
const usage = z.object({
  day: z.iso.date(),
  dailyTransactionCount: z.int().min(0),
  dailySpend: minorUnits,
  monthlySpend: minorUnits,
});
export type Usage = z.output<typeof usage>;

/** What an action does; carries all that is needed to do it. */
const operation = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('EXECUTE_QUOTE'),
    quoteId: idField('Quote'),
    transactionId: idField('Transaction'),
    source: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('INTERNAL'), accountId: idField('InternalAccount') }),
      z.object({ kind: z.literal('EXTERNAL'), accountId: idField('ExternalAccount') }),
    ]),
    /** Where the money stays with the customer. */
    destinationAccountId: idField('InternalAccount').optional(),
    amount: moneyCodec,
    limits: outflowLimits.optional(),
    /** Of a wallet: whose session key signed the quote's `payloadToSign`. */
    signedBy: signedBy.optional(),
    /** The quote, where the action creates it. */
    creates: quoteTerms.optional(),
  }),
  z.object({ type: z.literal('TRANSFER_OUT'), transfer: transferTerms }),
  z.object({ type: z.literal('TRANSFER_IN'), transfer: transferTerms }),
]);
export type Operation = z.output<typeof operation>;

const agentId = idField('Agent');
const action = {
  agentId,
  actionId: idField('AgentAction'),
  customerId: idField('Customer'),
  platformCustomerId: z.string(),
};
const deviceCodeId = z.uuid();
/** Of what waited for approval: who approved or rejected it, as in the metadata. Absent where the policy alone allowed it. */
const decidedBy = z.string().min(1).optional();

/** Persisted for ever: add optional fields; never rename, retype or reuse one. */
export const agentEvents = {
  AgentCreated: z.object({
    platformId: idField('Platform'),
    agentId,
    /** The customer the agent acts for. */
    customerId: idField('Customer'),
    platformCustomerId: z.string(),
    name: z.string().min(1),
    policy: agentPolicy,
    at: instant,
  }),
  /** What has changed. Those that have both are of a time when the other was written too, changed or not. */
  AgentChanged: z.object({
    agentId,
    name: z.string().min(1).optional(),
    isPaused: z.boolean().optional(),
    at: instant,
  }),
  /** The whole policy as it is from now on; with the usage where the limits have another currency now. */
  AgentPolicyChanged: z.object({ agentId, policy: agentPolicy, usage: usage.optional(), at: instant }),
  /** A device code was issued; those before it that were not redeemed are void. The code itself is nowhere in the log. */
  DeviceCodeIssued: z.object({ agentId, deviceCodeId, expiresAt: instant, at: instant }),
  /** The device code was redeemed, and the agent has an access token from now on. */
  AgentConnected: z.object({ agentId, deviceCodeId, tokenId: z.uuid(), at: instant }),
  AgentDeleted: z.object({ agentId, at: instant }),
  /** The agent asks for something that needs the platform's approval. */
  AgentActionRequested: z.object({ ...action, operation, at: instant }),
  /** The action is allowed, its amount is counted, and what follows from it is under way. */
  AgentActionStarted: z.object({ ...action, operation, spend: moneyCodec, usage, decidedBy, at: instant }),
  /** Nothing came of it; with the usage where its amount does not count any more. */
  AgentActionFailed: z.object({
    agentId,
    actionId: idField('AgentAction'),
    /** Absent where the transaction says why. */
    problem: z.object({ code: z.string().min(1), message: z.string() }).optional(),
    usage: usage.optional(),
    decidedBy,
    /** Nobody has decided: what the action waited to do is over. */
    undecided: z.literal(true).optional(),
    at: instant,
  }),
  AgentActionRejected: z.object({
    agentId,
    actionId: idField('AgentAction'),
    rejectionReason: personal(z.string()),
    decidedBy,
    at: instant,
  }),
};
export type AgentEvent = EventOf<typeof agentEvents>;
