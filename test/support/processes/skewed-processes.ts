import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, type Client, clientOf } from '../http/client.ts';
import { createDatabase } from '../postgres/database.ts';
import { type WrongClock, wrongClock } from '../time/wrong-clock.ts';
import { type Daybook, removeDirectory, spawnDaybook } from './process.ts';
import { newCredentials } from './service.ts';

const hourMs = 3_600_000;
/** Until a process has certainly seen what its clock shows now. */
const seenMs = 500;

export type SkewedProcesses = {
  readonly databaseUrl: string;
  /** Turn and turn about. */
  readonly client: (n: number) => Client;
  /** Each process has the time that the other had. */
  readonly swapClocks: () => Promise<void>;
  /** `kill -9`, to one of them. */
  readonly kill: (n: number) => Promise<void>;
  readonly close: () => Promise<void>;
};

/** Where the machine has much else to do, some are refused before anything is done: they come again when they are told to. */
function comingAgain(to: Client): Client {
  const isEarly = ({ status, body }: Answer) =>
    status === 503 && /^(More requests|What was recorded)/.test(body?.message);
  const again = async (send: () => Promise<Answer>) => {
    for (;;) {
      const answer = await send();
      if (!isEarly(answer)) return answer;
      await sleep(Number(answer.headers.get('retry-after')) * 1_000);
    }
  };
  return {
    ...to,
    get: (...asked) => again(() => to.get(...asked)),
    post: (...asked) => again(() => to.post(...asked)),
    patch: (...asked) => again(() => to.patch(...asked)),
    delete: (...asked) => again(() => to.delete(...asked)),
  };
}

/** Two processes with all roles on one database: one is an hour ahead, the other an hour behind. */
export async function skewedProcesses(variables: Readonly<Record<string, string>>): Promise<SkewedProcesses> {
  const cwd = await mkdtemp(join(tmpdir(), 'daybook-clocks-'));
  const databaseUrl = await createDatabase();
  const credentials = newCredentials();
  const [clocks, processes, clients]: [WrongClock[], Daybook[], Client[]] = [[], [], []];
  for (const ms of [hourMs, -hourMs]) {
    const clock = await wrongClock(join(cwd, String(ms)), ms);
    const daybook = spawnDaybook({
      cwd,
      variables: {
        DATABASE_URL: databaseUrl,
        NODE_OPTIONS: clock.NODE_OPTIONS,
        DAYBOOK_WEBHOOK_ALLOW_PRIVATE: 'true',
        DAYBOOK_SANDBOX_TIME_SCALE: '0.02',
        DAYBOOK_BOOTSTRAP_CLIENT_ID: credentials.clientId,
        DAYBOOK_BOOTSTRAP_CLIENT_SECRET: credentials.clientSecret,
        ...variables,
      },
    });
    clocks.push(clock);
    processes.push(daybook);
    clients.push(comingAgain(clientOf(await daybook.ready, credentials)));
  }
  return {
    databaseUrl,
    client(n) {
      const found = clients[n % clients.length];
      if (!found) throw new Error('no process runs');
      return found;
    },
    async swapClocks() {
      await Promise.all([clocks[0]?.set(-hourMs), clocks[1]?.set(hourMs)]);
      await sleep(seenMs);
      clocks.reverse();
    },
    async kill(n) {
      const [killed] = processes.splice(n, 1);
      killed?.kill('SIGKILL');
      await killed?.exited;
    },
    async close() {
      for (const one of processes) one.kill('SIGTERM');
      await Promise.all(processes.map(({ exited }) => exited));
      await removeDirectory(cwd);
    },
  };
}
