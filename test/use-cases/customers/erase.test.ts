import { beforeEach, describe, expect, it } from 'vitest';
import { aggregates } from '../../../src/domain/aggregates.ts';
import type { KnownCustomer } from '../../../src/domain/customers/customer.ts';
import { reactionsIn } from '../../../src/domain/reactions/reactions.ts';
import { createDispatcher } from '../../../src/infrastructure/commands/dispatch.ts';
import { uuidOf } from '../../../src/kernel/ids.ts';
import { Rejected } from '../../../src/kernel/rejected.ts';
import type { Commands } from '../../../src/use-cases/commands.ts';
import { eraseCustomer } from '../../../src/use-cases/customers/erase.ts';
import { customerDetails } from '../../support/builders/customers.ts';
import { customerId, platformId } from '../../support/builders/identities.ts';
import { memoryEventStore } from '../../support/log/memory-event-store.ts';
import { testStart } from '../../support/time/clock.ts';
import { sequentialIds } from '../../support/values/ids.ts';

const now = () => testStart;
const cause = { platformId, correlationId: 'request', causationId: 'request', actor: 'test' };
const uuid = uuidOf(customerId);

let commands: Commands;
let customer: KnownCustomer;
const loaded = async () => (await commands.load('customer', uuid)) as KnownCustomer;
const remove = async () => {
  await commands.run('customer', uuid, { type: 'BeginDeletion', at: now() }, cause);
  const command = { type: 'DeleteCustomer', deletion: 1, at: now() } as const;
  const { state } = await commands.run('customer', uuid, command, cause);
  return state as KnownCustomer;
};

beforeEach(async () => {
  commands = createDispatcher(
    { store: memoryEventStore(), newEventId: sequentialIds(1).uuid, now },
    aggregates,
    reactionsIn('sandbox'),
  );
  await commands.run('customer', uuid, { type: 'CreateCustomer', details: customerDetails() }, cause);
  customer = await loaded();
});

describe('erasing a customer', () => {
  it('deletes who is there, and may be asked for again', async () => {
    await eraseCustomer({ commands, remove, now }, customer, cause);
    expect(await loaded()).toMatchObject({ status: 'deleted', erasedAt: now() });
    await eraseCustomer({ commands, remove, now }, customer, cause);
    expect(await loaded()).toMatchObject({ status: 'deleted', erasedAt: now() });
  });

  it('goes on where somebody else has deleted the customer meanwhile', async () => {
    const late = async () => {
      await remove();
      throw new Rejected('CUSTOMER_DELETED', 'The customer has been deleted.');
    };
    await eraseCustomer({ commands, remove: late, now }, customer, cause);
    expect(await loaded()).toMatchObject({ status: 'deleted', erasedAt: now() });
  });

  it('is refused as deleting is', async () => {
    const busy = () => Promise.reject(new Rejected('CONFLICT', 'The customer still has money.'));
    await expect(eraseCustomer({ commands, remove: busy, now }, customer, cause)).rejects.toThrow('money');
    expect(await loaded()).not.toHaveProperty('erasedAt');
  });
});
