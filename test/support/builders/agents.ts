import type { AgentEvent, AgentPolicy, Operation, Usage } from '../../../src/domain/agents/events.ts';
import type { AgentDetails } from '../../../src/domain/agents/state.ts';
import type { QuoteTerms } from '../../../src/domain/payments/events.ts';
import { idOf } from '../../../src/kernel/ids.ts';
import { msLater, testStart } from '../time/clock.ts';
import { uuidNumber } from '../values/ids.ts';
import type { DataOf } from './events.ts';
import {
  accountId,
  customerId,
  externalAccountId,
  platformId,
  quoteId,
  transactionId,
} from './identities.ts';
import { usd } from './money.ts';
import { ratesTable } from './rates.ts';
import { quoteTerms, transferIn, transferOut } from './terms.ts';

export const agentId = idOf('Agent', uuidNumber(20));
export const actionId = idOf('AgentAction', uuidNumber(21));
export const otherActionId = idOf('AgentAction', uuidNumber(22));
export const deviceCodeId = uuidNumber(23);
export const laterCodeId = uuidNumber(24);
export const tokenId = uuidNumber(25);
export const agentAction = { agentId, actionId };

const at = testStart;
/** A euro is 1.10 dollars. */
export const rates = ratesTable({ mid: { EUR: '1.1', GBP: '1.3', VND: '0.00004' } });

/** Everything is allowed up to 1000.00 USD at a time, by itself. */
export const policyOf = ({
  spendingLimits,
  allowedAccountIds,
  accountRules,
  ...overrides
}: Partial<Omit<AgentPolicy, 'spendingLimits'>> & {
  spendingLimits?: Partial<AgentPolicy['spendingLimits']>;
} & AgentPolicy['accountRestrictions'] = {}): AgentPolicy => ({
  permissions: ['VIEW_TRANSACTIONS', 'CREATE_TRANSFERS', 'CREATE_QUOTES', 'EXECUTE_QUOTES'],
  defaultExecutionMode: 'AUTO',
  spendingLimits: { currency: 'USD', perTransactionLimit: 1_000_00n, ...spendingLimits },
  ...((allowedAccountIds || accountRules) && {
    accountRestrictions: {
      ...(allowedAccountIds && { allowedAccountIds }),
      ...(accountRules && { accountRules }),
    },
  }),
  ...overrides,
});

export const usageOf = (overrides: Partial<Usage> = {}): Usage => ({
  day: '2026-11-02',
  dailyTransactionCount: 0,
  dailySpend: 0n,
  monthlySpend: 0n,
  ...overrides,
});

export const counted = (minor: bigint, overrides: Partial<Usage> = {}): Usage =>
  usageOf({ dailyTransactionCount: 1, dailySpend: minor, monthlySpend: minor, ...overrides });

export const agentDetails = (overrides: Partial<AgentDetails> = {}): AgentDetails => ({
  platformId,
  agentId,
  customerId,
  platformCustomerId: 'user-1',
  name: 'Bookkeeper',
  policy: policyOf(),
  at,
  ...overrides,
});

export const deviceCode = { deviceCodeId, expiresAt: msLater(86_400_000) };

export const agentCreated = (overrides: Partial<AgentDetails> = {}) =>
  ({ type: 'AgentCreated', data: agentDetails(overrides) }) as const;
export const codeIssued = (overrides: Partial<DataOf<AgentEvent, 'DeviceCodeIssued'>> = {}) =>
  ({ type: 'DeviceCodeIssued', data: { agentId, ...deviceCode, at, ...overrides } }) as const;
export const agentChanged = (changes: Partial<DataOf<AgentEvent, 'AgentChanged'>>) =>
  ({ type: 'AgentChanged', data: { agentId, at, ...changes } }) as const;
export const policyChanged = (policy: AgentPolicy, usage?: Usage) =>
  ({ type: 'AgentPolicyChanged', data: { agentId, policy, ...(usage && { usage }), at } }) as const;
export const agentConnected = () =>
  ({ type: 'AgentConnected', data: { agentId, deviceCodeId, tokenId, at } }) as const;
export const agentDeleted = () => ({ type: 'AgentDeleted', data: { agentId, at } }) as const;

/** The execution of the quote of `quoteTerms`: 100.00 USD. */
export const quoteExecution = (overrides: Partial<Extract<Operation, { type: 'EXECUTE_QUOTE' }>> = {}) => ({
  type: 'EXECUTE_QUOTE' as const,
  quoteId,
  transactionId,
  source: { kind: 'INTERNAL' as const, accountId },
  amount: usd(100_00n),
  ...overrides,
});
export const immediate = (terms: Partial<QuoteTerms> = {}) =>
  quoteExecution({ creates: quoteTerms({ agentId, ...terms }) });
export const fromBank = (overrides: object = {}) =>
  quoteExecution({ source: { kind: 'EXTERNAL', accountId: externalAccountId }, ...overrides });

/** 100.00 USD to a bank. */
export const payout = (amount = usd(100_00n)) => ({
  type: 'TRANSFER_OUT' as const,
  transfer: transferOut({ amount, agentAction }),
});
export const pull = (amount = usd(100_00n)) => ({
  type: 'TRANSFER_IN' as const,
  transfer: transferIn({ amount, agentAction }),
});

const subject = { agentId, actionId, customerId, platformCustomerId: 'user-1' };

export const actionRequested = (
  operation: Operation = payout(),
  overrides: Partial<DataOf<AgentEvent, 'AgentActionRequested'>> = {},
) => ({ type: 'AgentActionRequested', data: { ...subject, operation, at, ...overrides } }) as const;

export const actionStarted = (
  operation: Operation = payout(),
  overrides: Partial<DataOf<AgentEvent, 'AgentActionStarted'>> = {},
) =>
  ({
    type: 'AgentActionStarted',
    data: { ...subject, operation, spend: usd(100_00n), usage: counted(100_00n), at, ...overrides },
  }) as const;

export const actionFailed = (overrides: Partial<DataOf<AgentEvent, 'AgentActionFailed'>> = {}) =>
  ({ type: 'AgentActionFailed', data: { agentId, actionId, at, ...overrides } }) as const;

export const actionRejected = (rejectionReason = 'Rejected by platform', decidedBy?: string) =>
  ({
    type: 'AgentActionRejected',
    data: { agentId, actionId, rejectionReason, ...(decidedBy && { decidedBy }), at },
  }) as const;
