import type { LookupDetails } from '../../../src/domain/lookups/lookup.ts';
import { msLater, testStart } from '../time/clock.ts';
import { customerId, lookupId, platformId } from './identities.ts';

export const lookupDetails = (overrides: Partial<LookupDetails> = {}): LookupDetails => ({
  lookupId,
  platformId,
  customerId,
  receiver: '$grace@bank.example',
  requiredPayerDataFields: [],
  currencies: ['USD'],
  expiresAt: msLater(900_000),
  at: testStart,
  ...overrides,
});

export const lookupCreated = (overrides: Partial<LookupDetails> = {}) =>
  ({ type: 'LookupCreated', data: lookupDetails(overrides) }) as const;
