import type { ExternalAccountEvent } from '../../../src/domain/external-accounts/events.ts';
import type { ExternalAccountDetails } from '../../../src/domain/external-accounts/external-account.ts';
import { testStart } from '../time/clock.ts';
import type { DataOf } from './events.ts';
import { validAccountInfo } from './external-accounts.ts';
import { customerId, externalAccountId, externalReservation, platformId } from './identities.ts';

export const externalAccountDetails = (
  overrides: Partial<ExternalAccountDetails> = {},
): ExternalAccountDetails => ({
  platformId,
  externalAccountId,
  customerId,
  currency: 'EUR',
  accountInfo: validAccountInfo('EUR_ACCOUNT'),
  defaultUmaDepositAccount: false,
  reservation: externalReservation,
  status: 'ACTIVE',
  at: testStart,
  ...overrides,
});

type Deleted = DataOf<ExternalAccountEvent, 'ExternalAccountDeleted'>;

export const externalAccountCreated = (overrides: Partial<ExternalAccountDetails> = {}) =>
  ({ type: 'ExternalAccountCreated', data: externalAccountDetails(overrides) }) as const;

export const externalAccountDeleted = (overrides: Partial<Deleted> = {}) =>
  ({
    type: 'ExternalAccountDeleted',
    data: { externalAccountId, reservation: externalReservation, at: testStart, ...overrides },
  }) as const;

export const externalAccountClaimEnded = () =>
  ({ type: 'ExternalAccountClaimEnded', data: { externalAccountId, at: testStart } }) as const;

type StatusChanged = DataOf<ExternalAccountEvent, 'ExternalAccountStatusChanged'>;

export const externalStatusChanged = (
  status: StatusChanged['status'],
  overrides: Partial<StatusChanged> = {},
) =>
  ({
    type: 'ExternalAccountStatusChanged',
    data: { externalAccountId, status, reason: 'looked at', at: testStart, ...overrides },
  }) as const;
