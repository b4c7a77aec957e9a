/** A deletion with which nobody goes on: a timer abandons it, and the customer's accounts go on. */
import { beforeEach, describe, expect, it } from 'vitest';
import { deletedWithinMs, timerOf } from '../../../projections/models/timers.ts';
import { accountsToHalt, primaryAccount } from '../../../src/domain/accounts/provisioning.ts';
import { aggregates } from '../../../src/domain/aggregates.ts';
import { reactionsIn } from '../../../src/domain/reactions/reactions.ts';
import { createDispatcher } from '../../../src/infrastructure/commands/dispatch.ts';
import { uuidOf } from '../../../src/kernel/ids.ts';
import type { Commands } from '../../../src/use-cases/commands.ts';
import type { Payments } from '../../../src/use-cases/payments/rail-payments/rail-payments.ts';
import { createRunTimer } from '../../../src/use-cases/run-timer.ts';
import { deposit } from '../../support/builders/accounts.ts';
import {
  customerDeleted,
  customerDetails,
  deletionAbandoned,
  deletionBegun,
} from '../../support/builders/customers.ts';
import { customerId, platformId } from '../../support/builders/identities.ts';
import { incomingPayment } from '../../support/builders/terms.ts';
import { recorded } from '../../support/log/domain-events.ts';
import { memoryEventStore } from '../../support/log/memory-event-store.ts';
import { msLater, testStart } from '../../support/time/clock.ts';
import { sequentialIds } from '../../support/values/ids.ts';

const now = () => testStart;
const cause = { platformId, correlationId: 'request', causationId: 'request', actor: 'test' };
const uuid = uuidOf(customerId);
const accountId = primaryAccount(customerId, 'USD');
const account = uuidOf(accountId);
const timer = { subject: customerId, platform_id: platformId, kind: 'abandon-deletion' } as const;
const owner = { platformId, ownerId: customerId, customerId, currencies: ['USD'], status: 'ACTIVE' } as const;

let commands: Commands;
const runTimer = () => createRunTimer({ commands, payments: {} as Payments, now })(timer);
const halt = async () => {
  for (const { to, uuid: one, command } of accountsToHalt({ ...owner, at: now() }, 1))
    await commands.run(to, one, command, cause);
};

beforeEach(async () => {
  const store = memoryEventStore();
  commands = createDispatcher(
    { store, newEventId: sequentialIds(1).uuid, now },
    aggregates,
    reactionsIn('sandbox'),
  );
  await commands.run('customer', uuid, { type: 'CreateCustomer', details: customerDetails() }, cause);
  await commands.run('customer', uuid, { type: 'BeginDeletion', at: now() }, cause);
});

describe('a deletion that was cut short', () => {
  it('has a timer until it is done or abandoned', () => {
    const started = timerOf(recorded(deletionBegun(), platformId) as never);
    expect(started).toMatchObject({ ...timer, due_at: msLater(deletedWithinMs) });
    for (const end of [customerDeleted(), deletionAbandoned()])
      expect(timerOf(recorded(end, platformId) as never)).toBeUndefined();
  });

  it('is abandoned by it, and the account has what it held', async () => {
    await halt();
    const terms = incomingPayment({ destination: { kind: 'INTERNAL', accountId } });
    for (const command of [
      { type: 'CreateIncomingPayment', terms },
      { type: 'SettlePayment', at: now() },
    ] as const)
      await commands.run('transaction', uuidOf(terms.transactionId), command, cause);
    expect(await commands.load('account', account)).toMatchObject({ balance: 0n, held: { minor: 100_00n } });
    await runTimer();
    expect(await commands.load('account', account)).toMatchObject({ balance: 100_00n });
    await commands.run('account', account, deposit({ entryId: 'another' }), cause);
    expect(await commands.load('account', account)).toMatchObject({ balance: 200_00n });
  });

  it('halts nothing any more, however late whoever began it goes on', async () => {
    await runTimer();
    await halt();
    const { events } = await commands.run(
      'customer',
      uuid,
      { type: 'DeleteCustomer', deletion: 1, at: now() },
      cause,
    );
    expect(events).toEqual([]);
    await commands.run('account', account, deposit(), cause);
    expect(await commands.load('account', account)).toMatchObject({ status: 'ACTIVE', balance: 100_00n });
  });

  it('is left as it is where it was done meanwhile', async () => {
    await halt();
    await commands.run('customer', uuid, { type: 'DeleteCustomer', deletion: 1, at: now() }, cause);
    await runTimer();
    expect(await commands.load('account', account)).toMatchObject({ status: 'CLOSED', balance: 0n });
  });
});
