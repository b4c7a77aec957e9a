/** Every kind of stream in the log: its name's first part, its rules and its events. */

import type { FollowedOf, InstructionOf, ReactionOf, RecordedOf } from '../kernel/aggregate.ts';
import type { EventSchemas } from '../kernel/codecs.ts';
import { account } from './accounts/account.ts';
import { accountEvents } from './accounts/events.ts';
import { agent } from './agents/agent.ts';
import { agentEvents } from './agents/events.ts';
import { assertBalanced } from './books/postings.ts';
import { closingOfAccount, closingOfAgent, closingOfWallet } from './closings.ts';
import { customer } from './customers/customer.ts';
import { customerEvents } from './customers/events.ts';
import { document } from './documents/document.ts';
import { documentEvents } from './documents/events.ts';
import { externalAccountEvents } from './external-accounts/events.ts';
import { externalAccount } from './external-accounts/external-account.ts';
import { installationEvents } from './installation/events.ts';
import { installation } from './installation/installation.ts';
import { invitationEvents } from './invitations/events.ts';
import { invitation } from './invitations/invitation.ts';
import { lookupEvents } from './lookups/events.ts';
import { lookup } from './lookups/lookup.ts';
import { transactionEvents } from './payments/events.ts';
import { waitsFor } from './payments/life/moves.ts';
import type { Transaction } from './payments/life/progress.ts';
import { transaction } from './payments/transaction.ts';
import { platformClockEvents } from './platform-clocks/events.ts';
import { platformClock } from './platform-clocks/platform-clock.ts';
import { platformEvents } from './platforms/events.ts';
import { platform } from './platforms/platform.ts';
import { reservationEvents } from './reservations/events.ts';
import { reservation } from './reservations/reservation.ts';
import { restorationEvents } from './restorations/events.ts';
import { restorations } from './restorations/restorations.ts';
import { bytesOfAccount, bytesOfAgent, bytesOfTransaction, bytesOfWallet } from './state-sizes.ts';
import { tokenEvents } from './tokens/events.ts';
import { token } from './tokens/token.ts';
import { ownerEvents, verificationEvents } from './verification/events.ts';
import { beneficialOwner } from './verification/owner.ts';
import { verification } from './verification/verification.ts';
import { walletEvents } from './wallets/events.ts';
import { wallet } from './wallets/wallet.ts';

export const aggregates = {
  platform: { category: 'platform', schemas: platformEvents, decider: platform, closing: { version: 2 } },
  customer: { category: 'customer', schemas: customerEvents, decider: customer, closing: { version: 1 } },
  account: {
    category: 'account',
    schemas: accountEvents,
    decider: account,
    check: assertBalanced,
    extraBytes: bytesOfAccount,
    closing: closingOfAccount,
  },
  externalAccount: { category: 'externalaccount', schemas: externalAccountEvents, decider: externalAccount },
  transaction: {
    category: 'transaction',
    schemas: transactionEvents,
    decider: transaction,
    check: assertBalanced,
    extraBytes: bytesOfTransaction,
    isOver: (state: Transaction) => state.stage !== 'none' && waitsFor(state) === 'nobody',
  },
  lookup: { category: 'lookup', schemas: lookupEvents, decider: lookup },
  invitation: { category: 'invitation', schemas: invitationEvents, decider: invitation },
  wallet: {
    category: 'wallet',
    schemas: walletEvents,
    decider: wallet,
    extraBytes: bytesOfWallet,
    closing: closingOfWallet,
  },
  beneficialOwner: { category: 'beneficialowner', schemas: ownerEvents, decider: beneficialOwner },
  document: { category: 'document', schemas: documentEvents, decider: document },
  verification: { category: 'verification', schemas: verificationEvents, decider: verification },
  agent: {
    category: 'agent',
    schemas: agentEvents,
    decider: agent,
    extraBytes: bytesOfAgent,
    closing: closingOfAgent,
  },
  token: { category: 'token', schemas: tokenEvents, decider: token },
  reservation: {
    category: 'reservation',
    schemas: reservationEvents,
    decider: reservation,
    closing: { version: 1 },
  },
  installation: { category: 'installation', schemas: installationEvents, decider: installation },
  platformClock: {
    category: 'platformclock',
    schemas: platformClockEvents,
    decider: platformClock,
    closing: { version: 2 },
  },
  restorations: {
    category: 'restorations',
    schemas: restorationEvents,
    decider: restorations,
  },
};
export type Aggregates = typeof aggregates;

export type Instruction = InstructionOf<Aggregates>;
/** What follows from an event without anybody asking. */
export type Reaction = ReactionOf<Aggregates>;
export type DomainEvent = RecordedOf<Aggregates>;
/** An event with the state of its stream after it. */
export type FollowedEvent = FollowedOf<Aggregates>;

/** The schema of every event type of the log. */
export const eventSchemas: EventSchemas = Object.assign(
  {},
  ...Object.values(aggregates).map(({ schemas }) => schemas),
);
