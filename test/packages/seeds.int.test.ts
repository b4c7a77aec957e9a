import { expect, it } from 'vitest';
import { startDaybook } from '../../packages/testing/src/daybook.ts';
import { patienceMs } from '../support/time/patience.ts';

/** What the first two platforms of a new service are given for the same call. */
async function firstCustomers(seed: string): Promise<readonly string[]> {
  await using daybook = await startDaybook({ seed });
  const body = { customerType: 'INDIVIDUAL', fullName: 'Ada Lovelace', region: 'US' } as const;
  const [one, two] = [await daybook.newPlatform(), await daybook.newPlatform()];
  return [await one.client.createCustomer({ body }), await two.client.createCustomer({ body })].map(
    ({ id }) => id,
  );
}

it(
  'the platforms of a service with a seed differ, and are the same in the next run',
  async () => {
    const first = await firstCustomers('a seed');
    expect(new Set(first).size).toBe(2);
    expect(await firstCustomers('a seed')).toEqual(first);
  },
  4 * patienceMs,
);
