import { spawnSync } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newMasterKey } from '../../src/infrastructure/secrets/sealing.ts';
import { type Client, clientOf } from '../support/http/client.ts';
import { createDatabase, query } from '../support/postgres/database.ts';
import { nodePath, spawnDaybook, temporaryDirectory } from '../support/processes/process.ts';
import { startTestService, testMasterKey } from '../support/processes/service.ts';
import { createAgent } from '../support/resources/agents.ts';
import { createCustomer, expectStatus } from '../support/resources/flows.ts';
import { takeSnapshot } from '../support/resources/snapshots.ts';
import { newClientKey, openBundle } from '../support/wallets/wallet-client.ts';
import {
  type Call,
  mailsOf,
  oidcToken,
  type Session,
  signed,
  signInByEmail,
  walletWithSession,
} from '../support/wallets/wallets.ts';

const script = resolve(import.meta.dirname, '../../src/main.js');
const rotate = (cwd: string, variables: Record<string, string> = {}) =>
  spawnSync(nodePath, [script, 'keys', 'rotate'], {
    cwd,
    env: { PATH: process.env.PATH, LOG_LEVEL: 'silent', ...variables },
    encoding: 'utf8',
  });

async function phraseOf(client: Client, accountId: string, session: Session): Promise<string> {
  const { publicKey: clientPublicKey, privateKey } = newClientKey();
  const call: Call = (headers) =>
    client.post(`/internal-accounts/${accountId}/export`, { clientPublicKey }, headers);
  const { encryptedWalletCredentials } = expectStatus(await signed(call, session), 200);
  return Buffer.from(await openBundle(encryptedWalletCredentials, privateKey)).toString();
}

const keysIn = async (databaseUrl: string): Promise<string[]> => {
  const kept = ['webhook_keys', 'wallet_phrases', 'oidc_keys', 'emails', 'person_keys'];
  const tables = [...kept, 'one_time_codes', 'agent_device_codes', 'agent_redemptions'];
  const select = tables.map((table) => `select master_key_id as id from daybook.${table}`).join(' union ');
  return (await query<{ id: string }>(databaseUrl, select)).map(({ id }) => id);
};

const snapshotsIn = async (databaseUrl: string): Promise<string[]> =>
  (await query<{ id: string }>(databaseUrl, 'select id from daybook.sandbox_snapshots')).map(({ id }) => id);

describe('rotating the master key of a database server', () => {
  it('reseals everything while the service runs, and the former key is not needed after it', async () => {
    const databaseUrl = await createDatabase();
    const next = newMasterKey();
    const before = await startTestService({ databaseUrl });
    const { client, credentials } = before;
    const { accountId, session, credential } = await walletWithSession(client);
    const phrase = await phraseOf(client, accountId, session);
    const mails = await mailsOf(client);
    const config = expectStatus(await client.get('/config'), 200);
    await oidcToken(client, 'ada');
    await createAgent(client, (await createCustomer(client)).id);
    await before.stop();

    const started = (variables: Record<string, string>) =>
      startTestService({
        databaseUrl,
        variables: {
          DAYBOOK_BOOTSTRAP_CLIENT_ID: credentials.clientId,
          DAYBOOK_BOOTSTRAP_CLIENT_SECRET: credentials.clientSecret,
          DAYBOOK_MASTER_KEY: next,
          ...variables,
        },
      });
    const during = await started({ DAYBOOK_MASTER_KEY_PREVIOUS: testMasterKey });
    const cwd = await temporaryDirectory();
    const variables = { DATABASE_URL: databaseUrl, DAYBOOK_MASTER_KEY: next };
    const done = rotate(cwd, { ...variables, DAYBOOK_MASTER_KEY_PREVIOUS: testMasterKey });
    expect([done.status, done.stderr]).toEqual([0, '']);
    expect(done.stdout).toMatch(/^Sealed \d+ rows under the master key [0-9a-f]{16}\./);
    expect(await keysIn(databaseUrl)).toHaveLength(1);
    await during.stop();

    const after = await started({});
    const again = clientOf(after.url, credentials);
    const fresh = await signInByEmail(again, credential.id);
    expect(await phraseOf(again, accountId, fresh)).toBe(phrase);
    expect((await mailsOf(again)).slice(-mails.length)).toEqual(mails);
    expect(expectStatus(await again.get('/config'), 200)).toEqual(config);
    await oidcToken(again, 'ada');
    await after.stop();
    expect(rotate(cwd, variables).stdout).toMatch(/^Sealed 0 rows/);
  });

  it('is refused where no service has started, or none of this version, and changes nothing', async () => {
    const databaseUrl = await createDatabase();
    const cwd = await temporaryDirectory();
    const keys = { DAYBOOK_MASTER_KEY: newMasterKey(), DAYBOOK_MASTER_KEY_PREVIOUS: testMasterKey };
    const tables = () => query(databaseUrl, "select from pg_tables where schemaname like 'daybook%'");
    expect(rotate(cwd, { DATABASE_URL: databaseUrl, ...keys })).toMatchObject({
      status: 3,
      stdout: '',
      stderr: expect.stringContaining('has nothing of Daybook'),
    });
    expect(await tables()).toEqual([]);
    const { stop } = await startTestService({ databaseUrl });
    await stop();
    const step = "delete from daybook.kysely_migration where name = '0074-failed-actions' returning name";
    expect(await query(databaseUrl, step)).toHaveLength(1);
    expect(rotate(cwd, { DATABASE_URL: databaseUrl, ...keys })).toMatchObject({
      status: 1,
      stdout: '',
      stderr: expect.stringContaining('those of an earlier version'),
    });
  });

  it('says which key is missing, and changes nothing', async () => {
    const databaseUrl = await createDatabase();
    const service = await startTestService({ databaseUrl });
    expectStatus(await service.client.get('/config'), 200);
    await createAgent(service.client, (await createCustomer(service.client)).id);
    await service.stop();
    const before = await keysIn(databaseUrl);
    const codes = () => query(databaseUrl, 'select * from daybook.agent_device_codes');
    const issued = await codes();
    expect(issued).toHaveLength(1);
    const cwd = await temporaryDirectory();
    const failed = rotate(cwd, { DATABASE_URL: databaseUrl, DAYBOOK_MASTER_KEY: newMasterKey() });
    expect(failed.status).toBe(1);
    expect(failed.stderr).toContain('DAYBOOK_MASTER_KEY_PREVIOUS');
    expect(failed.stderr).not.toContain(testMasterKey);
    expect(await keysIn(databaseUrl)).toEqual(before);
    expect(await codes()).toEqual(issued);
  });

  it('says which row does not open, of which table', async () => {
    const databaseUrl = await createDatabase();
    const service = await startTestService({ databaseUrl });
    expectStatus(await service.client.get('/config'), 200);
    await service.stop();
    const [broken] = await query<{ id: string }>(
      databaseUrl,
      "update daybook.webhook_keys set sealed_secret = '\\x00112233445566778899aabbccddeeff00112233445566778899aabb' returning id",
    );
    const failed = rotate(await temporaryDirectory(), {
      DATABASE_URL: databaseUrl,
      DAYBOOK_MASTER_KEY: newMasterKey(),
      DAYBOOK_MASTER_KEY_PREVIOUS: testMasterKey,
    });
    expect(failed.status).toBe(1);
    expect(failed.stderr).toContain(
      `webhook_keys.sealed_secret of the row with id ${broken?.id} does not open`,
    );
    expect(failed.stderr).not.toContain('at ');
  });

  it('is refused while a platform is on its way back to a snapshot, and changes nothing', async () => {
    const databaseUrl = await createDatabase();
    const service = await startTestService({ databaseUrl });
    await service.client.get('/config');
    const snapshot = await takeSnapshot(service.client);
    await service.stop();
    // As a process leaves it that ends on the way.
    await query(databaseUrl, 'update daybook.sandbox_snapshots set restoring = 1');
    const before = await keysIn(databaseUrl);
    const cwd = await temporaryDirectory();
    const refused = rotate(cwd, {
      DATABASE_URL: databaseUrl,
      DAYBOOK_MASTER_KEY: newMasterKey(),
      DAYBOOK_MASTER_KEY_PREVIOUS: testMasterKey,
    });
    expect(refused.status).toBe(1);
    expect(refused.stderr).toMatch(/on its way back to a snapshot.* Start the service/);
    expect(await keysIn(databaseUrl)).toEqual(before);
    expect(await snapshotsIn(databaseUrl)).toEqual([snapshot.id]);
  });

  it('deletes the snapshots that keep something sealed under another key, and no others', async () => {
    const databaseUrl = await createDatabase();
    const next = newMasterKey();
    const variables = { DAYBOOK_MASTER_KEY: next, DAYBOOK_MASTER_KEY_PREVIOUS: testMasterKey };
    const service = await startTestService({ databaseUrl });
    await service.client.get('/config');
    const former = await takeSnapshot(service.client);
    await service.stop();
    expect(await snapshotsIn(databaseUrl)).toEqual([former.id]);
    const cwd = await temporaryDirectory();
    const run = () => rotate(cwd, { DATABASE_URL: databaseUrl, ...variables });
    expect(run().stderr).toBe('');
    expect(await snapshotsIn(databaseUrl)).toEqual([]);
    const { credentials } = service;
    const after = await startTestService({
      databaseUrl,
      variables: {
        DAYBOOK_BOOTSTRAP_CLIENT_ID: credentials.clientId,
        DAYBOOK_BOOTSTRAP_CLIENT_SECRET: credentials.clientSecret,
        ...variables,
      },
    });
    const client = clientOf(after.url, credentials);
    await createCustomer(client);
    const later = await takeSnapshot(client);
    expect(run().stdout).toMatch(/^Sealed 0 rows/);
    expect(await snapshotsIn(databaseUrl)).toEqual([later.id]);
    await after.stop();
  });

  it('is told of at the start of a service that has another key', async () => {
    const databaseUrl = await createDatabase();
    const service = await startTestService({ databaseUrl });
    expectStatus(await service.client.get('/config'), 200);
    await service.stop();
    const cwd = await temporaryDirectory();
    const variables = { DATABASE_URL: databaseUrl, DAYBOOK_MASTER_KEY: newMasterKey() };
    const daybook = spawnDaybook({ cwd, variables });
    expect(await daybook.exited).toEqual({ code: 1, signal: null });
    expect(daybook.stderr()).toMatch(
      /^DAYBOOK_MASTER_KEY: a secret was sealed under the master key [0-9a-f]{16}, which is neither/m,
    );
  });

  it('is told of at the start of a service that lacks the former key where it was cut short', async () => {
    const databaseUrl = await createDatabase();
    const next = newMasterKey();
    const service = await startTestService({ databaseUrl });
    for (let n = 0; n < 3; n++) await createCustomer(service.client);
    await service.stop();
    const inOrder = 'select id, sealed, master_key_id from daybook.person_keys order by id';
    const former = (await query<Record<string, unknown>>(databaseUrl, inOrder)).at(-1);
    const cwd = await temporaryDirectory();
    const variables = { DATABASE_URL: databaseUrl, DAYBOOK_MASTER_KEY: next };
    rotate(cwd, { ...variables, DAYBOOK_MASTER_KEY_PREVIOUS: testMasterKey });
    await query(
      databaseUrl,
      'update daybook.person_keys set sealed = $2, master_key_id = $3 where id = $1',
      Object.values(former ?? {}),
    );
    const daybook = spawnDaybook({ cwd, variables });
    expect(await daybook.exited).toEqual({ code: 1, signal: null });
    expect(daybook.stderr()).toContain(`under the master key ${former?.master_key_id}, which is neither`);
    const rest = rotate(cwd, { ...variables, DAYBOOK_MASTER_KEY_PREVIOUS: testMasterKey });
    expect(rest.stdout).toMatch(/^Sealed 1 rows/);
  });
});

describe('rotating the master key of a data directory', () => {
  it('makes a new key, also after a rotation that was cut short', async () => {
    const cwd = await temporaryDirectory();
    const data = join(cwd, '.daybook');
    const read = (name: string) => readFile(join(data, name), 'utf8').then((text) => text.trim());
    const run = async <T>(work: (client: Client) => Promise<T>): Promise<T> => {
      const daybook = spawnDaybook({ cwd });
      const url = await daybook.ready;
      const [clientId = '', clientSecret = ''] = (await read('credentials')).split(':');
      const result = await work(clientOf(url, { clientId, clientSecret }));
      daybook.kill('SIGTERM');
      await daybook.exited;
      return result;
    };
    const wallet = await run(async (client) => {
      const made = await walletWithSession(client);
      return { ...made, phrase: await phraseOf(client, made.accountId, made.session) };
    });
    const first = await read('master-key');
    const running = spawnDaybook({ cwd });
    await running.ready;
    expect(rotate(cwd).stderr).toMatch(
      /another Daybook is running .*\. Stop it, run the command, and start it again\.\n$/,
    );
    running.kill('SIGTERM');
    await running.exited;
    // As if the process had died between making the new key and resealing.
    await writeFile(join(data, 'master-key.previous'), `${first}\n`);
    await writeFile(join(data, 'master-key'), `${newMasterKey()}\n`);
    const cutShort = await read('master-key');
    const done = rotate(cwd);
    expect([done.status, done.stderr]).toEqual([0, '']);
    expect(await read('master-key')).toBe(cutShort);
    // As if it had died before the new key was there.
    await writeFile(join(data, 'master-key.previous'), `${cutShort}\n`);
    expect(rotate(cwd).status).toBe(0);
    expect(await read('master-key')).not.toBe(cutShort);
    expect(await readdir(data)).not.toContain('master-key.previous');
    const phrase = await run(async (client) => {
      const session = await signInByEmail(client, wallet.credential.id);
      return phraseOf(client, wallet.accountId, session);
    });
    expect(phrase).toBe(wallet.phrase);
  });
});

describe('rotating a master key of the environment beside an embedded Postgres', () => {
  it('reseals everything while the service runs', async () => {
    const [cwd, next] = [await temporaryDirectory(), newMasterKey()];
    const started = async (variables: Record<string, string>) => {
      const daybook = spawnDaybook({ cwd, variables });
      const url = await daybook.ready;
      const token = await readFile(join(cwd, '.daybook/credentials'), 'utf8');
      const [clientId = '', clientSecret = ''] = token.trim().split(':');
      const stop = () => {
        daybook.kill('SIGTERM');
        return daybook.exited;
      };
      return { client: clientOf(url, { clientId, clientSecret }), stop };
    };
    const before = await started({ DAYBOOK_MASTER_KEY: testMasterKey });
    const { id } = await createCustomer(before.client);
    await before.stop();
    const variables = { DAYBOOK_MASTER_KEY: next, DAYBOOK_MASTER_KEY_PREVIOUS: testMasterKey };
    const during = await started(variables);
    const done = rotate(cwd, variables);
    expect([done.status, done.stderr]).toEqual([0, '']);
    expect(done.stdout).toMatch(/^Sealed [1-9]\d* rows under the master key [0-9a-f]{16}\./);
    expectStatus(await during.client.get(`/customers/${id}`), 200);
    expect(rotate(cwd, { DAYBOOK_MASTER_KEY: next }).stdout).toMatch(/^Sealed 0 rows/);
    expect((await during.stop()).code).toBe(0);
  });
});
