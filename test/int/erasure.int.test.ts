import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exportLog } from '../../src/app/cli/commands/audit/export-log.ts';
import { wholeLog } from '../../src/app/cli/commands/audit/reading.ts';
import { verifiedLog } from '../../src/app/cli/commands/audit/verify.ts';
import { openVault } from '../../src/app/parts/core/vault.ts';
import type { StoredEvent } from '../../src/infrastructure/event-store/event-store.ts';
import { eventStoreDb } from '../../src/infrastructure/event-store/eventstoredb.ts';
import { postgresEventStore } from '../../src/infrastructure/event-store/postgres/store.ts';
import { createLog } from '../../src/infrastructure/observe/log.ts';
import { shownLog } from '../../src/infrastructure/personal-data/shown-log.ts';
import { createPool } from '../../src/infrastructure/postgres/pool.ts';
import { inboxUrl } from '../../src/sandbox/inbox.ts';
import { type Client, clientOf, type Json } from '../support/http/client.ts';
import { expectProblem } from '../support/http/problems.ts';
import { unbalanced } from '../support/log/books.ts';
import { query } from '../support/postgres/database.ts';
import { everyRow } from '../support/postgres/every-row.ts';
import { startTestService, testMasterKey } from '../support/processes/service.ts';
import { uploadDocument } from '../support/resources/documents.ts';
import {
  accountOf,
  createBusiness,
  createCustomer,
  eventually,
  expectStatus,
  fund,
  quoteBody,
  untilTransaction,
} from '../support/resources/flows.ts';
import {
  customerWith,
  platformAccount,
  quote,
  registerUsd,
  toAddress,
} from '../support/resources/payments.ts';
import { expectRebuilt } from '../support/resources/snapshots.ts';
import { createOwner } from '../support/resources/verification.ts';
import { type EventStoreDbServer, startEventStoreDb } from '../support/servers/eventstoredb-server/server.ts';
import { walletWithSession } from '../support/wallets/wallets.ts';

/** Nobody else has any of these. */
const secrets = {
  fullName: 'Zebulon Quixworthy',
  email: 'zebulon.quixworthy@example.org',
  phoneNumber: '+14155550142',
  birthDate: '1951-07-13',
  line1: '77 Xylophone Crescent',
  city: 'Quaxford',
  postalCode: 'QX71ZZ',
  description: 'for the zither lessons',
  remittance: 'zither invoice 4711',
  beneficiary: 'Philippa Quonset',
  bornThen: '1949-11-23',
  writtenTo: 'philippa.quonset@example.org',
  accountNumber: '99887766789',
  business: 'Quixworthy Zithers Limited',
  taxId: 'TX-55-QUIX',
  identifier: 'QX-7131951',
  owner: 'Zarathustra',
  documentName: 'quixworthy-passport.pdf',
  address: '$zithers',
  inviter: 'Zebby Q.',
  invitee: '$quinton',
} as const;

const { fullName, email, phoneNumber, birthDate, line1, city, postalCode } = secrets;

/** Text and bytes, as they stand in rows and files. */
const formsOf = (text: string): readonly string[] => [
  text,
  Buffer.from(text).toString('hex'),
  Buffer.from(text).toString('base64').replace(/=+$/, '').slice(0, -1),
];

function foundIn(text: string): readonly string[] {
  const lower = text.toLowerCase();
  return Object.values(secrets).filter((secret) =>
    formsOf(secret).some((form) => lower.includes(form.toLowerCase())),
  );
}

/** Of every table of the database: what of the secrets is in it. */
async function foundInTables(url: string): Promise<readonly string[]> {
  const all = await everyRow((text) => query(url, text));
  return all.flatMap(({ table, row }) =>
    foundIn(row).map((secret) => `${secret} in ${table}: ${row.slice(0, 300)}`),
  );
}

type Made = {
  readonly person: Json;
  readonly business: Json;
  readonly paid: readonly string[];
  /** By others, to the external account of the person. */
  readonly byOthers: readonly string[];
  readonly other: Json;
};

/** The platform wants to know these of whoever is paid. */
async function asking(client: Client, names: readonly string[]): Promise<readonly Json[]> {
  const { supportedCurrencies } = expectStatus(await client.get('/config'), 200);
  const requiredCounterpartyFields = names.map((name) => ({ name, mandatory: false }));
  return supportedCurrencies.map((one: Json) => ({ ...one, requiredCounterpartyFields }));
}

/** By another customer, and by the platform itself. */
async function paidByOthers(client: Client, { id }: Json): Promise<readonly string[]> {
  const other = await customerWith(client, 50_000, { fullName: 'Mary Somerville' });
  const own = await platformAccount(client);
  await fund(client, own.id, 50_000);
  const paying = [other.account, own].map((from) =>
    quote(client, quoteBody(from.id, id, { lockedCurrencyAmount: 20_000, immediatelyExecute: true })),
  );
  const all = (await Promise.all(paying)).map(({ transactionId }): string => transactionId);
  for (const one of all) await untilTransaction(client, one, 'COMPLETED');
  return all;
}

/** All that says something of the two, at the interface and in mails. */
async function live(client: Client, elsewhere: Client): Promise<Made> {
  const { umaDomain } = expectStatus(
    await client.patch('/config', {
      webhookEndpoint: inboxUrl,
      embeddedWalletConfig: { appName: 'Zither' },
      supportedCurrencies: await asking(client, ['FULL_NAME', 'BIRTH_DATE', 'EMAIL']),
    }),
    200,
  );
  const { customer: person, accountId } = await walletWithSession(client, {
    fullName,
    email,
    phoneNumber,
    birthDate,
    idType: 'NON_US_TAX_ID',
    identifier: secrets.identifier,
    countryOfIssuance: 'GB',
    address: { line1, city, postalCode, country: 'GB' },
    umaAddress: `${secrets.address}@${umaDomain}`,
    currencies: ['USD'],
  });
  expect(accountId).toMatch(/^InternalAccount:/);
  const account = await accountOf(client, person.id);
  await fund(client, account.id, 100_000);
  const payee = expectStatus(
    await client.post('/customers/external-accounts', {
      customerId: person.id,
      currency: 'USD',
      accountInfo: {
        accountType: 'USD_ACCOUNT',
        accountNumber: secrets.accountNumber,
        routingNumber: '021000021',
        beneficiary: {
          beneficiaryType: 'INDIVIDUAL',
          fullName: secrets.beneficiary,
          birthDate: secrets.bornThen,
          email: secrets.writtenTo,
        },
      },
    }),
    201,
  );
  const byOthers = await paidByOthers(client, payee);
  const bank = await quote(
    client,
    quoteBody(account.id, payee.id, {
      lockedCurrencyAmount: 30_000,
      immediatelyExecute: true,
      description: secrets.description,
      remittanceInformation: secrets.remittance,
    }),
  );
  const other = await customerWith(elsewhere, 50_000);
  const there = await quote(
    client,
    await toAddress(client, { customer: person, account }, other.customer.umaAddress, {
      lockedCurrencyAmount: 70_000,
      immediatelyExecute: true,
    }),
  );
  await untilTransaction(client, bank.transactionId, 'COMPLETED');
  await untilTransaction(client, there.transactionId, 'COMPLETED');
  expectStatus(await client.patch(`/customers/${person.id}`, { address: { city: 'Elsewhere' } }), 200);
  const invitation = { inviterUma: person.umaAddress, firstName: secrets.inviter };
  const { code } = expectStatus(await client.post('/invitations', invitation), 201);
  const inviteeUma = `${secrets.invitee}@elsewhere.test`;
  expectStatus(await elsewhere.post(`/invitations/${code}/claim`, { inviteeUma }), 200);
  const business = expectStatus(
    await client.post('/customers', {
      customerType: 'BUSINESS',
      region: 'US',
      businessInfo: { legalName: secrets.business, taxId: secrets.taxId },
    }),
    201,
  );
  const owner = await createOwner(client, business.id, secrets.owner);
  await uploadDocument(client, owner.id, { fileName: secrets.documentName });
  return {
    person,
    business,
    paid: [bank.transactionId, there.transactionId],
    byOthers,
    other: other.customer,
  };
}

/** A busy machine answers before all is done: the same again says how far it has come. */
const erase = (client: Client, { id }: Json): Promise<Json> =>
  eventually(
    async () => expectStatus(await client.post(`/customers/${id}/erase`), 200),
    ({ status }) => status === 'ERASED',
  );

async function started(variables: Record<string, string> = {}) {
  const lines: string[] = [];
  const log = createLog('trace', { write: (line) => void lines.push(line) });
  const service = await startTestService({ variables, log });
  return { ...service, lines };
}

/** The customer's first event as a former version has written it. */
async function asFormerVersions(databaseUrl: string, { id }: Json, changed: string): Promise<void> {
  await query(databaseUrl, 'alter table daybook_log.events disable trigger all');
  await query(
    databaseUrl,
    `update daybook_log.events set ${changed} where type = 'CustomerCreated' and data->>'customerId' = '${id}'`,
  );
}

/** What others have paid to external accounts, as a former version has written it: sealed for who pays. */
async function sealedForPayers(databaseUrl: string): Promise<void> {
  const pool = createPool({ url: databaseUrl, max: 1, name: 'test-former' });
  const log = await postgresEventStore(databaseUrl, createLog('silent'));
  const vault = openVault(pool, { current: testMasterKey });
  await query(databaseUrl, 'alter table daybook_log.events disable trigger all');
  for await (const event of wholeLog(log)) {
    const owner = /,"destinationOwner":"([^"]+)"/.exec(JSON.stringify(event.data));
    if (!owner) continue;
    const [shown] = await vault.show([event]);
    const { personal, ...metadata } = event.metadata;
    const data: Json = JSON.parse(JSON.stringify(shown?.data).replace(owner[0], ''));
    const payers = personal?.of.filter((id) => id !== owner[1]) ?? [];
    const former = await vault.hide({ type: event.type, data, metadata }, () => payers);
    await query(databaseUrl, 'update daybook_log.events set data = $2, metadata = $3 where id = $1', [
      event.id,
      former.data,
      former.metadata,
    ]);
  }
  await log.close();
  await pool.end();
}

const folder = await mkdtemp(join(tmpdir(), 'daybook-erasure-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('a customer who is erased', () => {
  it('is nowhere any more: in no table, log line or export', async () => {
    const service = await started();
    const { client, databaseUrl } = service;
    const elsewhere = await service.newPlatform();
    const { person, business, paid, byOthers } = await live(client, elsewhere);
    for (const id of byOthers) {
      const { counterpartyInformation } = expectStatus(await client.get(`/transactions/${id}`), 200);
      expect(counterpartyInformation).toMatchObject({
        FULL_NAME: secrets.beneficiary,
        BIRTH_DATE: secrets.bornThen,
        EMAIL: secrets.writtenTo,
      });
    }
    const sealedRows = await query<{ n: number }>(
      databaseUrl,
      "select count(*)::int as n from daybook_log.events where metadata ? 'personal'",
    );
    expect(sealedRows[0]?.n).toBeGreaterThan(8);
    const before = await foundInTables(databaseUrl);
    expect(before.length).toBeGreaterThan(10);
    expect(before.filter((where) => where.includes(' in daybook_log.'))).toEqual([]);
    for (const one of [person, business])
      expect(await erase(client, one)).toMatchObject({
        customerId: one.id,
        status: 'ERASED',
        unsealedEvents: 0,
      });
    expect(await foundInTables(databaseUrl)).toEqual([]);
    expect(service.lines.flatMap((line) => foundIn(line))).toEqual([]);

    const known = expectStatus(await client.get(`/customers/${person.id}`), 200);
    expect(known).toMatchObject({ isDeleted: true, umaAddress: 'erased' });
    for (const name of ['fullName', 'idType', 'countryOfIssuance'])
      expect(Object.keys(known)).not.toContain(name);
    for (const id of paid) {
      const { status, description } = expectStatus(await client.get(`/transactions/${id}`), 200);
      expect([status, description]).toEqual(['COMPLETED', undefined]);
    }
    for (const id of byOthers) {
      const { status, counterpartyInformation } = expectStatus(await client.get(`/transactions/${id}`), 200);
      expect([status, counterpartyInformation]).toEqual(['COMPLETED', undefined]);
    }
    expectStatus(await client.get('/transactions'), 200);
    expectStatus(await elsewhere.get('/transactions'), 200);
    expect([...(await unbalanced(client)), ...(await unbalanced(elsewhere))]).toEqual([]);
    // The same again changes nothing.
    expect((await erase(client, person)).status).toBe('ERASED');
    await service.stop();

    const log = await postgresEventStore(databaseUrl, createLog('silent'));
    expect(await verifiedLog(log, 'dense')).toMatchObject({ isRight: true });
    const pool = createPool({ url: databaseUrl, max: 1, name: 'test-keys' });
    await expectRebuilt(databaseUrl, shownLog(log, openVault(pool, { current: testMasterKey })));
    await pool.end();
    await log.close();
    process.env.DATABASE_URL = databaseUrl;
    const file = join(folder, 'log.ndjson.gz');
    await exportLog({ file, json: true } as never);
    delete process.env.DATABASE_URL;
    expect(foundIn(gunzipSync(await readFile(file)).toString('utf8'))).toEqual([]);

    // A start reads the log again.
    const again = await startTestService({ databaseUrl });
    const reader = clientOf(again.url, service.credentials);
    expect(expectStatus(await reader.get(`/customers/${person.id}`), 200)).toEqual(known);
    expect(await foundInTables(databaseUrl)).toEqual([]);
    await again.stop();
  });

  it('leaves no address behind that a wallet got while the customer was being deleted', async () => {
    const { client, databaseUrl, stop } = await started();
    expectStatus(await client.patch('/config', { embeddedWalletConfig: { appName: 'Zither' } }), 200);
    const { customer, accountId } = await walletWithSession(client, { email });
    expectStatus(await client.delete(`/customers/${customer.id}`), 200);
    await query(databaseUrl, 'update daybook.wallet_credentials set email = $1 where account_id = $2', [
      email,
      accountId,
    ]);
    await erase(client, customer);
    expect(await foundInTables(databaseUrl)).toEqual([]);
    await stop();
  });

  it('is in no table that a rebuild has left when it was killed', async () => {
    const { client, databaseUrl, stop } = await started();
    const { customer } = await customerWith(client, 0, { fullName });
    await query(databaseUrl, 'create schema daybook_rebuild');
    await query(databaseUrl, 'create table daybook_rebuild.customers as select * from daybook.customers');
    expect(await foundInTables(databaseUrl)).toHaveLength(2);
    await erase(client, customer);
    expect(await foundInTables(databaseUrl)).toEqual([]);
    await stop();
  });

  it('is erased by the next process where one ends on the way', async () => {
    const first = await started();
    const { databaseUrl, credentials } = first;
    const { customer } = await customerWith(first.client, 0, { fullName });
    await erase(first.client, customer);
    await first.stop();
    // As if nothing had been done but the event.
    await query(databaseUrl, 'delete from daybook.erasures');
    await query(
      databaseUrl,
      `update daybook.customers set details = '{"fullName":"${fullName}"}' where id = '${customer.id}'`,
    );
    await query(databaseUrl, "update daybook.checkpoints set position = 0 where name = 'policies'");
    const second = await startTestService({ databaseUrl });
    const client = clientOf(second.url, credentials);
    await eventually(
      async () => (await client.get(`/customers/${customer.id}`)).body,
      (body) => !('fullName' in body),
    );
    await second.stop();
  });

  it('is told of what the log has had before anything was sealed', async () => {
    const first = await started();
    const { databaseUrl, credentials } = first;
    const { customer } = await customerWith(first.client, 0, { fullName });
    await first.stop();
    await asFormerVersions(
      databaseUrl,
      customer,
      `metadata = metadata - 'personal', data = data || '{"fullName":"${fullName}"}'`,
    );
    const second = await startTestService({ databaseUrl });
    const client = clientOf(second.url, credentials);
    expect(await erase(client, customer)).toMatchObject({ status: 'ERASED', unsealedEvents: 1 });
    // The log has it; the service shows it nowhere.
    expect(JSON.stringify(expectStatus(await client.get(`/customers/${customer.id}`), 200))).not.toContain(
      fullName,
    );
    expect(await foundInTables(databaseUrl)).toEqual([expect.stringMatching(/in daybook_log\.events/)]);
    await second.stop();
  });

  it('is shown by no payment to the account that others have made with a former version', async () => {
    const first = await started();
    const { client, databaseUrl, credentials } = first;
    const asked = { supportedCurrencies: await asking(client, ['FULL_NAME']) };
    expectStatus(await client.patch('/config', asked), 200);
    const { customer } = await customerWith(client, 0);
    const payee = await registerUsd(client, customer.id);
    const byOthers = await paidByOthers(client, payee);
    const namesOf = (who: Client) =>
      Promise.all(
        byOthers.map(async (id) => {
          const { counterpartyInformation } = expectStatus(await who.get(`/transactions/${id}`), 200);
          return counterpartyInformation?.FULL_NAME;
        }),
      );
    const { fullName: name } = payee.accountInfo.beneficiary;
    expect(await namesOf(client)).toEqual([name, name]);
    await first.stop();
    await sealedForPayers(databaseUrl);
    const second = await startTestService({ databaseUrl });
    const reader = clientOf(second.url, credentials);
    // What the platform itself has paid was not sealed: the debit, and the quote.
    expect(await erase(reader, customer)).toMatchObject({ status: 'ERASED', unsealedEvents: 2 });
    expect(await namesOf(reader)).toEqual([undefined, undefined]);
    const left = await everyRow((text) => query(databaseUrl, text));
    const telling = left.filter(({ row }) => row.includes(name)).map(({ table }) => table);
    expect(telling).toEqual(['daybook_log.events', 'daybook_log.events']);
    await second.stop();
    const log = await postgresEventStore(databaseUrl, createLog('silent'));
    const pool = createPool({ url: databaseUrl, max: 1, name: 'test-keys' });
    await expectRebuilt(databaseUrl, shownLog(log, openVault(pool, { current: testMasterKey })));
    await pool.end();
    await log.close();
  });

  it('says no more of what a former version had not sealed beside the rest', async () => {
    const first = await started();
    const { databaseUrl, credentials } = first;
    const { customer } = await customerWith(first.client, 0, { fullName });
    await first.stop();
    await asFormerVersions(
      databaseUrl,
      customer,
      `data = data || '{"idType":"NON_US_TAX_ID","countryOfIssuance":"GB"}'`,
    );
    const second = await startTestService({ databaseUrl });
    const client = clientOf(second.url, credentials);
    expectStatus(await client.patch(`/customers/${customer.id}`, { fullName: 'Zeb' }), 200);
    const read = async () => expectStatus(await client.get(`/customers/${customer.id}`), 200);
    expect(await read()).toMatchObject({ fullName: 'Zeb', idType: 'NON_US_TAX_ID', countryOfIssuance: 'GB' });
    await erase(client, customer);
    for (const name of ['fullName', 'idType', 'countryOfIssuance'])
      expect(Object.keys(await read())).not.toContain(name);
    await second.stop();
  });

  it('takes nothing from another who says the same, nor from their keys and webhooks', async () => {
    const { client, databaseUrl, stop } = await started();
    expectStatus(await client.patch('/config', { webhookEndpoint: inboxUrl }), 200);
    const pay = async (who: { customer: Json; account: Json }) => {
      const payee = await registerUsd(client, who.customer.id);
      const said = { lockedCurrencyAmount: 30_000, immediatelyExecute: true, description: 'January rent' };
      const body = quoteBody(who.account.id, payee.id, said);
      const send = () => client.post('/quotes', body, { 'Idempotency-Key': `rent of ${who.customer.id}` });
      const { transactionId } = expectStatus(await send(), 201);
      await untilTransaction(client, transactionId, 'COMPLETED');
      return { transactionId, send };
    };
    const gone = await customerWith(client, 30_000);
    const stays = await customerWith(client, 100_000);
    const [theirs, own] = [await pay(gone), await pay(stays)];
    const told = () =>
      query<{ body: string; state: string }>(
        databaseUrl,
        `select body, state from daybook.webhook_events where object_id = '${own.transactionId}' order by id`,
      );
    const before = await eventually(
      told,
      (all) => all.length === 3 && all.every((row) => row.state === 'DELIVERED'),
    );
    const rows = () =>
      query<{ row: Json }>(
        databaseUrl,
        `select to_jsonb(t) as row from daybook.transactions t where id = '${theirs.transactionId}'`,
      );
    const [former] = await rows();
    expect((await erase(client, gone.customer)).status).toBe('ERASED');
    expect(await told()).toEqual(before);
    expect(JSON.stringify(before)).toContain('January rent');
    const again = await own.send();
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.body.transactionId).toBe(own.transactionId);

    // As a process leaves it that ends after the keys are destroyed, and before the rows are made again.
    await query(
      databaseUrl,
      `update daybook.transactions set description = 'January rent' where id = '${theirs.transactionId}'`,
    );
    expect(former?.row.description).toBe('January rent');
    await query(databaseUrl, 'update daybook.erasures set done_at = null');
    expect((await erase(client, gone.customer)).status).toBe('ERASED');
    expect((await rows())[0]?.row.description).toBeNull();
    await stop();
  });

  it('is erased in what a way back to a snapshot has left', async () => {
    const { client, databaseUrl, stop } = await started();
    const business = await createBusiness(client);
    const snapshot = expectStatus(await client.post('/sandbox/snapshots', {}), 201);
    const owner = await createOwner(client, business.id, secrets.owner);
    await uploadDocument(client, owner.id, { fileName: secrets.documentName });
    expectStatus(await client.post(`/sandbox/snapshots/${snapshot.id}/restore`), 200);
    const keys = () =>
      query<{ id: string }>(
        databaseUrl,
        'select id from daybook.person_keys where sealed is not null order by id',
      );
    expect(await keys()).toEqual([{ id: owner.id }, { id: business.id }]);
    await erase(client, business);
    expect(await keys()).toEqual([]);
    await stop();
  });

  it('is erased, whoever comes before and cannot be', async () => {
    const { client, databaseUrl, stop } = await started();
    const [first, second] = [await createCustomer(client), await createCustomer(client)];
    for (const one of [first, second]) expectStatus(await client.delete(`/customers/${one.id}`), 200);
    await query(
      databaseUrl,
      `create function daybook.no() returns trigger language plpgsql as 'begin raise exception ''no''; end';
       create trigger no before update on daybook.customers for each row
       when (new.id = '${first.id}') execute function daybook.no()`,
    );
    expect((await client.post(`/customers/${first.id}/erase`)).status).toBe(500);
    const ask = `insert into daybook.erasures (customer_id, platform_id, asked_at)
      select id, platform_id, now() from daybook.customers where id = '${second.id}'`;
    await query(databaseUrl, ask);
    const left = () =>
      query<{ customer_id: string }>(
        databaseUrl,
        'select customer_id from daybook.erasures where done_at is null',
      );
    expect(await eventually(left, ({ length }) => length === 1)).toEqual([{ customer_id: first.id }]);
    await query(databaseUrl, 'drop trigger no on daybook.customers');
    expect(await eventually(left, ({ length }) => length === 0)).toEqual([]);
    await stop();
  });

  it('has nothing that is owed, and is nobody else’s', async () => {
    const service = await started();
    const { client } = service;
    const elsewhere = await service.newPlatform();
    const { customer } = await customerWith(client, 500);
    expectProblem(await client.post(`/customers/${customer.id}/erase`), 409, 'CONFLICT');
    expectProblem(await elsewhere.post(`/customers/${customer.id}/erase`), 404, 'USER_NOT_FOUND');
    const { fullName: still } = expectStatus(await client.get(`/customers/${customer.id}`), 200);
    expect(still).toBe('Ada Lovelace');
    await service.stop();
  });
});

describe('with the log on another server', () => {
  let server: EventStoreDbServer;
  beforeAll(async () => {
    server = await startEventStoreDb();
  });
  afterAll(() => server.close());

  it('is erased there as well', async () => {
    const service = await started({ EVENTSTORE_URL: server.url });
    const { client, databaseUrl } = service;
    const { person, business } = await live(client, await service.newPlatform());
    for (const one of [person, business]) await erase(client, one);
    expect(await foundInTables(databaseUrl)).toEqual([]);
    await service.stop();
    const log = await eventStoreDb({ url: server.url, streamPrefix: 'daybook.', log: createLog('silent') });
    const whole: StoredEvent[] = [];
    for await (const event of wholeLog(log)) whole.push(event);
    expect(whole.filter(({ metadata }) => metadata.personal !== undefined).length).toBeGreaterThan(8);
    expect(whole.flatMap(({ data, metadata }) => foundIn(JSON.stringify([data, metadata])))).toEqual([]);
    expect(await verifiedLog(log, 'growing')).toMatchObject({ isRight: true });
    await log.close();
  });
});
