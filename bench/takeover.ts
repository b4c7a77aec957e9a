/**
 * `npm run bench:takeover -- [--turns 3]`: how long it takes until somebody else goes on when a process is killed or
 * stopped, or its line to the database is cut; and until webhooks leave after the only worker was killed.
 */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createReadDb } from '../projections/database.ts';
import { appendWebhookEvents } from '../projections/kept/webhook-events.ts';
import { createPool } from '../src/infrastructure/postgres/pool.ts';
import { derivedUuid, idOf } from '../src/kernel/ids.ts';
import { type Line, lineTo } from './line.ts';
import { version } from './requests.ts';
import { openStand } from './stand.ts';
import { authorization, clientId } from './town.ts';

const dueCount = 100;
const lookEveryMs = 10;
const { values: given } = parseArgs({ options: { turns: { type: 'string', default: '3' } } });
const turns = Array.from({ length: Number(given.turns) }, (_one, n) => n);
const say = (...cells: readonly (string | number)[]) => process.stdout.write(`| ${cells.join(' | ')} |\n`);
const seconds = (ms: number) => (ms / 1_000).toFixed(2);

async function until(isSo: () => boolean | Promise<boolean>): Promise<number> {
  while (!(await isSo())) await sleep(lookEveryMs);
  return performance.now();
}

const killed = 'killed (SIGKILL)';
/** How a holder of leases may be gone. */
const ends: Readonly<Record<string, (pid: number, line: Line) => void>> = {
  [killed]: (pid) => process.kill(pid, 'SIGKILL'),
  'stopped (SIGSTOP)': (pid) => process.kill(pid, 'SIGSTOP'),
  'cut off from the database': (_pid, line) => line.cut(),
};

const stand = await openStand();
const url = await stand.database('takeover');
const pool = createPool({ url, max: 1, name: 'bench' });
const db = createReadDb(pool);
const receiver = { answers: true, calls: 0, answered: 0 };
const server = createServer((request, response) => {
  receiver.calls++;
  request.resume().once('end', () => {
    if (!receiver.answers) return;
    receiver.answered++;
    response.end();
  });
}).listen(0, '127.0.0.1');
await once(server, 'listening');

const launch = (roles: string, databaseUrl = url) =>
  stand.launchService(databaseUrl, {
    DAYBOOK_ROLES: roles,
    DAYBOOK_WEBHOOK_ALLOW_PRIVATE: 'true',
    LOG_LEVEL: 'fatal',
  });
const tokens = async (): Promise<readonly bigint[]> =>
  (await pool.query<{ token: bigint }>('select token from leases order by name')).rows.map(
    ({ token }) => token,
  );

const { origin } = await launch('api,projector');
try {
  await setEndpoint();
  say('what', 'seconds, in each turn');
  say('---', '---');
  await measureWebhooks();
  await measureLeases();
} finally {
  server.close();
  server.closeAllConnections();
  await db.destroy();
  await stand.close();
}

async function setEndpoint(): Promise<void> {
  const { port } = server.address() as AddressInfo;
  const response = await fetch(`${origin}${version}/config`, {
    method: 'PATCH',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ webhookEndpoint: `http://127.0.0.1:${port}/` }),
  });
  if (!response.ok) throw new Error(`PATCH /config answered ${response.status}`);
}

/** Adds events that are due, as the projector does. */
async function addDue(): Promise<void> {
  const at = new Date();
  const platform_id = idOf('Platform', derivedUuid('bootstrap-platform', clientId));
  const { rows } = await pool.query<{ position: bigint }>(
    `select position from checkpoints where name = 'projections'`,
  );
  const position = rows[0]?.position ?? 0n;
  const events = Array.from({ length: dueCount }, (_one, n) => {
    const about = {
      platform_id,
      type: 'INTERNAL_ACCOUNT.BALANCE_UPDATED',
      object_id: `Thing:${randomUUID()}`,
    };
    return { ...about, id: idOf('Webhook', randomUUID()), position, n, body: '{}', at };
  });
  await db.transaction().execute((open) => appendWebhookEvents(events, open));
}

/** The only worker is killed in the middle of calls, and started again. */
async function measureWebhooks(): Promise<void> {
  const times: { first: number; last: number }[] = [];
  for (const _turn of turns) {
    Object.assign(receiver, { answers: false, calls: 0, answered: 0 });
    const only = await launch('worker');
    await addDue();
    await until(() => receiver.calls > 1);
    process.kill(only.process.pid, 'SIGKILL');
    await only.process.stop();
    receiver.answers = true;
    const next = await launch('worker');
    const ready = performance.now();
    const first = await until(() => receiver.answered > 0);
    const last = await until(() => receiver.answered >= dueCount);
    times.push({ first: first - ready, last: last - ready });
    await next.process.stop();
  }
  say(
    'the only worker killed: ready again to first webhook',
    times.map(({ first }) => seconds(first)).join(', '),
  );
  say(`and to the last of ${dueCount}`, times.map(({ last }) => seconds(last)).join(', '));
}

/** Of two that could hold them, the one that does goes away. */
async function measureLeases(): Promise<void> {
  for (const [name, end] of Object.entries(ends)) {
    const times: number[] = [];
    for (const _turn of turns) {
      const line = await lineTo(url);
      const held = await tokens();
      const holder = await launch('worker', line.url);
      await until(async () => (await tokens()).some((token, n) => token > (held[n] ?? 0n)));
      const other = await launch('worker');
      await sleep(2_000);
      const before = await tokens();
      const gone = performance.now();
      end(holder.process.pid, line);
      times.push(
        (await until(async () => (await tokens()).some((token, n) => token > (before[n] ?? 0n)))) - gone,
      );
      if (name !== killed) process.kill(holder.process.pid, 'SIGKILL');
      await Promise.all([holder.process.stop(), other.process.stop()]);
      line.close();
    }
    say(`the holder of a lease ${name}: until another has it`, times.map(seconds).join(', '));
  }
}
