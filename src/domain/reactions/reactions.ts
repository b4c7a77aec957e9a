import type { Reaction } from '../aggregates.ts';
import type { Environment } from '../platforms/events.ts';
import { agentReaction } from './agents.ts';
import { customerReaction } from './customers.ts';
import { externalAccountReaction } from './external-accounts.ts';
import { paymentReactionIn } from './payments.ts';
import { platformReaction } from './platforms.ts';
import { verificationReaction } from './verification.ts';
import { walletReaction } from './wallets.ts';

/** Everything that follows from an event without anybody asking. */
export const reactionsIn = (environment: Environment): readonly Reaction[] => [
  platformReaction,
  customerReaction,
  externalAccountReaction,
  paymentReactionIn(environment),
  walletReaction,
  verificationReaction,
  agentReaction,
];
