import { expect, it } from 'vitest';
import { unreadOf } from '../../../src/domain/quotes/quote-request.ts';
import { accountId, externalAccountId } from '../../support/builders/identities.ts';
import { quoteRequest } from '../../support/builders/parties.ts';
import { realtime } from '../../support/builders/quoted.ts';

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

it('reads no rail of a quote to an internal account', () => {
  const toAccount = (id: string) => quoteRequest({ destination: { accountId: id, paymentRail: 'PIX' } });
  expect(unreadOf(toAccount(accountId))).toEqual(['destination.paymentRail']);
  expect(unreadOf(toAccount(externalAccountId))).toEqual([]);
});

it.each([
  ['USD', ['source.cryptoNetwork']],
  ['USDC', []],
  ['XYZ', []],
])('reads the network of what is paid in %s but for %j', (currency, unread) => {
  expect(unreadOf(quoteRequest({ source: realtime(currency, 'SOLANA') }))).toEqual(unread);
});
