/** A bank account or wallet outside the service, registered for payouts or pulls. Deleting it keeps its history. */
import type { Decider } from '../../kernel/decider.ts';
import type { ExternalAccountId } from '../../kernel/ids.ts';
import { invariant } from '../../kernel/invariant.ts';
import { erasedWord } from '../../kernel/personal.ts';
import { Rejected } from '../../kernel/rejected.ts';
import { primaryIdentifier } from './definitions.ts';
import type { ExternalAccountEvent } from './events.ts';
import type { LaterStatus } from './status.ts';

export type ExternalAccountDetails = Extract<
  ExternalAccountEvent,
  { type: 'ExternalAccountCreated' }
>['data'];

export type ExternalAccountCommand =
  | { readonly type: 'CreateExternalAccount'; readonly details: ExternalAccountDetails }
  /** Does nothing where it is so already. */
  | {
      readonly type: 'ChangeExternalAccountStatus';
      readonly status: LaterStatus;
      readonly reason: string;
      readonly at: Date;
    }
  /** Sees to it that an account that is not registered never will be. */
  | { readonly type: 'EndClaim'; readonly externalAccountId: ExternalAccountId; readonly at: Date }
  | { readonly type: 'DeleteExternalAccount'; readonly at: Date };

export type RegisteredExternalAccount = {
  readonly kind: 'registered';
  /** As it was registered, with the status that it has now. */
  readonly details: ExternalAccountDetails;
  readonly isDeleted: boolean;
  readonly updatedAt: Date;
};
export type ExternalAccount = { readonly kind: 'none'; readonly isEnded?: true } | RegisteredExternalAccount;

export const externalAccount: Decider<ExternalAccount, ExternalAccountCommand, ExternalAccountEvent> = {
  initial: { kind: 'none' },

  decide(command, state) {
    switch (command.type) {
      case 'CreateExternalAccount':
        if (state.kind !== 'none') return [];
        if (state.isEnded) throw overtaken();
        return [{ type: 'ExternalAccountCreated', data: command.details }];
      case 'EndClaim': {
        const { externalAccountId, at } = command;
        if (state.kind !== 'none' || state.isEnded) return [];
        return [{ type: 'ExternalAccountClaimEnded', data: { externalAccountId, at } }];
      }
      case 'ChangeExternalAccountStatus': {
        if (state.kind === 'none' || state.isDeleted) throw externalAccountNotFound();
        const { status, reason, at } = command;
        const { externalAccountId, status: before } = state.details;
        if (status === before) return [];
        return [{ type: 'ExternalAccountStatusChanged', data: { externalAccountId, status, reason, at } }];
      }
      case 'DeleteExternalAccount': {
        if (state.kind === 'none' || state.isDeleted) throw externalAccountNotFound();
        const { externalAccountId, reservation } = state.details;
        return [{ type: 'ExternalAccountDeleted', data: { externalAccountId, reservation, at: command.at } }];
      }
    }
  },

  evolve(state, event) {
    if (event.type === 'ExternalAccountCreated') {
      return { kind: 'registered', details: event.data, isDeleted: false, updatedAt: event.data.at };
    }
    if (event.type === 'ExternalAccountClaimEnded') return { kind: 'none', isEnded: true };
    invariant(state.kind === 'registered', `${event.type} before it was created`);
    if (event.type === 'ExternalAccountStatusChanged') {
      const { status, at } = event.data;
      return { ...state, details: { ...state.details, status }, updatedAt: at };
    }
    return { ...state, isDeleted: true, updatedAt: event.data.at };
  },
};

/** What is answered when the owner has the account already. */
export const alreadyRegistered = {
  code: 'CONFLICT',
  message: 'This account is registered for the same owner already.',
} as const;

/** What is answered to a request that took so long that somebody else was given its number. */
const overtaken = () =>
  new Rejected(
    alreadyRegistered.code,
    'The request took too long, and another one for the same account came before it. It registered nothing.',
  );

/**
 * Whether the account says what one says whose owner is erased, and so names nothing that could be paid. Somebody may have
 * registered it like that: its owner knows.
 */
export const saysErased = ({ accountInfo }: ExternalAccountDetails): boolean =>
  primaryIdentifier(accountInfo) === erasedWord;

/** Whether the account holds its number no more, or never will. */
export const hasEnded = (state: ExternalAccount): boolean =>
  state.kind === 'none' ? state.isEnded === true : state.isDeleted;

export const externalAccountNotFound = () =>
  new Rejected('REFERENCE_NOT_FOUND', 'There is no such external account.', { resource: 'ExternalAccount' });
