import { describe, expect, it } from 'vitest';
import { paymentDomainStream } from '../../../src/domain/platforms/domains.ts';
import { platformReaction } from '../../../src/domain/reactions/platforms.ts';
import { uuidOf } from '../../../src/kernel/ids.ts';
import {
  configChanged,
  customerCreated,
  platformCreated,
  supported,
} from '../../support/builders/customers.ts';
import { platformId } from '../../support/builders/identities.ts';
import { recorded } from '../../support/log/domain-events.ts';
import { testStart } from '../../support/time/clock.ts';

const following = (overrides: Parameters<typeof platformCreated>[0] = {}) =>
  platformReaction(recorded(platformCreated(overrides)));
const openings = (overrides: Parameters<typeof platformCreated>[0] = {}) =>
  following(overrides).filter(({ to }) => to === 'account');

describe('the platform policy', () => {
  it('opens an account of the platform itself in each of its currencies, without a wallet', () => {
    const own = { type: 'OpenAccount', platformId, customerId: null, status: 'ACTIVE', at: testStart };
    expect(
      openings({ supportedCurrencies: supported('USD', 'BTC', 'USD') }).map(({ command }) => command),
    ).toMatchObject([
      { ...own, accountType: 'INTERNAL_FIAT', currency: 'USD' },
      { ...own, accountType: 'INTERNAL_CRYPTO', currency: 'BTC' },
    ]);
  });

  it('opens each account in the stream that its id names', () => {
    const streams = openings().map(({ uuid }) => uuid);
    const ids = openings().flatMap(({ command }) =>
      'accountId' in command ? [uuidOf(command.accountId)] : [],
    );
    expect(streams).toEqual(ids);
  });

  it('opens accounts in the currencies that are added, under the same ids as ever', () => {
    const added = platformReaction(recorded(configChanged({ supportedCurrencies: supported('GBP', 'USD') })));
    expect(added.map(({ command }) => command)).toMatchObject([{ currency: 'GBP' }, { currency: 'USD' }]);
    expect(openings().map(({ uuid }) => uuid)).toContain(added[1]?.uuid);
  });

  it('opens none where the currencies stay as they are', () => {
    expect(platformReaction(recorded(configChanged({ umaDomain: 'new.example' })))).toEqual([]);
  });

  it('confirms the hold on the first domain', () => {
    const [first] = following();
    const command = { type: 'ConfirmReservation', holder: platformId, at: testStart };
    expect(first).toEqual({ to: 'reservation', uuid: paymentDomainStream('pay.example'), command });
  });

  it('confirms the hold on a new domain', () => {
    const held = { reservation: paymentDomainStream('new.example'), claim: 'second' };
    const confirmed = platformReaction(recorded(configChanged({ umaDomain: 'new.example', held })));
    const command = { type: 'ConfirmReservation', holder: platformId, claim: 'second', at: testStart };
    expect(confirmed).toEqual([{ to: 'reservation', uuid: held.reservation, command }]);
  });

  it('makes nothing of other events', () => {
    expect(platformReaction(recorded(customerCreated()))).toEqual([]);
  });
});
