import { describe, expect, it } from 'vitest';
import { primaryAccount, walletAccount } from '../../../src/domain/accounts/provisioning.ts';
import { activeCustomer, activePlatform } from '../../support/builders/customers.ts';
import { accountId, customerId, platformId } from '../../support/builders/identities.ts';
import { balance, outside, pullable } from '../../support/builders/parties.ts';
import { lifetimeMs, quoted as quotedAs, realtime } from '../../support/builders/quoted.ts';
import { thrownBy } from '../../support/builders/spec.ts';
import { msLater } from '../../support/time/clock.ts';

const quoted = (...[request, ...rest]: Parameters<typeof quotedAs>) =>
  quotedAs({ lockedCurrencyAmount: 100_000_000, ...request }, ...rest);
const refusal = (...what: Parameters<typeof quoted>) => thrownBy(() => quoted(...what));

describe('a quote that is paid from outside', () => {
  const source = (currency: string) => ({ source: outside(currency) });

  it.each([undefined, 'TRON', 'BITCOIN'])('cannot be paid in USDC on %s', (network) => {
    const errors = [{ field: 'source.cryptoNetwork' }];
    expect(refusal({ source: realtime('USDC', network) }, source('USDC'))).toMatchObject({
      code: 'INVALID_INPUT',
      details: { errors },
    });
  });

  it.each([
    ['USDC', 'BASE', { cryptoNetwork: 'BASE' }],
    ['BTC', 'LIGHTNING', { cryptoNetwork: 'LIGHTNING' }],
    ['USD', undefined, {}],
    ['USD', 'BASE', {}],
  ])('keeps the network where it means something: %s on %s', (currency, network, kept) => {
    const { source: stored } = quoted({ source: realtime(currency, network) }, source(currency));
    expect(stored).toEqual({ kind: 'REALTIME_FUNDING', ...kept });
  });

  it.each([
    ['USDC', 'BASE', lifetimeMs, 60_000],
    ['USDC', 'BASE', 1_000, 1_000],
    ['USD', undefined, lifetimeMs, lifetimeMs],
    ['USD', 'BASE', lifetimeMs, lifetimeMs],
  ])('holds as long as its network lets it: %s on %s, %s ms become %s ms', (currency, network, ms, holds) => {
    const terms = quoted({ source: realtime(currency, network) }, source(currency), ms);
    expect(terms.expiresAt).toEqual(msLater(holds));
  });

  it('holds as long as any other from a balance in a cryptocurrency', () => {
    const terms = quoted({}, { source: balance({ currency: 'USDC', accountType: 'INTERNAL_CRYPTO' }) });
    expect(terms.expiresAt).toEqual(msLater(lifetimeMs));
  });
});

describe('the refund of a quote', () => {
  const held = activeCustomer({ currencies: ['USD', 'USDC'] });
  /** The accounts in these stay. */
  const givenUp = { ...held, currencies: ['EUR'] };
  const crypto = { source: realtime('USDC', 'BASE') };
  const withWallet = activeCustomer({ currencies: ['USD'], walletCurrency: 'USDC' });
  const wallet = walletAccount(customerId, 'USDC');

  it.each([
    ['from a balance', {}, {}, accountId],
    ['from a bank account', {}, { source: pullable() }, undefined],
    ['paid in fiat', { source: realtime('USD') }, { source: outside('USD'), sender: held }, undefined],
    ['paid in crypto', crypto, { source: outside('USDC'), sender: held }, primaryAccount(customerId, 'USDC')],
    [
      'in crypto given up',
      crypto,
      { source: outside('USDC'), sender: givenUp },
      primaryAccount(customerId, 'USDC'),
    ],
    [
      'in crypto that the wallet alone holds',
      crypto,
      { source: outside('USDC'), sender: withWallet },
      wallet,
    ],
    [
      'in crypto that the wallet holds too',
      crypto,
      { source: outside('USDC'), sender: { ...held, walletCurrency: 'USDC' } },
      primaryAccount(customerId, 'USDC'),
    ],
    [
      'in crypto that the wallet does not hold',
      crypto,
      { source: outside('USDC'), sender: { ...withWallet, walletCurrency: 'USDB' } },
      undefined,
    ],
    ['paid in crypto that the customer does not hold', crypto, { source: outside('USDC') }, undefined],
    ['paid in crypto by the platform', crypto, { source: outside('USDC'), sender: undefined }, undefined],
  ] as const)('goes where it belongs: %s', (_how, request, who, refundTo) => {
    expect(quoted(request, who).refundTo).toBe(refundTo);
  });

  it.each([
    ['paid in fiat', 'USD', held, primaryAccount(customerId, 'USD')],
    ['paid in fiat that the customer has given up', 'USD', givenUp, primaryAccount(customerId, 'USD')],
    ['paid in fiat by the platform', 'USD', undefined, primaryAccount(platformId, 'USD')],
  ] as const)('stays here where nobody sends it back: %s', (_how, currency, sender, refundTo) => {
    const platform = activePlatform({ environment: 'production' });
    const ownAccount = sender ? undefined : refundTo;
    const from = { source: outside(currency), sender, platform, ownAccount };
    expect(quoted({ source: realtime(currency) }, from).refundTo).toBe(refundTo);
  });

  it('is none of crypto where nobody could say whose it is: there is no such quote', () => {
    const platform = activePlatform({ environment: 'production' });
    const from = { source: outside('USDC'), sender: withWallet, platform };
    const errors = [{ field: 'source.currency' }];
    expect(refusal({ source: realtime('USDC', 'BASE') }, from)).toMatchObject({
      code: 'INVALID_INPUT',
      details: { errors },
    });
  });

  it.each([
    ['customer', activeCustomer({ currencies: ['EUR'] })],
    ['platform', undefined],
  ])('has to have an account of the %s where nobody sends it back', (_who, sender) => {
    const platform = activePlatform({ environment: 'production' });
    const errors = [{ field: 'source.currency' }];
    expect(refusal({ source: realtime('USD') }, { source: outside('USD'), sender, platform })).toMatchObject({
      code: 'INVALID_INPUT',
      details: { errors },
    });
  });
});
