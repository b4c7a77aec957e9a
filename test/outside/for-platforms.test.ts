import { describe, expect, it } from 'vitest';
import type { AccountInfo } from '../../src/domain/external-accounts/definitions.ts';
import type { PaymentRail } from '../../src/domain/ports/payment-rail.ts';
import { railForPlatforms, screeningForPlatforms } from '../../src/outside/for-platforms.ts';
import { sandboxRail } from '../../src/sandbox/rail.ts';
import { sandboxScreening } from '../../src/sandbox/screening.ts';
import { activeCustomer, businessDetails } from '../support/builders/customers.ts';
import { accountInfoInput } from '../support/builders/external-accounts.ts';
import { platformId } from '../support/builders/identities.ts';
import { railPayment } from '../support/builders/rail-payments.ts';
import { screenedCustomer, screenedOwner } from '../support/builders/verification.ts';
import { testStart } from '../support/time/clock.ts';

const payment = railPayment({ kind: 'transfer-in' });
const asked = { signal: new AbortController().signal };
const railOf = (environment: 'sandbox' | 'production') =>
  railForPlatforms(
    async () => environment,
    'sandbox',
    sandboxRail(() => testStart, 1),
  );

describe('a payment of a platform', () => {
  it('of the sandbox goes to the rail of the sandbox', async () => {
    expect(await railOf('sandbox').submit(payment, asked)).toMatchObject({ status: 'accepted' });
    expect(await railOf('sandbox').statusOf({ ...payment, recorded: 'submitted' }, asked)).toMatchObject({
      status: 'settled',
    });
  });

  it('of production fails, and one that a sandbox took is not completed', async () => {
    const ending = { status: 'failed', reason: 'QUOTE_EXECUTION_FAILED' };
    expect(await railOf('production').submit(payment, asked)).toMatchObject({ status: 'ended', ending });
    const late = { ...payment, recorded: 'submitted' } as const;
    expect(await railOf('production').statusOf(late, asked)).toEqual({ status: 'unknown' });
  });

  it('is taken at once where it is known to be of the sandbox, and nowhere else', async () => {
    const sandbox = sandboxRail(() => testStart, 1);
    const taken = (environmentOf: Parameters<typeof railForPlatforms>[0]) =>
      railForPlatforms(environmentOf, 'sandbox', sandbox).takesAtOnce?.(payment);
    expect(taken(() => 'sandbox')).toEqual(await sandbox.submit(payment, asked));
    expect([taken(() => 'production'), taken(async () => 'sandbox' as const)]).toEqual([
      undefined,
      undefined,
    ]);
  });

  it('goes the same way where its environment is known already', async () => {
    const known = (environment: 'sandbox' | 'production') =>
      railForPlatforms(
        () => environment,
        'sandbox',
        sandboxRail(() => testStart, 1),
      ).submit(payment, asked);
    expect(await known('sandbox')).toEqual(await railOf('sandbox').submit(payment, asked));
    expect(await known('production')).toEqual(await railOf('production').submit(payment, asked));
  });
});

it('a rail that is an object of a class has its own fields in each call', async () => {
  class Bank {
    readonly #frozen = 'FROZEN' as const;
    readonly umaDomain = 'bank.test';
    async statusOfNew() {
      return this.#frozen;
    }
  }
  const bank = new Bank() as unknown as PaymentRail;
  const rail = railForPlatforms(() => 'production', 'production', bank);
  expect(await rail.statusOfNew?.(accountInfoInput('USD_ACCOUNT') as AccountInfo, asked)).toBe('FROZEN');
});

describe('a customer of a platform', () => {
  const business = activeCustomer(businessDetails());
  it.each([
    ['sandbox', 'APPROVED', 'APPROVED'],
    ['production', undefined, 'PENDING'],
  ] as const)('of %s is found %s, and an owner %s', async (environment, customer, owner) => {
    const screening = await screeningForPlatforms(
      async () => environment,
      'sandbox',
      sandboxScreening,
    )(platformId);
    const found = await screening.customer(screenedCustomer(business));
    expect([found, await screening.owner(screenedOwner('Lovelace'))]).toEqual([customer, owner]);
  });
});
