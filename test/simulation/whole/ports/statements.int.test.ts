import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { randomFrom } from '../../random.ts';
import { runAs } from '../engine/process.ts';
import { createTurns } from '../engine/turns.ts';
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

it.each(Object.entries(fates))(
  'after %s, %s, nothing is held at the server by the next statement',
  async (text, fate) => {
    const name = `lost_${fate?.split(' ')[1]}`;
    const url = await server.create(name);
    const control = await server.control(name, () => 0);
    const turns = createTurns(randomFrom(1));
    const nothing = () => undefined;
    routeStatements({
      ...{ turns, control, changed: (sent: string) => sent, after: nothing, heard: nothing },
      before: (_, asked) => fates[asked],
    });
    let isOver = false;
    const life = runAs(simulated, async () => {
      const [client, other] = [open(url), open(url)];
      for (const one of [client, other]) await one.connect();
      await client.query('select pg_advisory_lock(1)');
      if (fate === 'lost before') {
        process.kill(client.processID, 'SIGSTOP');
        setTimeout(() => process.kill(client.processID, 'SIGCONT'), slowMs);
      }
      await expect(client.query(text)).rejects.toThrow('terminated');
      const { rows } = await other.query("select from pg_locks where locktype = 'advisory'");
      isOver = true;
      return rows;
    });
    while (!isOver) await turns.take(() => true);
    expect(await life).toEqual([]);
    turns.end();
    await control.end();
  },
);
