/** A platform gets an account of its own in each of its currencies, as soon as it has the currency. */
import { accountsToOpen } from '../accounts/provisioning.ts';
import type { Reaction } from '../aggregates.ts';

export const platformReaction: Reaction = (event) => {
  if (event.type !== 'PlatformCreated' && event.type !== 'PlatformConfigChanged') return [];
  const { platformId, supportedCurrencies = [], at } = event.data;
  const currencies = supportedCurrencies.map(({ currencyCode }) => currencyCode);
  return accountsToOpen({
    platformId,
    ownerId: platformId,
    customerId: null,
    currencies,
    status: 'ACTIVE',
    at,
  });
};
