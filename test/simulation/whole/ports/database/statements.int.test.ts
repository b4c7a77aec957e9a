import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { randomFrom } from '../../../random.ts';
import { runAs } from '../../engine/process.ts';
import { createTurns } from '../../engine/turns.ts';
import { type Server, startServer } from './postgres.ts';
import { type Fate, routeStatements } from './statements.ts';

const fates: Readonly<Record<string, Fate>> = { 'select 1': 'lost before', 'select 2': 'lost after' };
const simulated = { name: 'one', isAlive: () => true };
/** So long the server does not notice anything, where the statement is not carried out. */
const slowMs = 200;

type Client = pg.Client & { readonly processID: number };

let server: Server;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

function open(url: string): Client {
  const client = new pg.Client({ connectionString: url, options: '-c jit=off' });
  client.on('error', () => undefined);
  return client as Client;
}

/** Lives in a database of its own, in which statements go their way turn by turn. */
async function lived<Result>(
  name: string,
  before: (text: string) => Fate,
  life: (open: () => Promise<Client>) => Promise<Result>,
): Promise<Result> {
  const url = await server.create(name);
  const control = await server.control(name, () => 0);
  const turns = createTurns(randomFrom(1));
  const nothing = () => undefined;
  routeStatements({
    ...{ turns, control, changed: (sent: string) => sent, after: nothing, heard: nothing },
    before: (_, asked) => before(asked),
    wayOf: async () => ({ lane: { name: 'way', process: undefined }, arrives: async () => true }),
  });
  let isOver = false;
  const opened = async () => {
    const client = open(url);
    await client.connect();
    return client;
  };
  const lives = runAs(simulated, () => life(opened)).finally(() => {
    isOver = true;
  });
  while (!isOver) await turns.take(() => true);
  turns.end();
  await control.end();
  return lives;
}

it.each(Object.entries(fates))(
  'after %s, %s, nothing is held at the server by the next statement',
  async (text, fate) => {
    const held = await lived(
      `lost_${fate?.split(' ')[1]}`,
      (asked) => fates[asked],
      async (connect) => {
        const [client, other] = [await connect(), await connect()];
        await client.query('select pg_advisory_lock(1)');
        if (fate === 'lost before') {
          process.kill(client.processID, 'SIGSTOP');
          setTimeout(() => process.kill(client.processID, 'SIGCONT'), slowMs);
        }
        await expect(client.query(text)).rejects.toThrow('terminated');
        return (await other.query("select from pg_locks where locktype = 'advisory'")).rows;
      },
    );
    expect(held).toEqual([]);
  },
);

it('what is on its way is carried out, though its connection has ended', async () => {
  const insert = 'insert into taken values (1)';
  const taken = await lived(
    'on_the_way',
    (asked) => (asked === insert ? 'on the way' : undefined),
    async (connect) => {
      const [client, other] = [await connect(), await connect()];
      await client.query('create table taken (n int)');
      let isAnswered = false;
      const answered = () => {
        isAnswered = true;
      };
      client.query(insert).then(answered, answered);
      await client.end();
      for (let turn = 0; turn < 50; turn++) {
        const { rowCount } = await other.query('select from taken');
        if (rowCount === 1) return { isAnswered };
      }
      return undefined;
    },
  );
  expect(taken).toEqual({ isAnswered: false });
});

it('what is heard of late is seen by others before', async () => {
  const insert = 'insert into taken values (1)';
  const heard = await lived(
    'heard_of_late',
    (asked) => (asked === insert ? 'heard of late' : undefined),
    async (connect) => {
      const [client, other] = [await connect(), await connect()];
      await client.query('create table taken (n int)');
      const order: string[] = [];
      const answered = client.query(insert).then(() => order.push('answered'));
      const seen = (async () => {
        while ((await other.query('select from taken')).rowCount === 0);
        order.push('seen');
      })();
      await Promise.all([answered, seen]);
      return order;
    },
  );
  expect(heard).toEqual(['seen', 'answered']);
});

it('a transaction has the deadlines of nobody but the life, however slow the machine is', async () => {
  const shown = await lived(
    'deadlines',
    () => undefined,
    async (connect) => {
      const client = await connect();
      await client.query('begin');
      const all: unknown[] = [];
      for (const deadline of ['lock_timeout', 'idle_in_transaction_session_timeout']) {
        await client.query(`set local ${deadline} = 5000`);
        all.push((await client.query(`show ${deadline}`)).rows[0]);
      }
      return all;
    },
  );
  expect(shown).toEqual([{ lock_timeout: '0' }, { idle_in_transaction_session_timeout: '0' }]);
});
