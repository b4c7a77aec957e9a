/** A payment is begun again and again, and each time the next call to the database is the last of its process. */
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Client, clientOf, type Json } from '../http/client.ts';
import { query } from '../postgres/database.ts';
import { type Daybook, spawnDaybook } from '../processes/process.ts';
import type { newCredentials } from '../processes/service.ts';
import { eventually } from '../resources/flows.ts';

export type Victim = 'service' | 'database';

const preload = pathToFileURL(join(import.meta.dirname, 'dying.ts')).href;
/** A payment takes fewer calls than this, with all that runs beside it. */
const callsMax = 200;
const partsOfSweep = 12;
/** `all` calls, or every twelfth: those after the first `0` to `11`, another number in each run unless it is given. */
export const sweepOfRun = process.env.SWEEP ?? String(Date.now() % partsOfSweep);
if (!['all', ...Array(partsOfSweep).keys()].map(String).includes(sweepOfRun))
  throw new Error(`SWEEP is all, or 0 to ${partsOfSweep - 1}, not ${sweepOfRun}`);
const apart = sweepOfRun === 'all' ? 1 : partsOfSweep;
const first = sweepOfRun === 'all' ? 1 : 1 + Number(sweepOfRun);

export type Swept = {
  readonly client: () => Client;
  /** Kills at one call after the other until a payment ends before its call comes. How often it was killed. */
  readonly sweep: (victim: Victim, pay: Pay) => Promise<number>;
  readonly stop: () => Promise<void>;
};

/** One attempt: what it makes has the key, and so has its repetition. Gives the transaction once it has ended. */
export type Pay = (client: Client, key: string) => Promise<Json>;

/** As if the five seconds had passed for which a key is held by a request whose process is gone. */
async function releaseKeys(databaseUrl: string): Promise<undefined> {
  const release = 'update daybook.idempotency_keys set held_until = clock_timestamp() where status is null';
  await query(databaseUrl, release).catch(() => undefined);
}

const isShownQuery = `
  select (select min(position) from daybook.checkpoints where name in ('projections', 'policies')) >=
    (select coalesce(max(position), 0) from daybook_log.events) as "isShown"`;

/**
 * Who has heard nothing and asked without a key looks whether it is there, once all that is in the log shows, and all that
 * follows from it: the credit of a deposit may be there before its payment. Nobody tells them: no answer has named its
 * position.
 */
const untilShown = (databaseUrl: string): Promise<unknown> =>
  eventually(
    async () => (await query(databaseUrl, isShownQuery).catch(() => []))[0],
    (row) => row?.isShown === true,
  );

type Given = {
  readonly cwd: string;
  readonly databaseUrl: string;
  readonly credentials: ReturnType<typeof newCredentials>;
};

export async function sweptService({ cwd, databaseUrl, credentials }: Given): Promise<Swept> {
  let starts = 0;
  let daybook: Daybook;
  let client: Client;
  let isGone = false;
  const socketOf = (n: number) => join(cwd, `dying-${n}.sock`);

  const start = async () => {
    starts += 1;
    isGone = false;
    daybook = spawnDaybook({
      cwd,
      variables: {
        DATABASE_URL: databaseUrl,
        DAYBOOK_BOOTSTRAP_CLIENT_ID: credentials.clientId,
        DAYBOOK_BOOTSTRAP_CLIENT_SECRET: credentials.clientSecret,
        DAYBOOK_SANDBOX_TIME_SCALE: '0.05',
        DAYBOOK_WEBHOOK_ALLOW_PRIVATE: 'true',
        DYING_SOCKET: socketOf(starts),
        NODE_OPTIONS: `--import ${preload}`,
      },
    });
    client = clientOf(await daybook.ready, credentials);
    daybook.exited.then(() => {
      isGone = true;
    });
  };

  /** How many calls were left until the last one that it was armed for. */
  const arm = (victim: Victim | 'none', call: number) =>
    new Promise<number>((resolve, reject) => {
      const socket = createConnection(socketOf(starts)).setEncoding('utf8');
      socket.once('data', (line) => resolve(Number(line)));
      socket.once('error', reject);
      socket.write(`${victim} ${call}\n`);
    });

  /** Asks again until it has ended, in another process where this one is gone. */
  const paid = (pay: Pay, key: string, victim: Victim) =>
    eventually(
      async () => {
        if (isGone) await start();
        return pay(client, key).catch(async () => {
          // A service that was killed shows all of it before it answers again.
          if (victim === 'database') await untilShown(databaseUrl);
          return releaseKeys(databaseUrl);
        });
      },
      (transaction) => transaction !== undefined,
    );

  /** Whether the payment had ended before its call came. Where a process was killed, another one is there afterwards. */
  const isSpared = async (): Promise<boolean> => {
    try {
      return (await arm('none', 0)) > 0;
    } catch {
      await daybook.exited;
      await start();
      return false;
    }
  };

  await start();
  return {
    client: () => client,
    async sweep(victim, pay) {
      let kills = 0;
      for (let call = first; call <= callsMax; call += apart) {
        await arm(victim, call);
        await paid(pay, `${victim} ${call}`, victim);
        if (await isSpared()) return kills;
        kills += 1;
      }
      throw new Error(`a payment takes more than ${callsMax} calls`);
    },
    async stop() {
      daybook.kill('SIGTERM');
      await daybook.exited;
    },
  };
}
