import { describe, expect, it } from 'vitest';
import {
  hasLeft,
  keptUntil,
  needsProof,
  ownDomainOf,
  paymentDomainStream,
  proofOf,
  requireOpen,
} from '../../../src/domain/platforms/domains.ts';
import { idOf } from '../../../src/kernel/ids.ts';
import { activePlatform } from '../../support/builders/customers.ts';
import { otherPlatformId, platformId } from '../../support/builders/identities.ts';
import { thrownBy } from '../../support/builders/spec.ts';
import { msLater, testStart } from '../../support/time/clock.ts';

const hour = 3_600_000;
const elsewhere = idOf('Platform', 'ffffffff-0000-8000-8000-000000000000');

describe('a domain', () => {
  it('is one whatever its case', () => {
    expect(paymentDomainStream('Pay.Example')).toBe(paymentDomainStream('pay.example'));
    expect(paymentDomainStream('pay.example')).not.toBe(paymentDomainStream('paid.example'));
  });

  it.each(['new.example', 'daybook.test', 'notdaybook.test', ownDomainOf(platformId)])(
    'may be asked for: %s',
    (domain) => expect(requireOpen(domain, activePlatform())).toBeUndefined(),
  );

  it.each(['p12345678.daybook.test', 'a.b.daybook.test', ownDomainOf(elsewhere)])(
    "is the service's to give: %s",
    (domain) => {
      const refusal = thrownBy(() => requireOpen(domain, activePlatform()));
      expect(refusal).toMatchObject({ code: 'INVALID_INPUT' });
    },
  );

  it('is left an hour after the platform took another', () => {
    const moved = { ...activePlatform(), umaDomain: 'new.example', umaDomainSince: testStart };
    expect(hasLeft(moved, 'pay.example', msLater(hour - 1))).toBe(false);
    expect(hasLeft(moved, 'pay.example', msLater(hour))).toBe(true);
  });

  it('is never left while the platform has it', () => {
    expect(hasLeft(activePlatform(), 'pay.example', msLater(hour * 24))).toBe(false);
  });
});

describe('a proof', () => {
  const production = { ...activePlatform(), environment: 'production' } as const;
  it('is needed in production, but not for what the service gives', () => {
    expect(needsProof(production, 'new.example')).toBe(true);
    expect(needsProof(production, ownDomainOf(platformId))).toBe(false);
    expect(needsProof(activePlatform(), 'new.example')).toBe(false);
  });

  it('is another for each platform and each domain', () => {
    const values = [
      proofOf(platformId, 'a.example'),
      proofOf(platformId, 'b.example'),
      proofOf(otherPlatformId, 'a.example'),
    ].map(({ value }) => value);
    expect(new Set(values).size).toBe(3);
  });
});

describe('a domain that a platform has left', () => {
  const platform = {
    ...activePlatform({ umaDomain: 'third.example' }),
    umaDomainSince: msLater(hour / 2),
    leftDomains: new Map([['first.example', testStart]]),
  };

  it('is kept for an hour: since it was left where nobody had confirmed it, else since the last change', () => {
    expect(keptUntil(platform, 'first.example', false)).toEqual(msLater(hour));
    expect(keptUntil(platform, 'first.example', true)).toEqual(msLater(1.5 * hour));
  });

  it('is not kept where it is the one it has, or was never its own', () => {
    expect(keptUntil(platform, 'third.example', true)).toBeUndefined();
    expect(keptUntil(platform, 'other.example', false)).toBeUndefined();
  });
});
