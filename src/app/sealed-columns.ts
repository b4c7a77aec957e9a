/** Everything that the master key seals, and resealing it under another one. */

import { logKeyContext } from '../infrastructure/log-tree/key.ts';
import { personKeyContext } from '../infrastructure/personal-data/keys.ts';
import type { Pool } from '../infrastructure/postgres/pool.ts';
import type { Sealer } from '../infrastructure/secrets/sealing.ts';
import { oidcKeyContext } from '../sandbox/oidc-issuer.ts';
import { phraseContext } from '../use-cases/wallets/phrases.ts';
import { mailContext } from '../workers/mail/outbox.ts';
import { webhookKeyContext } from '../workers/webhooks/keys.ts';
import { CannotStart, wordsOf } from './start/cannot-start.ts';

type SealedTable = {
  readonly table: string;
  /** By column, the context that it is sealed for. */
  readonly columns: Readonly<Record<string, (id: string) => string>>;
};

/** Each table has `id` and `master_key_id` besides. */
const sealedTables: readonly SealedTable[] = [
  {
    table: 'webhook_keys',
    columns: {
      sealed_private_key: (id) => webhookKeyContext(id, 'private key'),
      sealed_secret: (id) => webhookKeyContext(id, 'secret'),
    },
  },
  { table: 'wallet_phrases', columns: { sealed: phraseContext } },
  { table: 'oidc_keys', columns: { sealed: oidcKeyContext } },
  { table: 'emails', columns: { sealed: mailContext } },
  { table: 'log_keys', columns: { sealed: logKeyContext } },
  { table: 'person_keys', columns: { sealed: personKeyContext } },
];

/** Of their texts only keyed hashes are there; a redemption's is sealed beside one, for a minute. */
const keyedHashes = ['one_time_codes', 'agent_device_codes', 'agent_redemptions'];

const batch = 200;

/**
 * Seals everything that is sealed under another key anew. Codes that were sent or issued before are void after it, since
 * of them only a keyed hash is there. Safe to run while the service runs, and to run again. Returns how many rows it changed;
 * throws for one that none of the sealer's keys opens.
 */
export async function resealAll(pool: Pool, sealer: Sealer): Promise<number> {
  let changed = 0;
  for (const table of sealedTables) {
    // What the service has sealed meanwhile may lie before where this has come to.
    for (let more = 1; more > 0; changed += more) more = await resealFrom(pool, sealer, table);
  }
  // Last: they are void for nothing where a row does not open.
  for (const table of keyedHashes)
    await pool.query(`delete from ${table} where master_key_id <> $1`, [sealer.masterKeyId]);
  return changed;
}

/** Goes through the table once, from row to row: none that is done is looked at again. */
async function resealFrom(pool: Pool, sealer: Sealer, table: SealedTable): Promise<number> {
  let [changed, after] = [0, ''];
  for (;;) {
    const { count, last } = await resealSome(pool, sealer, table, after);
    changed += count;
    if (last === undefined || count < batch) return changed;
    after = last;
  }
}

/**
 * Throws `CannotStart` where something is sealed under a master key that the sealer does not know. The first and the last
 * row of each table are looked at: a rotation goes from the one to the other, and may have been cut short.
 */
export async function requireMasterKey(pool: Pool, sealer: Sealer): Promise<void> {
  const selects = sealedTables.flatMap(({ table }) =>
    ['asc', 'desc'].map(
      (order) => `(select master_key_id as id from ${table} order by ${table}.id ${order} limit 1)`,
    ),
  );
  const { rows } = await pool.query<{ id: string }>(selects.join(' union '));
  try {
    for (const { id } of rows) sealer.requireKnown(id);
  } catch (cause) {
    throw new CannotStart(`DAYBOOK_MASTER_KEY: ${wordsOf(cause)}`, { cause });
  }
}

type Row = { readonly id: string; readonly master_key_id: string } & Readonly<Record<string, unknown>>;

/** Throws for what no key opens, and says where it is: a row can be brought back, or given up. */
function opened(
  sealer: Sealer,
  { id, master_key_id: masterKeyId }: Row,
  { sealed, context, of }: { readonly sealed: Uint8Array; readonly context: string; readonly of: string },
): string {
  sealer.requireKnown(masterKeyId);
  try {
    return sealer.unseal({ masterKeyId, sealed }, context);
  } catch (cause) {
    const why = `${of} of the row with id ${id} does not open: ${wordsOf(cause)}`;
    throw new Error(`${why}. Bring the row back from a backup, and run the command again`, { cause });
  }
}

/** Rows after an id, in order. */
async function resealSome(
  pool: Pool,
  sealer: Sealer,
  { table, columns }: SealedTable,
  after: string,
): Promise<{ readonly count: number; readonly last: string | undefined }> {
  const names = Object.keys(columns);
  const client = await pool.connect();
  try {
    await client.query('begin');
    const { rows } = await client.query<Row>(
      `select id, master_key_id, ${names.join(', ')} from ${table} where master_key_id <> $1 and id > $2
       order by id limit ${batch} for update`,
      [sealer.masterKeyId, after],
    );
    for (const row of rows) {
      const resealed = Object.entries(columns).map(([name, contextOf]) => {
        const sealed = row[name];
        if (!(sealed instanceof Uint8Array)) return null;
        const context = contextOf(row.id);
        return sealer.seal(opened(sealer, row, { sealed, context, of: `${table}.${name}` }), context).sealed;
      });
      const set = names.map((name, n) => `${name} = $${n + 3}`).join(', ');
      await client.query(`update ${table} set master_key_id = $2, ${set} where id = $1`, [
        row.id,
        sealer.masterKeyId,
        ...resealed,
      ]);
    }
    await client.query('commit');
    return { count: rows.length, last: rows.at(-1)?.id };
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  } finally {
    client.release();
  }
}
