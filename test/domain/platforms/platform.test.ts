import { describe, expect, it } from 'vitest';
import { currencies } from '../../../src/domain/money/currencies.ts';
import { paymentDomainStream } from '../../../src/domain/platforms/domains.ts';
import type { PlatformEvent } from '../../../src/domain/platforms/events.ts';
import {
  type ActivePlatform,
  hasEnded,
  platform,
  settingsOf,
} from '../../../src/domain/platforms/platform.ts';
import { InvariantViolation } from '../../../src/kernel/invariant.ts';
import { int64Max } from '../../../src/kernel/money.ts';
import {
  activePlatform,
  configChanged,
  platformClaimEnded,
  platformCreated,
  platformDetails,
  supported,
  supportedCurrency,
  walletConfig,
} from '../../support/builders/customers.ts';
import { specFor, stateOf } from '../../support/builders/spec.ts';
import { msLater, testStart } from '../../support/time/clock.ts';
import { uuidNumber } from '../../support/values/ids.ts';

const given = specFor(platform);
const at = msLater(5);
type Changes = Extract<Parameters<typeof platform.decide>[0], { type: 'ChangeConfig' }>['changes'];
const change = (changes: Changes) => ({ type: 'ChangeConfig', changes, at }) as const;

function activePlatformOf(...history: readonly PlatformEvent[]): ActivePlatform {
  const state = stateOf(platform, ...history);
  if (state.status === 'none') throw new Error('a platform that was not created');
  return state;
}

describe('a platform', () => {
  it('is created', () =>
    given().when({ type: 'CreatePlatform', details: platformDetails() }).then(platformCreated()));

  it.each([platformDetails(), platformDetails({ environment: 'production' })])('is created once', (details) =>
    given(platformCreated()).when({ type: 'CreatePlatform', details }).thenNothing(),
  );

  it('has the details it was created with', () => {
    const { at: createdAt, ...details } = platformDetails();
    const state = stateOf(platform, platformCreated());
    const since = { umaDomainSince: createdAt, createdAt, updatedAt: createdAt };
    const supportedCurrencies = expect.any(Array);
    expect(state).toEqual({ ...details, supportedCurrencies, status: 'active', ...since });
  });

  it('has every currency until it sets a list: those that it began with first', () => {
    const settings = [supportedCurrency('GBP', { minAmount: 7n })];
    const { supportedCurrencies } = activePlatformOf(platformCreated({ supportedCurrencies: settings }));
    expect(supportedCurrencies[0]).toMatchObject({ currencyCode: 'GBP', minAmount: 7n });
    expect(supportedCurrencies.map(({ currencyCode }) => currencyCode).toSorted()).toEqual(
      [...currencies.keys()].toSorted(),
    );
  });

  it.each([
    [int64Max, 9_007_199_254_740_991n],
    [9_007_199_254_740_990n, 9_007_199_254_740_990n],
    [5n, 5n],
  ])('reads a largest amount of %s from its log as %s', (recorded, read) => {
    const supportedCurrencies = [supportedCurrency('GBP', { maxAmount: recorded })];
    for (const state of [
      activePlatformOf(platformCreated({ supportedCurrencies })),
      activePlatformOf(platformCreated(), configChanged({ supportedCurrencies })),
    ])
      expect(settingsOf(state, 'GBP')?.maxAmount).toBe(read);
  });

  it('is not configured before it is there', () =>
    given()
      .when(change({ umaDomain: 'new.example' }))
      .thenRejected('REFERENCE_NOT_FOUND'));

  it('cannot have been configured before it was created', () => {
    expect(() => stateOf(platform, configChanged())).toThrow(InvariantViolation);
  });
});

describe('the configuration of a platform', () => {
  const wallet = { ...walletConfig, appName: 'Ada' };

  it.each([
    ['domain', { umaDomain: 'new.example' }],
    ['endpoint', { webhookEndpoint: 'https://hooks.example/daybook' }],
    ['currencies', { supportedCurrencies: supported('GBP') }],
    ['domain and currencies', { umaDomain: 'new.example', supportedCurrencies: supported('GBP', 'USD') }],
  ])('changes in its %s', (_what, changes) =>
    given(platformCreated())
      .when(change(changes))
      .then(configChanged({ ...changes, at })),
  );

  it('of wallets is merged field by field', () =>
    given(platformCreated({ embeddedWalletConfig: wallet }))
      .when(change({ embeddedWalletConfig: { otpLength: 8 } }))
      .then(configChanged({ embeddedWalletConfig: { ...wallet, otpLength: 8 }, at })));

  it('of wallets is without a setting that is taken back', () => {
    given(platformCreated({ embeddedWalletConfig: wallet }))
      .when(change({ embeddedWalletConfig: { appName: null } }))
      .then(configChanged({ embeddedWalletConfig: walletConfig, at }));
  });

  it.each([{}, { umaDomain: undefined, webhookEndpoint: undefined, embeddedWalletConfig: undefined }])(
    'does not change by %j',
    (changes) => given(platformCreated()).when(change(changes)).thenNothing(),
  );

  it('keeps what is not changed', () => {
    const before = activePlatform();
    const changed = stateOf(platform, platformCreated(), configChanged({ umaDomain: 'new.example', at }));
    const leftDomains = new Map([[before.umaDomain, at]]);
    expect(changed).toEqual({
      ...before,
      umaDomain: 'new.example',
      leftDomains,
      umaDomainSince: at,
      updatedAt: at,
    });
  });

  it('says by which hold it has a new domain', () => {
    const held = { reservation: uuidNumber(30), claim: 'first' };
    given(platformCreated())
      .when({ ...change({ umaDomain: 'new.example' }), held })
      .then(configChanged({ umaDomain: 'new.example', held, at }));
  });

  it('has its domain since it took it, not since it named it again', () => {
    const again = configChanged({ umaDomain: 'pay.example', at });
    expect(stateOf(platform, platformCreated(), again)).toMatchObject({ umaDomainSince: testStart });
  });

  it('changes in its endpoint, removed', () =>
    given(platformCreated(), configChanged({ webhookEndpoint: 'https://hooks.example/daybook' }))
      .when(change({ webhookEndpoint: null }))
      .then(configChanged({ webhookEndpoint: null, at })));

  it('stays as it is when there is no endpoint to remove', () =>
    given(platformCreated())
      .when(change({ webhookEndpoint: null }))
      .thenNothing());

  it('replaces the list of currencies', () => {
    const supportedCurrencies = [supportedCurrency('GBP', { maxAmount: 5n })];
    const changed = stateOf(platform, platformCreated(), configChanged({ supportedCurrencies }));
    expect(changed).toMatchObject({ supportedCurrencies, createdAt: testStart });
    expect(changed.status === 'active' && settingsOf(changed, 'GBP')).toMatchObject({ maxAmount: 5n });
    expect(changed.status === 'active' && settingsOf(changed, 'USD')).toBeUndefined();
  });

  it('has an endpoint for webhooks until it is removed', () => {
    const endpoint = 'https://hooks.example/daybook';
    const history = [platformCreated(), configChanged({ webhookEndpoint: endpoint })];
    const endpointAfter = (...changes: Parameters<typeof configChanged>) => {
      const state = stateOf(platform, ...history, configChanged(...changes));
      return 'webhookEndpoint' in state ? state.webhookEndpoint : 'none';
    };
    expect(endpointAfter({ umaDomain: 'new.example' })).toBe(endpoint);
    expect(endpointAfter({ webhookEndpoint: null })).toBe('none');
    expect(endpointAfter({ webhookEndpoint: '' })).toBe('none');
  });
});

describe('a claim to a domain', () => {
  const wanted = { domain: 'new.example', claim: 'claim' };
  const end = { type: 'EndClaim', ...wanted, at: testStart } as const;
  const held = { reservation: paymentDomainStream(wanted.domain), claim: 'claim' };
  const take = { ...change({ umaDomain: wanted.domain }), held };

  it('ends for good', () => {
    given(platformCreated()).when(end).then(platformClaimEnded('claim'));
    given(platformCreated(), platformClaimEnded('claim')).when(end).thenNothing();
    given(platformCreated(), platformClaimEnded('claim')).when(take).thenRejected('CONFLICT');
    expect(hasEnded(activePlatformOf(platformCreated(), platformClaimEnded('claim')), wanted)).toBe(true);
    expect(hasEnded(activePlatformOf(platformCreated()), wanted)).toBe(false);
  });

  it('ends alone', () => {
    const other = { ...held, claim: 'other' };
    given(platformCreated(), platformClaimEnded('claim'))
      .when({ ...take, held: other })
      .then(configChanged({ umaDomain: wanted.domain, held: other, at }));
  });

  describe('under which the platform had a domain that it has left', () => {
    const hour = 3_600_000;
    const history = [
      platformCreated(),
      configChanged({ umaDomain: wanted.domain, held, at }),
      configChanged({ umaDomain: 'next.example', at: msLater(6) }),
    ];
    const endAt = (ms: number, domain = wanted.domain) => ({ ...end, domain, at: msLater(ms) });

    it('stays for an hour, since its confirmation may be late', () => {
      given(...history)
        .when(endAt(7))
        .thenNothing();
      given(...history)
        .when(endAt(6 + hour - 1))
        .thenNothing();
      expect(hasEnded(activePlatformOf(...history), wanted)).toBe(false);
    });

    it('ends after that', () =>
      given(...history)
        .when(endAt(6 + hour))
        .then(platformClaimEnded('claim', msLater(6 + hour))));

    it('is that of any domain of the last hour, the first one too', () => {
      const later = configChanged({ umaDomain: 'last.example', at: msLater(hour) });
      for (const domain of [wanted.domain, 'next.example'])
        given(...history, later)
          .when(endAt(hour + 1, domain))
          .thenNothing();
      given(...history)
        .when({ ...endAt(8, activePlatformOf(platformCreated()).umaDomain), claim: undefined })
        .thenNothing();
    });

    it('is remembered no longer than it counts', () => {
      const moves = Array.from({ length: 50 }, (_, n) =>
        configChanged({ umaDomain: `${n}.example`, at: msLater((n * hour) / 4) }),
      );
      expect(activePlatformOf(platformCreated(), ...moves).leftDomains?.size).toBeLessThan(6);
    });
  });

  it("stays where the domain is the platform's", () => {
    const mine = configChanged({ umaDomain: wanted.domain, held });
    given(platformCreated(), mine).when(end).thenNothing();
    expect(hasEnded(activePlatformOf(platformCreated(), mine, platformClaimEnded('claim')), wanted)).toBe(
      false,
    );
  });
});
