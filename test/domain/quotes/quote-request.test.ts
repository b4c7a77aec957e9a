import { expect, it } from 'vitest';
import { unreadOf } from '../../../src/domain/quotes/quote-request.ts';
import { externalAccountId } from '../../support/builders/identities.ts';
import { quoteRequest } from '../../support/builders/parties.ts';

it('reads no account and no rail of a quote to a payment address', () => {
  const destination = {
    destinationType: 'UMA_ADDRESS',
    umaAddress: '$success.usd@sandbox.daybook.test',
    accountId: externalAccountId,
    paymentRail: 'SEPA',
  } as const;
  const lookupId = 'Lookup:0199d3a1-0000-7000-8000-000000000001';
  const request = quoteRequest({ destination, lookupId });
  expect(unreadOf(request)).toEqual(['destination.accountId', 'destination.paymentRail']);
});
