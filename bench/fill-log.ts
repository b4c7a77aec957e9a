/** Writes a log straight into its table, in the order and at the positions that its events have. */
import pg from 'pg';
import type { StoredEvent } from '../src/infrastructure/event-store/event-store.ts';
import { logSchema } from '../src/infrastructure/event-store/postgres/schema.ts';

const pageMax = 5_000;

/** Returns the position of the last event. The log has to be empty. */
export async function fillLog(url: string, events: AsyncIterable<readonly StoredEvent[]>): Promise<bigint> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  let page: StoredEvent[] = [];
  let position = 0n;
  const write = async () => {
    const rows = JSON.stringify(page, (_key, value) =>
      typeof value === 'bigint' ? value.toString() : value,
    );
    await client.query(
      `insert into ${logSchema}.events (position, stream, revision, id, type, data, metadata)
       select position, stream, revision, id, type, data, metadata
       from json_populate_recordset(null::${logSchema}.events, $1::json)`,
      [rows],
    );
    position = page.at(-1)?.position ?? position;
    page = [];
  };
  for await (const some of events) {
    page.push(...some);
    if (page.length >= pageMax) await write();
  }
  await write();
  await client.query(`analyze ${logSchema}.events`);
  await client.end();
  return position;
}
