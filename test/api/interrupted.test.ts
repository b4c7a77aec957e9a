import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { OpenedPayment } from '../../src/domain/accounts/events.ts';
import { aggregates, eventSchemas } from '../../src/domain/aggregates.ts';
import type { QuoteTerms, TransferTerms } from '../../src/domain/payments/events.ts';
import { debitEntryId } from '../../src/domain/payments/transaction.ts';
import { createDispatcher } from '../../src/infrastructure/commands/dispatch.ts';
import { decodeEvent } from '../../src/infrastructure/event-store/encoding.ts';
import { postgresEventStore } from '../../src/infrastructure/event-store/postgres/store.ts';
import { createLog } from '../../src/infrastructure/observe/log.ts';
import { derivedUuid, idOf, type PlatformId, systemIds, uuidOf } from '../../src/kernel/ids.ts';
import type { Json } from '../support/http/client.ts';
import { query } from '../support/postgres/database.ts';
import { serviceOfTests } from '../support/processes/service.ts';
import { expectStatus, quoteBody } from '../support/resources/flows.ts';
import { balanceOf, customerWith, registerUsd, transferOut } from '../support/resources/payments.ts';

/** It carries no flow on by itself, like a service that has just come up again. */
const service = serviceOfTests({ variables: { DAYBOOK_ROLES: 'api,projector' } });
const { client } = service;

/** The first event of a payment that began in the same way, to begin another one with. */
async function termsOf<T>(transactionId: string, type: string): Promise<T> {
  const [stored] = await query<Json>(
    service.databaseUrl,
    'select type, data, metadata, id, stream from daybook_log.events where stream = $1 and type = $2',
    [`transaction-${uuidOf(transactionId)}`, type],
  );
  return decodeEvent<{ type: string; data: T }>(eventSchemas, stored).data;
}

/** Leaves the key as a process leaves it that was killed a while ago; returns what the request acts under. */
async function usedKey(platformId: PlatformId, path: string, key: string): Promise<string> {
  const scope = derivedUuid(platformId, 'POST', path, key);
  const since = new Date().toISOString();
  const insert = `insert into daybook.idempotency_keys (scope, held_until, created_at)
     values ($1, clock_timestamp() - interval '10 minutes', $2)`;
  await query(service.databaseUrl, insert, [scope, since]);
  return derivedUuid(scope, since);
}

/** Debits the account and stops there: no policy runs. */
async function debitOnly(terms: QuoteTerms | TransferTerms, requestedBy: string, opens?: OpenedPayment) {
  const { platformId, transactionId, source } = terms;
  if (source.kind !== 'INTERNAL') throw new Error('no account to debit');
  const now = () => new Date();
  const store = await postgresEventStore(service.databaseUrl, createLog('silent'));
  const commands = createDispatcher({ store, newEventId: systemIds.uuid, now }, aggregates, []);
  const amount = 'sending' in terms ? terms.sending : terms.amount;
  const purpose = 'sending' in terms ? 'payout' : 'transfer';
  const entry = { entryId: debitEntryId(transactionId), transactionId, requestedBy, amount, at: now() };
  const debit = {
    type: 'DebitAccount',
    purpose,
    to: 'in-flight',
    ...entry,
    ...(opens && { opens }),
  } as const;
  const cause = { platformId, correlationId: 'cut short', causationId: 'cut short', actor: 'test' };
  await commands.run('account', uuidOf(source.accountId), debit, cause);
  await store.close();
}

describe('a keyed request that was cut short after it took the money', () => {
  it('is finished by its repetition when it is a transfer', async () => {
    const { customer, account } = await customerWith(client, 10_000);
    const external = await registerUsd(client, customer.id);
    const earlier = expectStatus(await transferOut(client, account.id, external.id, 1_000), 201);
    const like = await termsOf<TransferTerms>(earlier.id, 'TransferCreated');
    const key = randomUUID();
    const requestedBy = await usedKey(like.platformId, '/transfer-out', key);
    const transactionId = idOf('Transaction', derivedUuid(requestedBy, 'transfer'));
    const terms = { ...like, transactionId };
    await debitOnly(terms, requestedBy, { kind: 'transfer', terms });
    const answer = await transferOut(client, account.id, external.id, 1_000, { 'idempotency-key': key });
    expect([answer.status, answer.body.code]).toEqual([201, undefined]);
    expect(await balanceOf(client, customer.id)).toBe(8_000);
  });

  it('is finished by its repetition when it is a quote that is executed at once', async () => {
    const { customer, account } = await customerWith(client, 10_000);
    const external = await registerUsd(client, customer.id);
    const body = quoteBody(account.id, external.id, {
      lockedCurrencyAmount: 1_000,
      immediatelyExecute: true,
    });
    const earlier = expectStatus(await client.post('/quotes', body), 201);
    const like = await termsOf<QuoteTerms>(earlier.transactionId, 'QuoteCreated');
    const key = randomUUID();
    const requestedBy = await usedKey(like.platformId, '/quotes', key);
    const uuid = derivedUuid(requestedBy, 'quote');
    const terms = { ...like, transactionId: idOf('Transaction', uuid), quoteId: idOf('Quote', uuid) };
    await debitOnly(terms, requestedBy, { kind: 'quote', terms });
    const answer = await client.post('/quotes', body, { 'idempotency-key': key });
    expect([answer.status, answer.body.status]).toEqual([201, 'PROCESSING']);
    expect(await balanceOf(client, customer.id)).toBe(8_000);
  });

  it('is finished by its repetition when it is an execution', async () => {
    const { customer, account } = await customerWith(client, 10_000);
    const external = await registerUsd(client, customer.id);
    const body = quoteBody(account.id, external.id, { lockedCurrencyAmount: 1_000 });
    const quoted = expectStatus(await client.post('/quotes', body), 201);
    const key = randomUUID();
    const path = `/quotes/${quoted.id}/execute`;
    const terms = await termsOf<QuoteTerms>(quoted.transactionId, 'QuoteCreated');
    await debitOnly(terms, await usedKey(terms.platformId, path, key));
    const answer = await client.post(path, undefined, { 'idempotency-key': key });
    expect([answer.status, answer.body.status]).toEqual([200, 'PROCESSING']);
    expect(await balanceOf(client, customer.id)).toBe(9_000);
  });
});
