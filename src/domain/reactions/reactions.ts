import type { Policy } from '../aggregates.ts';
import { agentPolicy } from './agents.ts';
import { customerPolicy } from './customers.ts';
import { externalAccountPolicy } from './external-accounts.ts';
import { transactionPolicy } from './payments.ts';
import { platformPolicy } from './platforms.ts';
import { verificationPolicy } from './verification.ts';
import { walletPolicy } from './wallets.ts';

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
