/** What former versions have written of a customer and not sealed, in events that do not name the customer. */
import { describe, expect, it } from 'vitest';
import { type Client, clientOf, type Json } from '../support/http/client.ts';
import { query } from '../support/postgres/database.ts';
import { everyRow } from '../support/postgres/every-row.ts';
import { openLog, readLog } from '../support/postgres/read-models.ts';
import { startTestService, type TestService } from '../support/processes/service.ts';
import { approvalRequired, payOut, reject, staffed } from '../support/resources/agents.ts';
import { newAddress } from '../support/resources/customers.ts';
import { fieldsOf, formOf } from '../support/resources/documents.ts';
import {
  accountOf,
  createBusiness,
  createCustomer,
  eventually,
  expectStatus,
  untilTransaction,
} from '../support/resources/flows.ts';
import { customerWith, quote, registerUsd, toAddress } from '../support/resources/payments.ts';
import { expectRebuilt } from '../support/resources/snapshots.ts';
import { createOwner } from '../support/resources/verification.ts';

/** The log as former versions have written it. */
async function unseal(databaseUrl: string): Promise<void> {
  const shown = await readLog(databaseUrl);
  await query(databaseUrl, 'alter table daybook_log.events disable trigger all');
  for (const { id, data, metadata } of shown) {
    const { personal, ...rest } = metadata;
    if (!personal) continue;
    const text = 'update daybook_log.events set data = $2, metadata = $3 where id = $1';
    await query(databaseUrl, text, [id, data, rest]);
  }
  await query(databaseUrl, 'delete from daybook.person_keys');
}

/** Of these texts, those that the service shows, or has in a table. */
async function shownOf(databaseUrl: string, texts: readonly string[]): Promise<readonly string[]> {
  const tables = await everyRow((text) => query(databaseUrl, text));
  const rows = tables.filter(({ table }) => table !== 'daybook_log.events').map(({ row }) => row);
  const all = JSON.stringify([await readLog(databaseUrl).then((log) => log.map(({ data }) => data)), rows]);
  return texts.filter((text) => all.includes(text));
}

/** The service on the log of a former version, whose texts it shows until the customer is erased. */
async function erasing(first: TestService, customer: Json, texts: readonly string[]): Promise<void> {
  const { databaseUrl, credentials } = first;
  await first.stop();
  await unseal(databaseUrl);
  expect(await shownOf(databaseUrl, texts)).toEqual(texts);
  const second = await startTestService({ databaseUrl });
  const client = clientOf(second.url, credentials);
  await eventually(
    async () => expectStatus(await client.post(`/customers/${customer.id}/erase`), 200),
    ({ status }) => status === 'ERASED',
  );
  expect(await shownOf(databaseUrl, texts)).toEqual([]);
  await second.stop();
  const log = await openLog(databaseUrl);
  await expectRebuilt(databaseUrl, log);
  await log.close();
}

/** A document, and its replacement, with names of their own. */
async function replacedDocument(client: Client, documentHolder: string, name: string): Promise<void> {
  const form = (of: string) =>
    formOf(fieldsOf(documentHolder, { documentNumber: `number-of-${of}` }), { name: `${of}.png` });
  const { id } = expectStatus(await client.form('POST', '/documents', form(`first-${name}`)), 201);
  expectStatus(await client.form('PUT', `/documents/${id}`, form(`second-${name}`)), 200);
}

async function claimed(client: Client, inviterUma: string, inviteeUma: string): Promise<void> {
  const { code } = expectStatus(await client.post('/invitations', { inviterUma }), 201);
  expectStatus(await client.post(`/invitations/${code}/claim`, { inviteeUma }), 200);
}

describe('a customer who is erased is not shown by what a former version has not sealed', () => {
  it('of documents that were replaced', async () => {
    const service = await startTestService();
    const { client } = service;
    const business = await createBusiness(client);
    const owner = await createOwner(client, business.id);
    await replacedDocument(client, business.id, 'quixworthy');
    await replacedDocument(client, owner.id, 'zarathustra');
    const names = ['quixworthy', 'zarathustra'].flatMap((name) => [`first-${name}`, `second-${name}`]);
    const texts = names.flatMap((name) => [`number-of-${name}`, `${name}.png`]);
    await erasing(service, business, texts);
  });

  it('of what an agent was refused that is deleted', async () => {
    const service = await startTestService();
    const { client } = service;
    const one = await staffed(client, approvalRequired, 0);
    const action = expectStatus(await payOut(one, 500), 201);
    expectStatus(await reject(client, action, { reason: 'Zebulon has said no' }), 200);
    expectStatus(await client.delete(`/agents/${one.agent.id}`), 204);
    await erasing(service, one.customer, ['Zebulon has said no']);
  });

  it('of invitations, made and claimed', async () => {
    const service = await startTestService();
    const { client } = service;
    const [umaAddress, others] = [newAddress(), newAddress()];
    const [customer, other] = [await createCustomer(client, { umaAddress }), await createCustomer(client)];
    await claimed(client, other.umaAddress, umaAddress);
    await claimed(client, umaAddress, others);
    await claimed(client, other.umaAddress, newAddress());
    await erasing(service, customer, [umaAddress, others]);
    const shown = await readLog(service.databaseUrl);
    const left = shown.flatMap(({ type, data }) => (type === 'InvitationClaimed' ? [data.inviteeUma] : []));
    expect(left).toEqual(['erased', 'erased', expect.stringContaining('@')]);
  });

  it('of payments by others to the address, and of none to somebody else', async () => {
    const service = await startTestService();
    const { client } = service;
    const elsewhere = await service.newPlatform();
    const { supportedCurrencies } = expectStatus(await elsewhere.get('/config'), 200);
    const requiredCounterpartyFields = [{ name: 'FULL_NAME', mandatory: false }];
    const asking = supportedCurrencies.map((one: Json) => ({ ...one, requiredCounterpartyFields }));
    expectStatus(await elsewhere.patch('/config', { supportedCurrencies: asking }), 200);
    const payer = await customerWith(elsewhere, 100_000);
    const [leaving, staying] = [
      await customerWith(client, 0, { fullName: 'Zebulon Quixworthy' }),
      await customerWith(client, 0, { fullName: 'Mary Somerville' }),
    ];
    for (const { customer } of [leaving, staying]) {
      const said = { lockedCurrencyAmount: 7_000, immediatelyExecute: true };
      const body = await toAddress(elsewhere, payer, customer.umaAddress, said);
      const { transactionId } = await quote(elsewhere, body);
      await untilTransaction(elsewhere, transactionId, 'COMPLETED');
    }
    const { account, customer } = leaving;
    const { balance } = await accountOf(client, customer.id);
    const bank = await registerUsd(client, customer.id);
    const ends = { source: { accountId: account.id }, destination: { accountId: bank.id } };
    const paid = expectStatus(await client.post('/transfer-out', { ...ends, amount: balance.amount }), 201);
    await untilTransaction(client, paid.id, 'COMPLETED');
    await erasing(service, customer, ['Zebulon Quixworthy']);
    const shown = await readLog(service.databaseUrl);
    const described = shown.filter(({ type }) => type === 'PayeeDescribed');
    expect(described.map(({ data }) => data.counterpartyInformation)).toEqual([
      { FULL_NAME: 'erased' },
      { FULL_NAME: 'Mary Somerville' },
    ]);
  });
});
