/**
 * A platform gets an account of its own in each of its currencies, as soon as it has the currency. The domain that was
 * held for it becomes its own.
 */
import { accountsToOpen } from '../accounts/provisioning.ts';
import type { Instruction, Reaction } from '../aggregates.ts';
import { paymentDomainStream } from '../platforms/domains.ts';
import type { HeldDomain } from '../platforms/events.ts';

export const platformReaction: Reaction = (event) => {
  if (event.type !== 'PlatformCreated' && event.type !== 'PlatformConfigChanged') return [];
  const { platformId, supportedCurrencies = [], at } = event.data;
  const held = event.type === 'PlatformCreated' ? firstHold(event.data) : event.data.held;
  const currencies = supportedCurrencies.map(({ currencyCode }) => currencyCode);
  const accounts = accountsToOpen({
    platformId,
    ownerId: platformId,
    customerId: null,
    currencies,
    status: 'ACTIVE',
    at,
  });
  return [...(held ? [confirmation(held, platformId, at)] : []), ...accounts];
};

const firstHold = ({ umaDomain }: { readonly umaDomain: string }): HeldDomain => ({
  reservation: paymentDomainStream(umaDomain),
});

const confirmation = ({ reservation: uuid, claim }: HeldDomain, holder: string, at: Date): Instruction => ({
  to: 'reservation',
  uuid,
  command: { type: 'ConfirmReservation', holder, ...(claim !== undefined && { claim }), at },
});
