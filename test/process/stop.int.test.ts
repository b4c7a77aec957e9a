import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { drainMs } from '../../src/infrastructure/http/server.ts';
import { clientOf } from '../support/http/client.ts';
import { openRequest, untilClosed } from '../support/http/slow-request.ts';
import { postgresOf, postmasterOf, signalAll } from '../support/postgres/embedded-server.ts';
import {
  type Daybook,
  processesOf,
  spawnDaybook,
  stopsInTime,
  temporaryDirectory,
  untilNothingRuns,
  untilSomethingRuns,
} from '../support/processes/process.ts';
import { newCredentials } from '../support/processes/service.ts';
import { eventually, expectStatus, individual } from '../support/resources/flows.ts';
import { silentServer } from '../support/servers/silent-server.ts';
import { turnInTime } from '../support/time/turns.ts';

const credentials = newCredentials();
const variables = {
  DAYBOOK_BOOTSTRAP_CLIENT_ID: credentials.clientId,
  DAYBOOK_BOOTSTRAP_CLIENT_SECRET: credentials.clientSecret,
};
const start = (cwd: string) => spawnDaybook({ cwd, variables });

/** A start is over before a signal where whoever sends it comes to that late. */
const isReadyIn = ({ stdout }: Daybook) => stdout().includes('is ready at');

describe.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('on %s', (signal) => {
  it('requests in flight are answered, then it exits and leaves nothing running', () =>
    turnInTime(async () => {
      const cwd = await temporaryDirectory();
      const daybook = start(cwd);
      const url = await daybook.ready;
      const open = await Promise.all(
        [1, 2, 3].map(() => openRequest(`${url}/customers`, credentials, individual())),
      );
      const since = performance.now();
      const stopped = stopsInTime(daybook, signal);
      await untilClosed(url);
      const answers = await Promise.allSettled(open.map((one) => one.finish()));
      const isLate = performance.now() - since >= drainMs;
      if (!(await stopped) || isLate) return false;
      expect(answers).toEqual(Array(3).fill({ status: 'fulfilled', value: 201 }));
      expect(daybook.stdout()).toMatch(/\nStopping: requests in flight are finished first\n$/);
      expect(processesOf(cwd)).toEqual([]);
      return true;
    }));

  it('as soon as it has said that it starts, it ends cleanly', () =>
    turnInTime(async () => {
      const cwd = await temporaryDirectory();
      const daybook = start(cwd);
      await eventually(
        async () => daybook.stdout(),
        (said) => said !== '',
      );
      if (!(await stopsInTime(daybook, signal)) || isReadyIn(daybook)) return false;
      expect(daybook.stdout()).toMatch(/\nStopping before it was ready\n$/);
      expect(processesOf(cwd)).toEqual([]);
      return true;
    }));
});

// Which signal it is makes no difference to what comes next: one function takes them all.
describe('told to stop while it starts,', () => {
  it.each([50, 300, 800])('%i ms after it was started, it leaves nothing running', async (ms) => {
    const cwd = await temporaryDirectory();
    const daybook = start(cwd);
    await sleep(ms);
    daybook.kill('SIGTERM');
    const { code, signal: by } = await daybook.exited;
    expect([0, 'SIGTERM']).toContain(code ?? by);
    await untilNothingRuns(cwd);
  });

  it('while its Postgres is being made, it leaves nothing running', () =>
    turnInTime(async () => {
      const cwd = await temporaryDirectory();
      const daybook = start(cwd);
      await untilSomethingRuns(cwd);
      if (!(await stopsInTime(daybook)) || isReadyIn(daybook)) return false;
      expect(daybook.stdout()).toMatch(/^Starting Daybook .*\nStopping before it was ready\n$/);
      expect(daybook.stderr()).toBe('');
      await untilNothingRuns(cwd);
      return true;
    }));

  it.each(['DATABASE_URL', 'DAYBOOK_RATES'])('it does not go on waiting for an answer of %s', (name) =>
    turnInTime(async () => {
      const silent = await silentServer();
      const variables = {
        DATABASE_URL: { DATABASE_URL: `postgres://a:b@127.0.0.1:${silent.port}/c` },
        DAYBOOK_RATES: { DAYBOOK_RATES: `http://127.0.0.1:${silent.port}/rates` },
      }[name];
      const cwd = await temporaryDirectory();
      const daybook = spawnDaybook({ cwd, ...(variables && { variables }) });
      await silent.connected;
      if (!(await stopsInTime(daybook))) return false;
      expect([daybook.stderr(), processesOf(cwd)]).toEqual(['', []]);
      return true;
    }),
  );
});

describe('on SIGUSR1', () => {
  it('no debugger is opened, and it goes on', async () => {
    await turnInTime(async () => {
      const daybook = start(await temporaryDirectory());
      const url = await daybook.ready;
      daybook.kill('SIGUSR1');
      await sleep(500);
      expect((await fetch(new URL('/healthz', url))).status).toBe(200);
      expect(daybook.stderr()).not.toContain('Debugger');
      return await stopsInTime(daybook);
    });
  });
});

describe('clients that go on sending while it stops', () => {
  it('know of everything that was done', () =>
    turnInTime(async () => {
      const cwd = await temporaryDirectory();
      const daybook = start(cwd);
      const client = clientOf(await daybook.ready, credentials);
      let answered = 0;
      const sending = Array.from({ length: 8 }, async () => {
        for (;;) {
          const answer = await client.post('/customers', individual()).catch(() => undefined);
          if (!answer) return;
          // A busy machine refuses some for the moment, and does nothing for them.
          if (answer.status === 503) continue;
          expectStatus(answer, 201);
          answered += 1;
        }
      });
      await sleep(500);
      const since = performance.now();
      const stopped = stopsInTime(daybook);
      await Promise.all(sending);
      const isLate = performance.now() - since >= drainMs;
      if (!(await stopped) || isLate) return false;
      const again = start(cwd);
      const { get } = clientOf(await again.ready, credentials);
      const count = async () => expectStatus(await get('/customers'), 200).totalCount;
      await eventually(count, (shown) => shown >= answered);
      expect(await count()).toBe(answered);
      again.kill('SIGTERM');
      await again.exited;
      return true;
    }));

  it('do not keep it from ending when one never finishes its request', () =>
    turnInTime(async () => {
      const cwd = await temporaryDirectory();
      const daybook = start(cwd);
      const open = await openRequest(`${await daybook.ready}/customers`, credentials, individual());
      if (!(await stopsInTime(daybook))) return false;
      await expect(open.finish()).rejects.toThrow();
      expect(processesOf(cwd)).toEqual([]);
      return true;
    }));
});

describe('Ctrl-C in a terminal, which reaches the whole process group,', () => {
  it('ends it cleanly', () =>
    turnInTime(async () => {
      const cwd = await temporaryDirectory();
      const daybook = start(cwd);
      await daybook.ready;
      if (!(await stopsInTime(daybook, 'SIGINT', 'group'))) return false;
      expect(processesOf(cwd)).toEqual([]);
      return true;
    }));

  it('while its Postgres is being made does not keep it from starting again', async () => {
    const cwd = await temporaryDirectory();
    const daybook = start(cwd);
    await untilSomethingRuns(cwd);
    daybook.kill('SIGINT', 'group');
    expect(await daybook.exited).toMatchObject({ signal: null });
    const again = start(cwd);
    await again.ready;
    again.kill('SIGKILL');
  });
});

describe('after SIGKILL', () => {
  it('no Postgres is left after a moment', async () => {
    const cwd = await temporaryDirectory();
    const daybook = start(cwd);
    await daybook.ready;
    expect(processesOf(cwd).length).toBeGreaterThan(0);
    daybook.kill('SIGKILL');
    await daybook.exited;
    await untilNothingRuns(cwd);
  });

  it('it starts again at once, also when the first start was cut short', async () => {
    const cwd = await temporaryDirectory();
    for (const ms of [0, 100, 300, 800]) {
      const daybook = start(cwd);
      await untilSomethingRuns(cwd);
      await sleep(ms);
      daybook.kill('SIGKILL');
      await daybook.exited;
    }
    await turnInTime(async () => {
      const last = start(cwd);
      await last.ready;
      return await stopsInTime(last);
    });
  });
});

// As systemd does, unless it is told to signal the service alone.
it('a request in flight is answered though its Postgres was told to stop with the service', () =>
  turnInTime(async () => {
    const cwd = await temporaryDirectory();
    const daybook = start(cwd);
    const url = await daybook.ready;
    const open = await openRequest(`${url}/customers`, credentials, individual());
    const former = postmasterOf(cwd);
    const stopped = stopsInTime(daybook);
    signalAll(
      postgresOf(cwd).map(({ pid }) => pid),
      'SIGTERM',
    );
    // Some of the time that a request in flight has is left for it to be answered.
    const runsAgain = eventually(
      async () => daybook.stderr(),
      (told) => told.includes('the embedded Postgres runs again'),
      drainMs - 1_500,
    );
    const isInTime = await runsAgain.then(
      () => true,
      () => false,
    );
    if (!isInTime) {
      await stopped;
      return false;
    }
    expect(postmasterOf(cwd)).not.toBe(former);
    expect(await open.finish()).toBe(201);
    if (!(await stopped)) return false;
    expect(daybook.stderr()).not.toContain('cannot be started');
    expect(processesOf(cwd)).toEqual([]);
    return true;
  }));
