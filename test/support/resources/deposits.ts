import { aggregates } from '../../../src/domain/aggregates.ts';
import { depositEntryId } from '../../../src/domain/payments/transaction.ts';
import { reactionsIn } from '../../../src/domain/reactions/reactions.ts';
import { createDispatcher } from '../../../src/infrastructure/commands/dispatch.ts';
import { postgresEventStore } from '../../../src/infrastructure/event-store/postgres/store.ts';
import { createLog } from '../../../src/infrastructure/observe/log.ts';
import { idOf, systemIds, uuidOf } from '../../../src/kernel/ids.ts';
import { invariant } from '../../../src/kernel/invariant.ts';
import type { Json } from '../http/client.ts';

/** Puts more on an account than the sandbox allows, straight into the log. */
export async function deposit(databaseUrl: string, account: Json, minor: bigint): Promise<void> {
  const store = await postgresEventStore(databaseUrl, createLog('silent'));
  const now = () => new Date();
  const commands = createDispatcher(
    { store, newEventId: systemIds.uuid, now },
    aggregates,
    reactionsIn('sandbox'),
  );
  const state = await commands.load('account', uuidOf(account.id));
  invariant(state.status !== 'none', 'a deposit on no account');
  const { platformId } = state;
  const transactionId = idOf('Transaction', systemIds.uuid());
  const entry = { entryId: depositEntryId(transactionId), transactionId, requestedBy: 'test', at: now() };
  const amount = { minor, currency: account.balance.currency.code };
  const origin = { reference: 'LARGE', platformCustomerId: null };
  const credit = {
    type: 'CreditAccount',
    purpose: 'deposit',
    from: 'rail',
    ...entry,
    amount,
    deposit: origin,
  } as const;
  const cause = { platformId, correlationId: 'test', causationId: 'test', actor: 'test' };
  await commands.run('account', uuidOf(account.id), credit, cause);
  await store.close();
}
