import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { eventually } from '../resources/flows.ts';
import { lineTo } from '../servers/line.ts';
import { createDatabase, query } from './database.ts';

it('fails alone when the server dies under a statement', async () => {
  const url = await createDatabase();
  const line = await lineTo(url);
  const mark = randomUUID();
  const asked = query(line.url, `select pg_sleep(600) /* ${mark} */`).catch((error) => error);
  const running = 'select pid from pg_stat_activity where query like $1 and pid <> pg_backend_pid()';
  await eventually(
    () => query(url, running, [`%${mark}%`]),
    ({ length }) => length === 1,
  );
  line.reset();
  expect(await asked).toMatchObject({ code: 'ECONNRESET' });
});
