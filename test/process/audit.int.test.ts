/** What an auditor can do with read-only credentials, and nothing of the installation beside them. */

import { spawn } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { uuidOf } from '../../src/kernel/ids.ts';
import type { Json } from '../support/http/client.ts';
import { administratorOf, query } from '../support/postgres/database.ts';
import { startTestService, testMasterKey } from '../support/processes/service.ts';
import { approvalRequired, approve, payOut, staffed } from '../support/resources/agents.ts';
import {
  expectStatus,
  fund,
  quoteBody,
  registerPayee,
  untilTransaction,
} from '../support/resources/flows.ts';
import { customerWith, quote, receive } from '../support/resources/payments.ts';
import { restoreSnapshot, takeSnapshot } from '../support/resources/snapshots.ts';
import { directions, idsOf, transfer, transferParties } from '../support/resources/transfers.ts';
import { startEventStoreDb } from '../support/servers/eventstoredb-server/server.ts';
import { patienceMs } from '../support/time/patience.ts';
import { stampOf } from '../support/wallets/wallet-client.ts';
import { setPrivacy, signed, walletWithSession } from '../support/wallets/wallets.ts';

const front = resolve(import.meta.dirname, '../../bin/daybook');

const folder = await mkdtemp(join(tmpdir(), 'daybook-audit-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Runs it in an empty folder, with these variables and no others. */
async function run(variables: Readonly<Record<string, string>>, ...args: readonly string[]) {
  const cwd = await mkdtemp(join(folder, 'auditor-'));
  const child = spawn(front, args, { cwd, env: { PATH: process.env.PATH, ...variables } });
  let [out, complaint] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaint += text;
  });
  const [code] = await once(child, 'close');
  return { code, out, complaint, cwd };
}

const operator = (databaseUrl: string, ...args: readonly string[]) =>
  run({ DATABASE_URL: administratorOf(databaseUrl), DAYBOOK_MASTER_KEY: testMasterKey }, 'auditor', ...args);

async function newAuditor(databaseUrl: string, ...options: readonly string[]) {
  const name = `auditor_${randomUUID().replaceAll('-', '').slice(0, 12)}`;
  const made = await operator(databaseUrl, 'create', name, ...options);
  expect(made).toMatchObject({ code: 0, complaint: '' });
  const [, url = ''] = /^Its address: (\S+)$/m.exec(made.out) ?? [];
  return { url, drop: () => operator(databaseUrl, 'drop', name) };
}

let service: Awaited<ReturnType<typeof startTestService>>;
let auditor: Awaited<ReturnType<typeof newAuditor>>;
let account: Json;

const audit = (...args: readonly string[]) => run({ DATABASE_URL: auditor.url }, 'audit', ...args);
const jsonOf = async (...args: readonly string[]): Promise<Json> => {
  const { code, out, complaint } = await audit(...args, '--json');
  expect([code, complaint]).toEqual([0, '']);
  return JSON.parse(out);
};
const linesOf = (text: string): readonly Json[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

beforeAll(async () => {
  service = await startTestService({ variables: { DAYBOOK_CHECKPOINT_INTERVAL_SECONDS: '1' } });
  auditor = await newAuditor(service.databaseUrl, '--log');
  ({ account } = await customerWith(service.client, 12_345));
  for (let n = 1; n <= 3; n++) await fund(service.client, account.id, n * 100);
});
afterAll(async () => {
  await service?.stop();
  expect(await auditor?.drop()).toMatchObject({ code: 0 });
});

const key = `daybook/x+01234567+${'A'.repeat(44)}`;

describe('with read-only credentials alone', () => {
  it('the books are added up, to the end and to a position', async () => {
    const all = await jsonOf('trial-balance');
    expect(all).toMatchObject({ isZero: true, unbalanced: [] });
    const { position } = linesOf((await audit('replay', account.id, '--json')).out)[1] as Json;
    const then = await jsonOf('trial-balance', '--at', String(position));
    expect(then).toMatchObject({ isZero: true, lines: [{ internal: 12_345, rail: -12_345 }] });
    expect(then.events).toBeLessThan(all.events);
  });

  it('the log is verified, and told that the read models are closed to the role', async () => {
    expect(await jsonOf('verify')).toMatchObject({
      isRight: true,
      readModels: { compared: false, because: 'the role in DATABASE_URL may not read them' },
    });
    expect((await audit('verify')).out).toMatch(/^Read models were not compared: the role .*\.$/m);
    const owner = await run({ DATABASE_URL: service.databaseUrl }, 'audit', 'verify');
    expect(owner.out).toMatch(
      /^Read models up to position \d+: their accounts \(\d+\), postings \(8\) and payments \(4\) are as the log has them\.$/m,
    );
  });

  it('two checkpoints are compared', async () => {
    await customerWith(service.client, 100);
    const sizes = await vi.waitFor(
      async () => {
        const { data } = expectStatus(await service.client.get('/audit/checkpoints'), 200);
        expect(data.length).toBeGreaterThan(1);
        return data.map(({ size }: Json) => size);
      },
      { timeout: patienceMs, interval: 500 },
    );
    const [later, earlier] = [sizes[0], sizes.at(-1)];
    const diff = await jsonOf('diff', String(earlier), String(later));
    expect(diff).toMatchObject({ isRight: true, events: later - earlier, earlier: { size: earlier } });
    const { out: said } = await audit('diff', String(earlier), String(later));
    expect(said).toContain(`The log of ${later} events contains that of ${earlier}.`);
    expect((await audit('diff', '1', '999999')).code).toBe(3);
  });

  it.each([
    ['a log', ['verify', 'none.ndjson'], 3, /^There is no file or folder none\.ndjson\.\n$/],
    ['checkpoints', ['diff', 'one', 'other', '--key', key], 3, /^There is no file or folder one\.\n$/],
    ['a folder', ['export', 'none/log.ndjson'], 3, /^There is no file or folder none\.\n$/],
    ['a compressed log', ['verify', 'none.gz'], 3, /^There is no file or folder none\.gz\.\n$/],
    [
      'a checkpoint',
      ['verify', '--checkpoints', 'none', '--key', key],
      3,
      /^There is no file or folder none\./,
    ],
    [
      'a file of checkpoints',
      ['verify', '--checkpoints', front, '--key', key],
      1,
      /daybook is not a file of signed/,
    ],
    ['an export', ['verify', front], 1, /daybook is not an export of a log, at line 1: /],
    ['a key', ['diff', '1', '2', '--key', 'a/key+0123'], 2, /A key is like daybook\//],
  ] as const)('%s that is not there is told so', async (_what, args, code, complaint) => {
    expect(await audit(...args)).toMatchObject({ code, complaint: expect.stringMatching(complaint) });
  });

  it('an account is followed: what it held, by both clocks, and its statement', async () => {
    const events = linesOf((await audit('replay', account.id, '--json')).out);
    const [opened, first, second] = events as [Json, Json, Json];
    expect(opened).toMatchObject({
      type: 'AccountOpened',
      stream: `account-${uuidOf(account.id)}`,
      revision: 0,
    });
    expect(first.says).toMatch(
      /^USD 123\.45 came into the account, a deposit of Transaction:.*; it holds USD 123\.45\.$/,
    );
    expect(await jsonOf('balance', account.id)).toMatchObject({
      minor: 12_945,
      amount: '129.45',
      entries: 4,
    });
    for (const [clock, at] of [
      ['recorded', second.recordedAt],
      ['happened', second.happenedAt],
    ])
      expect(await jsonOf('balance', account.id, '--at', at, '--by', clock)).toMatchObject({
        clock,
        minor: 12_445,
      });
    const before = new Date(Date.parse(first.happenedAt) - 1).toISOString();
    expect(await jsonOf('balance', account.id, '--at', before)).toMatchObject({ minor: 0, entries: 0 });

    const period = ['statement', account.id, '--from', second.recordedAt, '--to', '2999-12-31'];
    const statement = await jsonOf(...period);
    expect(statement).toMatchObject({ opening: 12_345, closing: 12_945, in: 600, out: 0, entryCount: 3 });
    expect(statement.entries.map(({ minor, balance }: Json) => [minor, balance])).toEqual([
      [100, 12_445],
      [200, 12_645],
      [300, 12_945],
    ]);
    const csv = await audit(...period, '--format', 'csv');
    expect(csv.out.split('\r\n')).toHaveLength(5);
    expect(csv.out).toMatch(/^position,recordedAt,happenedAt,type,/);
    const page = await audit(...period, '--format', 'html', '--output', 'statement.html');
    expect(await readdir(page.cwd)).toEqual(['statement.html']);
    const html = await readFile(join(page.cwd, 'statement.html'), 'utf8');
    expect(html).toMatch(/<th>opening<\/th><td class="n">USD 123\.45<\/td>/);
    expect(html.match(/AccountCredited/g)).toHaveLength(3);
    expect((await audit(...period)).out).toMatch(/closing USD 129\.45: 3 entries, in 6\.00, out 0\.00\n$/);
  });

  it('a system account has a statement for each platform and currency', async () => {
    const { lines } = await jsonOf('trial-balance');
    const [{ platformId, rail }] = lines.filter(({ currency }: Json) => currency === 'USD');
    const named = ['rail', '--platform', platformId, '--currency', 'USD'];
    expect(await jsonOf('balance', ...named)).toMatchObject({ minor: rail });
  });

  it("a payment is told with its entries, and a customer with all that is the customer's", async () => {
    const { client } = service;
    const { customer, account: from } = await customerWith(client, 50_000);
    const payee = await registerPayee(client, { customerId: customer.id });
    const body = {
      ...quoteBody(from.id, payee.id, { lockedCurrencyAmount: 1_000 }),
      immediatelyExecute: true,
    };
    const quote = expectStatus(await client.post('/quotes', body), 201);
    const paid = linesOf((await audit('replay', quote.transactionId, '--json')).out);
    expect(paid.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['AccountDebited', 'QuoteCreated', 'TransactionProcessing']),
    );
    expect(paid.map(({ position }) => position)).toEqual(
      paid.map(({ position }) => position).toSorted((a, b) => a - b),
    );
    const text = (await audit('replay', quote.id)).out;
    expect(text).toMatch(new RegExp(`    ${from.id} -10\\.00 USD\n    in-flight 10\\.00 USD\n`));
    const all = linesOf((await audit('replay', customer.id, '--json')).out);
    const streams = new Set(all.map(({ stream }) => stream.split('-')[0]));
    expect(streams).toEqual(new Set(['customer', 'account', 'wallet', 'transaction', 'externalaccount']));
  });

  it('an account without entries has its currency', async () => {
    const { account: empty } = await customerWith(service.client, 0);
    expect(await jsonOf('balance', empty.id)).toMatchObject({ currency: 'USD', amount: '0.00', entries: 0 });
    const period = ['--from', '2020-01-01', '--to', '2999-12-31'];
    expect(await jsonOf('statement', empty.id, ...period)).toMatchObject({ currency: 'USD', entryCount: 0 });
    expect((await audit('statement', empty.id, ...period)).out).toContain('opening USD 0.00\n');
  });

  it('an id leads to its events, also where no stream has its name', async () => {
    const { client, databaseUrl } = service;
    const wallet = await walletWithSession(client);
    const [payer, payee] = [await customerWith(client, 50_000), await customerWith(client, 0)];
    const order = quoteBody(payer.account.id, payee.account.id, { lockedCurrencyAmount: 1_000 });
    const { transactionId: sent } = await quote(client, { ...order, immediatelyExecute: true });
    await untilTransaction(client, sent, 'COMPLETED');
    const { data } = expectStatus(await client.get('/transactions', { customerId: payee.customer.id }), 200);
    const received = data[0].id;
    expectStatus(await client.post('/invitations', { inviterUma: wallet.customer.umaAddress }), 201);
    const [invited] = await query(
      databaseUrl,
      `select data->>'invitationId' as id from daybook_log.events where type = 'InvitationCreated'`,
    );
    const { lines } = await jsonOf('trial-balance');
    const platformConfig = `PlatformConfig:${uuidOf(lines[0].platformId)}`;
    const typesOf = async (id: string) =>
      linesOf((await audit('replay', id, '--json')).out).map(({ type }) => type);
    for (const [id, type] of [
      [invited?.id, 'InvitationCreated'],
      [wallet.credential.id, 'CredentialAdded'],
      [wallet.session.id, 'SessionIssued'],
      [platformConfig, 'PlatformCreated'],
      [received, 'QuoteCreated'],
    ] as const) {
      expect(await typesOf(id), id).toContain(type);
      expect((await audit('who', id)).code, id).toBe(0);
    }
    expect(received).not.toBe(sent);
    expect(await typesOf(received)).toEqual(await typesOf(sent));
  });

  it.each([
    ['balance', 'rail'],
    ['balance', 'something'],
    ['statement', 'fees', '--from', '2026-11-29', '--to', '2026-11-29'],
    ['replay', 'something'],
    ['who', 'something'],
  ])('an argument that names nothing is wrong use: %s %s', async (...args) => {
    const { code, out, complaint } = await audit(...args);
    expect([code, out]).toEqual([2, '']);
    expect(complaint).toMatch(/^error: (fees|rail|something) is (no|there once)/);
  });

  it('says who asked, approved and signed, and checks the signature again', async () => {
    const { client } = service;
    const one = await staffed(client, approvalRequired);
    const action = expectStatus(await payOut(one, 5_000), 201);
    expectStatus(await approve(client, action), 200);
    const { doings } = await jsonOf('who', action.id);
    expect(doings).toContainEqual(
      expect.objectContaining({
        did: 'asked',
        who: expect.stringMatching(/^agent:/),
        name: expect.any(String),
      }),
    );
    expect(doings).toContainEqual(
      expect.objectContaining({
        did: 'approved',
        who: expect.stringMatching(/^token:/),
        type: 'AgentActionStarted',
      }),
    );

    const wallet = await walletWithSession(client);
    await fund(client, wallet.accountId, 10_000_000);
    const payee = await registerPayee(client, { customerId: wallet.customer.id });
    const order = quoteBody(wallet.accountId, payee.id, { lockedCurrencyAmount: 5_000_000 });
    const quote = expectStatus(await client.post('/quotes', order), 201);
    const stamp = stampOf(
      wallet.session.privateKey,
      quote.paymentInstructions[0].accountOrWalletInfo.payloadToSign,
    );
    expectStatus(
      await client.post(`/quotes/${quote.id}/execute`, undefined, { 'service-wallet-signature': stamp }),
      200,
    );
    const signature = { sessionId: wallet.session.id, credentialId: wallet.credential.id, verdict: 'valid' };
    const paid = (await jsonOf('who', quote.id)).doings;
    expect(paid).toContainEqual(
      expect.objectContaining({
        did: 'signed',
        who: wallet.session.id,
        signature: expect.objectContaining(signature),
      }),
    );

    expectStatus(await signed(setPrivacy(client, wallet.accountId), wallet.session), 200);
    const stream = `wallet-${uuidOf(wallet.accountId)}`;
    const changed = linesOf((await audit('replay', stream, '--json')).out).find(
      ({ type }) => type === 'WalletPrivacyChanged',
    ) as Json;
    const asked = await jsonOf('who', changed.data.authorisedBy.requestId);
    expect(asked.doings).toContainEqual(
      expect.objectContaining({
        did: 'signed',
        type: 'WalletPrivacyChanged',
        signature: expect.objectContaining(signature),
      }),
    );

    // Somebody who can write to the table gives it another signature.
    const { signature: given } = changed.data.authorisedBy;
    const another = `${given.slice(0, -2)}${given.endsWith('00') ? '01' : '00'}`;
    await query(service.databaseUrl, 'alter table daybook_log.events disable trigger all');
    await query(
      service.databaseUrl,
      `update daybook_log.events set data = jsonb_set(data, '{authorisedBy,signature}', to_jsonb($1::text)) where id = $2`,
      [another, changed.id],
    );
    const wrong = await audit('who', stream);
    expect(wrong.code).toBe(4);
    expect(wrong.complaint).toMatch(/The signature of WalletPrivacyChanged at \d+ is wrong/);
  });

  it('names nobody as who approved a payment that nobody was asked about', async () => {
    const { client } = service;
    const { customer } = await customerWith(client, 100);
    const paid = expectStatus(await receive(client, { receiverUmaAddress: customer.umaAddress }), 200);
    const { doings } = await jsonOf('who', paid.id);
    const [asked, ...others] = doings.map(({ did, type }: Json) => [did, type]);
    expect(asked).toEqual(['asked', 'IncomingPaymentCreated']);
    expect(others.flat()).not.toContain('PaymentApproved');
  });

  it.each(directions)(
    'says who asked for a transfer %s, and does not take the rail for them',
    async (direction) => {
      const { client } = service;
      const ids = idsOf(await transferParties(client));
      const { id } = expectStatus(await transfer(client, direction, ids, 1_234), 201);
      const { doings } = await jsonOf('who', id);
      expect(doings.filter(({ did }: Json) => did === 'asked')).toEqual([
        expect.objectContaining({ who: expect.stringMatching(/^token:/), name: expect.any(String) }),
      ]);
      const types = doings.map(({ type }: Json) => type);
      expect(types).toContain(direction === 'out' ? 'AccountDebited' : 'TransferCreated');
      expect(types).not.toContain('PaymentSubmitted');
    },
  );

  it('events are exported, the same ones with the same digest', async () => {
    const { code, out, cwd } = await audit('export', 'log.ndjson.gz', '--until', '20', '--json');
    expect(code).toBe(0);
    const told = JSON.parse(out);
    const text = gunzipSync(await readFile(join(cwd, 'log.ndjson.gz')));
    const lines = linesOf(text.toString());
    const [events, end] = [lines.slice(0, -1), lines.at(-1)];
    const whole = text.subarray(0, text.lastIndexOf('{"export"'));
    expect(createHash('sha256').update(whole).digest('hex')).toBe(told.sha256);
    expect(end).toEqual({ export: { events: 20, position: 20, until: 20, positions: 'dense' } });
    expect(events.map(({ position }) => position)).toEqual(Array.from({ length: 20 }, (_, n) => n + 1));
    expect(told).toMatchObject({ events: 20, position: 20 });
    expect((await jsonOf('export', 'log.ndjson', '--until', '20')).sha256).toBe(told.sha256);
    const [{ metadata }] = events as [Json];
    const some = await jsonOf('export', 'log.ndjson', '--after', '10', '--platform', metadata.platformId);
    expect(some.events).toBeGreaterThan(0);
    const signed = await vi.waitFor(
      async () => {
        const all = await jsonOf('export', 'log.ndjson');
        expect(all.checkpoints).toBe(1);
        return all;
      },
      { timeout: patienceMs, interval: 500 },
    );
    const { key } = expectStatus(await service.client.get('/audit/checkpoints'), 200);
    expect(signed).toMatchObject({ key, signedAt: expect.any(String) });
  });

  it('what is not there is said, with an exit code of its own', async () => {
    const nobody = `InternalAccount:${randomUUID()}`;
    const [{ platformId }] = (await jsonOf('trial-balance')).lines;
    for (const args of [
      ['balance', nobody],
      ['statement', nobody, '--from', '2026-01-01', '--to', '2026-01-02'],
      ['replay', nobody],
      ['who', `Transaction:${randomUUID()}`],
      ['balance', 'fees', '--platform', `Platform:${randomUUID()}`, '--currency', 'USD'],
      ['balance', 'rail', '--platform', platformId, '--currency', 'usd'],
      ['export', 'none.ndjson', '--platform', `Platform:${randomUUID()}`],
    ]) {
      const { code, out, complaint, cwd } = await audit(...args);
      expect([code, out], complaint).toEqual([3, '']);
      expect(complaint).toMatch(/no account|nothing of|no stream|that has moved/);
      expect(await readdir(cwd)).toEqual([]);
    }
  });

  it.each([
    ['--from', '2026-02-01', '--to', '2026-01-31'],
    ['--from', '2026-04-01', '--to', '2026-04-31'],
    ['--from', '2026-02-29T00:00:00Z', '--to', '2026-04-30'],
    ['--from', '2026-02-28', '--to', '2026-13-01'],
  ])('a period that is none is refused: %s %s %s %s', async (...period) => {
    const { code, out, complaint } = await audit('statement', account.id, ...period);
    expect([code, out], complaint).toEqual([2, '']);
    expect(complaint).toMatch(/--to is before --from|A time is like/);
  });

  it('a balance that does not follow from the entries is told', async () => {
    const { account: spoilt } = await customerWith(service.client, 700);
    await query(service.databaseUrl, 'alter table daybook_log.events disable trigger all');
    await query(
      service.databaseUrl,
      `update daybook_log.events set data = jsonb_set(data, '{balanceAfter}', '"701"') where stream = $1 and revision = 1`,
      [`account-${uuidOf(spoilt.id)}`],
    );
    const { code, complaint } = await audit('balance', spoilt.id);
    expect(code).toBe(4);
    expect(complaint).toMatch(/says a balance of 701; the entries come to 700\./);
  });
});

it('a log whose events have changed places is not that of the checkpoints beside it', async () => {
  const { client, databaseUrl, stop } = await startTestService({
    variables: { DAYBOOK_CHECKPOINT_INTERVAL_SECONDS: '1' },
  });
  await customerWith(client, 12_345);
  const size = await vi.waitFor(
    async () => {
      const { data } = expectStatus(await client.get('/audit/checkpoints'), 200);
      expect(data.length).toBeGreaterThan(0);
      return data[0].size;
    },
    { timeout: patienceMs, interval: 500 },
  );
  await stop();
  const verify = () => run({ DATABASE_URL: databaseUrl }, 'audit', 'verify', '--json');
  const { out, code } = await verify();
  expect([code, JSON.parse(out).signed >= size]).toEqual([0, true]);
  // Neither is of the other's stream, and a position is in no hash.
  await query(
    databaseUrl,
    `alter table daybook_log.events disable trigger all;
     update daybook_log.events set position = -position where position in (1, 2);
     update daybook_log.events set position = 3 + position where position < 0`,
  );
  const swapped = await verify();
  expect(swapped.code).toBe(4);
  expect(JSON.parse(swapped.out).fault.what).toMatch(
    /^of events 1 to \d+ one is not what the checkpoint was made of$/,
  );
});

it('the books at a time are those of a platform that was put back since, once', async () => {
  const { client, databaseUrl, stop } = await startTestService();
  onTestFinished(stop);
  const { account: own } = await customerWith(client, 12_345);
  const snapshot = await takeSnapshot(client);
  const at = new Date().toISOString();
  await fund(client, own.id, 100);
  await restoreSnapshot(client, snapshot);
  await fund(client, own.id, 7);
  for (const [options, internal] of [
    [['--at', at], 12_345],
    [['--at', at, '--by', 'happened'], 12_345],
    [[], 12_352],
  ] as const) {
    const { out } = await run({ DATABASE_URL: databaseUrl }, 'audit', 'trial-balance', ...options, '--json');
    expect(JSON.parse(out).lines, options.join(' ')).toMatchObject([{ internal, rail: -internal }]);
  }
});

it('what stood before a platform was put back is told as it was then', async () => {
  const { client, databaseUrl, stop } = await startTestService();
  onTestFinished(stop);
  const ask = async (...args: readonly string[]) => {
    const { code, out, complaint } = await run({ DATABASE_URL: databaseUrl }, 'audit', ...args, '--json');
    expect([code, complaint], args.join(' ')).toEqual([0, '']);
    return out;
  };
  const { account: own } = await customerWith(client, 12_345);
  const snapshot = await takeSnapshot(client);
  await fund(client, own.id, 100);
  const stream = `account-${uuidOf(own.id)}`;
  const left = linesOf(await ask('replay', stream)).at(-1) as Json;
  const [position, time] = [String(left.position), left.recordedAt];
  const { lines } = JSON.parse(await ask('trial-balance'));
  const ofRail = ['rail', '--platform', lines[0].platformId, '--currency', 'USD'];
  const questions = [
    ['balance', own.id, '--at', position],
    ['balance', ...ofRail, '--at', time],
    ['replay', own.id, '--at', position],
    ['statement', own.id, '--from', '2020-01-01', '--to', time],
    ['trial-balance', '--at', time],
  ];
  const askAll = () => Promise.all(questions.map((question) => ask(...question)));
  const before = await askAll();
  expect(JSON.parse(before[0] ?? '')).toMatchObject({ minor: 12_445, entries: 2 });
  await restoreSnapshot(client, snapshot);
  await fund(client, own.id, 7);
  await restoreSnapshot(client, snapshot);
  expect(await askAll()).toEqual(before);

  // What a platform goes on with has the times of what it is a copy of.
  const happened = await ask('balance', own.id, '--at', time, '--by', 'happened');
  expect(JSON.parse(happened)).toMatchObject({ minor: 12_345, entries: 1 });
  const copies = linesOf(await ask('replay', `${stream}.1`));
  expect(copies.map(({ stream: of, revision }) => [of, revision])).toEqual([
    [`${stream}.1`, 0],
    [`${stream}.1`, 1],
    [`${stream}.1`, 2],
  ]);
  expect((await run({ DATABASE_URL: databaseUrl }, 'audit', 'replay', `${stream}.3`)).code).toBe(3);
});

it('a role that may not read the log is told which may', async () => {
  const { url, drop } = await newAuditor(service.databaseUrl);
  onTestFinished(() => drop().then(() => undefined));
  const { code, complaint } = await run({ DATABASE_URL: url }, 'audit', 'trial-balance');
  expect(code).toBe(1);
  expect(complaint).toMatch(/may not read the log.*auditor create NAME --log/);
});

it.each([
  `insert into daybook_log.events select * from daybook_log.events`,
  'delete from daybook_log.events',
  'update daybook_log.events set type = type',
  'truncate daybook_log.events',
  'select * from daybook.api_tokens',
  'select daybook_log.append_events(null, null, true, null, null, null, null, null, null)',
])('a role that reads the log is refused: %s', async (statement) => {
  await expect(query(auditor.url, `begin read write; ${statement}`)).rejects.toThrow(
    /permission denied|null/,
  );
});

it('the log is read where EventStoreDB has it, with nothing else', async () => {
  const server = await startEventStoreDb();
  onTestFinished(() => server.close());
  const { client, stop } = await startTestService({ variables: { EVENTSTORE_URL: server.url } });
  const { account: own } = await customerWith(client, 12_345);
  await stop();
  const there = (...args: readonly string[]) => run({ EVENTSTORE_URL: server.url }, 'audit', ...args);
  expect(JSON.parse((await there('balance', own.id, '--json')).out)).toMatchObject({ minor: 12_345 });
  expect((await there('replay', own.customerId)).out).toMatch(/AccountCredited/);
  expect((await there('export', 'log.ndjson')).code).toBe(0);
  expect(JSON.parse((await there('trial-balance', '--json')).out)).toMatchObject({ isZero: true });
  const other = { EVENTSTORE_URL: server.url, DAYBOOK_STREAM_PREFIX: 'another' };
  for (const args of [['trial-balance'], ['trial-balance', '--json'], ['export', 'log.ndjson']]) {
    const { code, out, complaint, cwd } = await run(other, 'audit', ...args);
    expect([code, out, await readdir(cwd)]).toEqual([3, '', []]);
    expect(complaint).toMatch(/^There is no installation .*another\.: set DAYBOOK_STREAM_PREFIX .*\n$/);
  }
});
