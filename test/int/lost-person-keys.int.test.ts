/** The tables are older than the log: keys of persons are gone, and others made in their place. */
import { expect, it } from 'vitest';
import { openVault } from '../../src/app/parts/core/vault.ts';
import { postgresEventStore } from '../../src/infrastructure/event-store/postgres/store.ts';
import { createLog } from '../../src/infrastructure/observe/log.ts';
import { shownLog } from '../../src/infrastructure/personal-data/shown-log.ts';
import { createPool } from '../../src/infrastructure/postgres/pool.ts';
import { clientOf, type Json } from '../support/http/client.ts';
import { query } from '../support/postgres/database.ts';
import { startTestService, testMasterKey } from '../support/processes/service.ts';
import { eventually, expectStatus } from '../support/resources/flows.ts';
import { customerWith } from '../support/resources/payments.ts';
import { expectRebuilt } from '../support/resources/snapshots.ts';

it('a customer whose key was lost is changed, others are erased, and read models are built', async () => {
  const first = await startTestService();
  const { databaseUrl, credentials } = first;
  const { customer } = await customerWith(first.client, 0, { fullName: 'Zebulon' });
  await first.stop();
  await query(databaseUrl, 'delete from daybook.person_keys where id = $1', [customer.id]);

  const lines: string[] = [];
  const log = createLog('warn', { write: (line) => void lines.push(line) });
  const second = await startTestService({ databaseUrl, log });
  const client = clientOf(second.url, credentials);
  const path = `/customers/${customer.id}`;
  expectStatus(await client.patch(path, { fullName: 'Zeb' }), 200);
  const { customer: other } = await customerWith(client, 0);
  const erase = async (): Promise<Json> =>
    expectStatus(await client.post(`/customers/${other.id}/erase`), 200);
  await eventually(erase, ({ status }) => status === 'ERASED');
  await second.stop();

  const third = await startTestService({ databaseUrl, log });
  const again = clientOf(third.url, credentials);
  const changed = { fullName: 'Zebulon', email: 'zeb@example.org' };
  expect(expectStatus(await again.patch(path, changed), 200)).toMatchObject(changed);
  await third.stop();
  expect(lines.join('')).toContain('a key of a person was lost, and made anew');

  const store = await postgresEventStore(databaseUrl, createLog('silent'));
  const pool = createPool({ url: databaseUrl, max: 1, name: 'test-keys' });
  await expectRebuilt(databaseUrl, shownLog(store, openVault(pool, { current: testMasterKey })));
  await pool.end();
  await store.close();
});
