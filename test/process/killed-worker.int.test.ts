import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDatabase, query } from '../support/postgres/database.ts';
import { addWebhookEvents, arrivedAt } from '../support/postgres/outbox.ts';
import { type Daybook, removeDirectory, spawnDaybook } from '../support/processes/process.ts';
import { startTestService, type TestService } from '../support/processes/service.ts';
import { eventually, expectStatus } from '../support/resources/flows.ts';
import { codeIn, type MailServer, startMailServer } from '../support/servers/mail-server.ts';
import { type Receiver, startReceiver } from '../support/servers/receiver.ts';
import { addEmail, createWallet } from '../support/wallets/wallets.ts';

let cwd: string;
let api: TestService;
let receiver: Receiver;
let mailServer: MailServer;
let worker: Daybook;

function startWorker(): void {
  const { clientId, clientSecret } = api.credentials;
  worker = spawnDaybook({
    cwd,
    variables: {
      DATABASE_URL: api.databaseUrl,
      DAYBOOK_ROLES: 'worker',
      DAYBOOK_WEBHOOK_ALLOW_PRIVATE: 'true',
      SMTP_URL: mailServer.url,
      DAYBOOK_BOOTSTRAP_CLIENT_ID: clientId,
      DAYBOOK_BOOTSTRAP_CLIENT_SECRET: clientSecret,
    },
  });
}

/** Kills the worker; what it had claimed would be its own for another hour. */
async function killWorker(table: 'webhook_events' | 'emails'): Promise<void> {
  worker.kill('SIGKILL');
  await worker.exited;
  const held = await query(
    api.databaseUrl,
    `update daybook.${table} set locked_until = locked_until + interval '1 hour'
     where locked_until is not null returning 1`,
  );
  expect(held.length).toBeGreaterThan(0);
}

const untilMore = (count: () => number, more: number) => {
  const before = count();
  return eventually(
    async () => count() - before,
    (news) => news >= more,
  );
};

beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'daybook-killed-'));
  [receiver, mailServer] = [await startReceiver(), await startMailServer()];
  const variables = { DAYBOOK_ROLES: 'api,projector', SMTP_URL: mailServer.url };
  api = await startTestService({ databaseUrl: await createDatabase(), variables });
  expectStatus(await api.client.patch('/config', { webhookEndpoint: receiver.url }), 200);
});
afterAll(async () => {
  worker.kill('SIGTERM');
  await worker.exited;
  await api.stop();
  await Promise.all([receiver.close(), mailServer.stop()]);
  await removeDirectory(cwd);
});

describe('a worker that is killed', () => {
  it('in the middle of its calls, again and again, has them made by the next one', async () => {
    receiver.answer(() => undefined);
    await addWebhookEvents(api, 3);
    const calls = () => arrivedAt(receiver).length;
    for (let deaths = 0; deaths < 3; deaths++) {
      startWorker();
      await untilMore(calls, 3);
      await killWorker('webhook_events');
    }
    receiver.answer(200);
    startWorker();
    await untilMore(calls, 3);
    await eventually(
      () => query(api.databaseUrl, `select from daybook.webhook_events where state = 'PENDING'`),
      ({ length }) => length === 0,
    );
  });

  it('while it sends a mail has it sent by the next one', async () => {
    const wallet = await createWallet(api.client, { kycStatus: 'APPROVED' });
    mailServer.hang = true;
    await addEmail(api.client, wallet);
    await untilMore(mailServer.hanging, 1);
    await killWorker('emails');
    mailServer.hang = false;
    startWorker();
    await untilMore(() => mailServer.mails.length, 1);
    expect(codeIn(mailServer.mails[0]?.source ?? '')).not.toBe('');
  });
});
