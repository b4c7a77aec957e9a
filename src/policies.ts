import { agentPolicy } from './agents/policy.ts';
import type { Policy } from './aggregates.ts';
import { customerPolicy } from './customers/policy.ts';
import { externalAccountPolicy } from './external-accounts/policy.ts';
import { platformPolicy } from './platforms/policy.ts';
import { transactionPolicy } from './transactions/policy.ts';
import { verificationPolicy } from './verification/policy.ts';
import { walletPolicy } from './wallets/policy.ts';

/** Everything that follows from an event without anybody asking. */
export const policies: readonly Policy[] = [
  platformPolicy,
  customerPolicy,
  externalAccountPolicy,
  transactionPolicy,
  walletPolicy,
  verificationPolicy,
  agentPolicy,
];
