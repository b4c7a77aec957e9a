import { describe, expect, it } from 'vitest';
import { accountInfoInput } from '../support/builders/external-accounts.ts';
import { query } from '../support/postgres/database.ts';
import { startTestService } from '../support/processes/service.ts';
import {
  accountOf,
  createCustomer,
  expectStatus,
  registerPayee,
  untilTransaction,
} from '../support/resources/flows.ts';

const payments = 60;
/** A row of each payment is found in them by its key. */
const tables = ['events', 'idempotency_keys', 'transactions', 'postings', 'internal_accounts'];

describe('a process that has begun with empty tables', () => {
  it('does not read them whole when they are no longer empty', async () => {
    const { client, databaseUrl, stop } = await startTestService();
    const { id } = await createCustomer(client);
    const account = await accountOf(client, id);
    const accountInfo = accountInfoInput('USD_ACCOUNT');
    const payee = await registerPayee(client, { customerId: id, currency: 'USD', accountInfo });
    for (let n = 0; n < payments; n++) {
      const body = { source: { accountId: payee.id }, destination: { accountId: account.id }, amount: 100 };
      const headers = { 'idempotency-key': `plans-${n}` };
      const made = expectStatus(await client.post('/transfer-in', body, headers), 201);
      if (n === payments - 1) await untilTransaction(client, made.id, 'COMPLETED');
    }
    // What a connection has counted is known when it has ended.
    await stop();
    const counts = await query<{ relname: string; scans: number }>(
      databaseUrl,
      `select relname, seq_scan::int as scans from pg_stat_user_tables where relname = any('{${tables}}')`,
    );
    expect(counts.map(({ relname }) => relname).sort()).toEqual([...tables].sort());
    for (const { relname, scans } of counts)
      expect({ relname, many: scans > payments / 3 }).toEqual({ relname, many: false });
  });
});
