import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { retryDelayMs } from '../../src/workers/webhooks/backoff.ts';
import { unbalanced } from '../support/log/books.ts';
import { query } from '../support/postgres/database.ts';
import { type SkewedProcesses, skewedProcesses } from '../support/processes/skewed-processes.ts';
import { readCustomer } from '../support/resources/customers.ts';
import { accountOf, createCustomer, eventually, expectStatus, fund } from '../support/resources/flows.ts';
import { type MailServer, startMailServer } from '../support/servers/mail-server.ts';
import { hasTakenTooLong, type Receiver, startReceiver } from '../support/servers/receiver.ts';
import { turnInTime } from '../support/time/turns.ts';
import {
  addEmail,
  createWallet,
  signed,
  signInByEmail,
  walletWithSession,
} from '../support/wallets/wallets.ts';

let processes: SkewedProcesses;
let receiver: Receiver;
let mailServer: MailServer;
const client = (n: number) => processes.client(n);

beforeAll(async () => {
  [receiver, mailServer] = await Promise.all([startReceiver(), startMailServer()]);
  processes = await skewedProcesses({ SMTP_URL: mailServer.url });
  expectStatus(await client(0).patch('/config', { webhookEndpoint: receiver.url }), 200);
});
afterAll(async () => {
  await processes.close();
  await Promise.all([receiver.close(), mailServer.stop()]);
});

const newEmail = () => `ada-${randomUUID()}@example.com`;
const mailsTo = (email: string) => mailServer.mails.filter(({ to }) => to.includes(email)).length;
const leases = () =>
  query<{ name: string; token: string }>(
    processes.databaseUrl,
    'select name, token::text from daybook.leases order by name',
  );

describe('processes whose clocks are two hours apart, and jump', () => {
  it('send each mail once, and late ones as soon as they can', async () => {
    const emails: string[] = [];
    mailServer.refuse = true;
    for (let n = 0; n < 6; n++) {
      const email = newEmail();
      emails.push(email);
      await addEmail(client(n), await createWallet(client(n), { email }));
      if (n % 3 === 2) await processes.swapClocks();
    }
    await eventually(
      async () => mailServer.refused(),
      (many) => many >= emails.length,
    );
    await processes.swapClocks();
    mailServer.refuse = false;
    await eventually(
      async () => emails.filter((email) => mailsTo(email) > 0).length,
      (many) => many === emails.length,
    );
    await processes.swapClocks();
    // Whatever would go a second time goes before one that is asked for now.
    const last = newEmail();
    await addEmail(client(1), await createWallet(client(0), { email: last }));
    await eventually(
      async () => mailsTo(last),
      (many) => many === 1,
    );
    expect(emails.map(mailsTo)).toEqual(emails.map(() => 1));
  });

  it('try failed webhooks again in the order of their back-off, and lose and double none', async () => {
    const failures = 2;
    const accounts: string[] = [];
    for (let n = 0; n < 4; n++)
      accounts.push((await accountOf(client(n), (await createCustomer(client(n))).id)).id);
    const tries = new Map<string, number[]>();
    receiver.answer(({ body, at }, response) => {
      const isOurs = accounts.includes(body.data.id) && body.type === 'INTERNAL_ACCOUNT.BALANCE_UPDATED';
      const before = tries.get(body.id) ?? [];
      if (isOurs) tries.set(body.id, [...before, at]);
      response.writeHead(isOurs && before.length < failures ? 503 : 200).end();
    });
    for (const [n, id] of accounts.entries()) {
      await fund(client(n), id, 100);
      await processes.swapClocks();
    }
    await eventually(
      async () => [...tries.values()].map(({ length }) => length),
      (counts) => counts.length === accounts.length && counts.every((many) => many > failures),
    );
    await processes.swapClocks();
    // What would be sent once more about an account is sent before what comes later about it.
    for (const [n, id] of accounts.entries()) await fund(client(n), id, 100);
    await eventually(
      async () => [...tries.values()].map(({ length }) => length),
      (counts) => counts.length === 2 * accounts.length && counts.every((many) => many > failures),
    );
    let inTime = 0;
    for (const [id, [first = 0, second = 0, third = 0, ...more]] of tries) {
      if (await hasTakenTooLong(client(0), id)) continue;
      inTime += 1;
      expect(more).toEqual([]);
      // A correction of the clock takes away a tenth at most.
      expect(second - first).toBeGreaterThan(0.9 * retryDelayMs(0));
      expect(third - second).toBeGreaterThan(0.9 * retryDelayMs(1));
    }
    expect(inTime).toBeGreaterThan(0);
  });

  it('take each change of an e-mail address that a wallet signs, in order', async () => {
    const { customer, credential, session } = await walletWithSession(client(0), { email: newEmail() });
    for (let n = 0; n < 6; n++) {
      const email = newEmail();
      const call = (headers?: Readonly<Record<string, string>>) =>
        client(n).patch(`/customers/${customer.id}`, { email }, headers);
      expectStatus(await signed(call, session), 200);
      await processes.swapClocks();
      for (const reader of [0, 1])
        await eventually(
          async () => (await readCustomer(client(reader), customer)).email,
          (now) => now === email,
        );
      if (n % 2 === 1) await signInByEmail(client(n + 1), credential.id);
    }
  });

  // Last, since one of them is killed.
  it('leave every lease with its owner, and hand it on when that is killed', async () => {
    const tokens = async () => (await leases()).map(({ token }) => Number(token));
    let first: number[] = [];
    // A term also ends where its holder stands still for longer than the clocks take.
    await turnInTime(async () => {
      first = await tokens();
      expect(first.length).toBeGreaterThan(0);
      for (let round = 0; round < 4; round++) {
        await processes.swapClocks();
        await createCustomer(client(round));
      }
      return isDeepStrictEqual(await tokens(), first);
    });
    // The first to start has them all, unless the other one has had to take some over.
    await processes.kill(0);
    const isHandedOn = (now: readonly number[]) =>
      now.every((token, n) => token > (first[n] ?? 0) || (first[n] ?? 0) > 1);
    await eventually(tokens, isHandedOn);
    await turnInTime(async () => {
      const before = await tokens();
      await processes.swapClocks();
      const { id } = await accountOf(client(1), (await createCustomer(client(1))).id);
      await fund(client(1), id, 100);
      await eventually(
        async () => receiver.typesAbout(id).length,
        (many) => many > 0,
      );
      return isDeepStrictEqual(await tokens(), before);
    });
    expect(await unbalanced(client(1))).toEqual([]);
  });
});
