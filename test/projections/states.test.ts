import { expect, it } from 'vitest';
import { createStates } from '../../projections/projector/states.ts';
import { depositEntryId } from '../../src/domain/payments/transaction.ts';
import { idOf, uuidOf } from '../../src/kernel/ids.ts';
import { deposit } from '../support/builders/accounts.ts';
import { usd } from '../support/builders/money.ts';
import { watchedEventStore } from '../support/log/watched-event-store.ts';
import { settlesAtOnce } from '../support/rails/payment-rails.ts';
import { adaAccount, cause, startTown } from '../support/traffic/town.ts';
import { uuidNumber } from '../support/values/ids.ts';

it('a stream that this process and another write in turns is read once', async () => {
  const { log, commands } = await startTown({ rail: settlesAtOnce });
  for (const number of [501, 502, 503, 504]) {
    const transactionId = idOf('Transaction', uuidNumber(number));
    const command = deposit({ transactionId, entryId: depositEntryId(transactionId), amount: usd(5n) });
    await commands.run('account', uuidOf(adaAccount), command, cause);
  }
  const events = await log.read(`account-${uuidOf(adaAccount)}`);
  const decided = await createStates(log).follow(events);
  const store = watchedEventStore(log);
  const states = createStates(store);
  const last = events.slice(-4).map((event, n) => {
    const { data, state } = decided.at(n - 4) ?? {};
    return n % 2 === 0 ? event : { ...event, known: { data, state } };
  });
  for (const [n, event] of last.entries()) expect(await states.follow([event])).toEqual([decided.at(n - 4)]);
  expect(store.counts.reads).toBe(1);
});
