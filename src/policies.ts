import { agentPolicy } from './agents/policy.ts';
import type { Policy } from './aggregates.ts';
import { customerPolicy } from './customers/policy.ts';
import { externalAccountPolicy } from './external-accounts/policy.ts';
import { platformPolicy } from './platforms/policy.ts';
import { transactionPolicy } from './transactions/policy.ts';

/** Everything that follows from an event without anybody asking. */
export const policies: readonly Policy[] = [
  platformPolicy,
  customerPolicy,
  externalAccountPolicy,
  transactionPolicy,
  agentPolicy,
];
