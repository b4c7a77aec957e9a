/**
 * The nodes of the tree in rows of 256, in Postgres, wherever the log is: a row of level 0 has the hashes of as many
 * leaves and where their events lie in the log; one of level 1 those over 256 leaves each, and so on. They are copies of
 * the log and can be made again.
 */
import { arrayText } from '../postgres/arrays.ts';
import type { Pool } from '../postgres/pool.ts';
import { inTransaction } from '../postgres/transaction.ts';
import { hashBytes, hashOver, leafRow, type NodeAt } from './hashing.ts';

/** Levels of the tree in a row. */
const levels = 8;
const tileMax = 2 ** levels;

/** `eventHash` is in hexadecimal. */
export type Leaf = { readonly eventHash: string; readonly position: bigint };

/** How far the tree has come. */
export type Reached = {
  readonly size: number;
  /** Of the last event; 0 for none. */
  readonly position: bigint;
  /** Of the events, those from before there were hashes. They are the first ones. */
  readonly unsealed: number;
};

/** `hashes` are side by side. */
type Tile = { readonly level: number; readonly n: number; hashes: Buffer; positions: readonly bigint[] };
const empty = { hashes: Buffer.alloc(0), positions: [] } as const;
type TileRow = { readonly hashes: Buffer; readonly positions: readonly string[] | null };

export async function reachedIn(pool: Pool): Promise<Reached> {
  const { rows } = await pool.query<{ size: string; position: string; unsealed: string }>(
    'select size, position, unsealed from log_tree',
  );
  const [{ size = 0, position = 0, unsealed = 0 } = {}] = rows;
  return { size: Number(size), position: BigInt(position), unsealed: Number(unsealed) };
}

async function tileAt(pool: Pool, level: number, n: number): Promise<Tile> {
  const { rows } = await pool.query<TileRow>(
    'select hashes, positions from log_tiles where level = $1 and n = $2',
    [level, n],
  );
  const [{ hashes, positions } = {}] = rows;
  return { level, n, hashes: hashes ?? empty.hashes, positions: (positions ?? []).map(BigInt) };
}

/** Those from one up to but not with another. */
const hashesIn = (row: Buffer, from: number, to: number): Buffer =>
  row.subarray(from * hashBytes, to * hashBytes);

/**
 * Adds leaves after those that are there, in one transaction. `false`, and nothing is changed, where the tree is not as
 * far as `from` says: another has added to it.
 */
export async function addLeaves(
  pool: Pool,
  from: Reached,
  leaves: readonly Leaf[],
  unsealed: number,
): Promise<boolean> {
  const tiles = new Map<number, Tile>();
  const changed = new Set<Tile>();
  const tileOf = async (level: number, n: number, place: number): Promise<Tile> => {
    const known = tiles.get(level);
    if (known?.n === n) return known;
    // Of one that begins here nothing is kept.
    const tile = place > 0 ? await tileAt(pool, level, n) : { level, n, ...empty };
    tiles.set(level, tile);
    changed.add(tile);
    return tile;
  };
  /** `first` is the place in its level of the first of them. */
  const add = async (level: number, first: number, hashes: Buffer, positions: readonly bigint[]) => {
    const count = hashes.length / hashBytes;
    for (let done = 0; done < count; ) {
      const place = (first + done) % tileMax;
      const tile = await tileOf(level, Math.floor((first + done) / tileMax), place);
      // What an attempt that was cut short has left is written over.
      const end = Math.min(count, done + tileMax - place);
      const before = hashesIn(tile.hashes, 0, place);
      if (before.length < place * hashBytes)
        throw new RangeError(`the tree has fewer than ${place} hashes in row ${tile.n} of level ${level}`);
      tile.hashes = Buffer.concat([before, hashesIn(hashes, done, end)]);
      tile.positions = [...tile.positions.slice(0, place), ...positions.slice(done, end)];
      if (place + end - done === tileMax) await add(level + 1, tile.n, hashOver(tile.hashes), []);
      done = end;
    }
  };
  const places = leaves.map(({ position }) => position);
  await add(0, from.size, leafRow(leaves.map(({ eventHash }) => eventHash)), places);
  const last = leaves.at(-1)?.position ?? from.position;
  return inTransaction(pool, async (client) => {
    const { rowCount } = await client.query(
      'update log_tree set size = $2, position = $3, unsealed = $4 where size = $1',
      [from.size, from.size + leaves.length, last, unsealed],
    );
    if (rowCount !== 1) return false;
    const rows = [...changed];
    await client.query(
      `insert into log_tiles (level, n, hashes, positions)
       select level, n, hashes, positions::bigint[]
       from unnest($1::int[], $2::bigint[], $3::bytea[], $4::text[]) as t (level, n, hashes, positions)
       on conflict (level, n) do update set hashes = excluded.hashes, positions = excluded.positions`,
      [
        rows.map(({ level }) => level),
        rows.map(({ n }) => n),
        rows.map(({ hashes }) => hashes),
        rows.map(({ level, positions }) => (level === 0 ? arrayText(positions) : null)),
      ],
    );
    return true;
  });
}

/** The nodes of the tree as it is kept; each row is read once. */
export function nodesIn(pool: Pool): NodeAt {
  const tiles = new Map<string, Promise<Tile>>();
  return async (level, index) => {
    const within = level % levels;
    const first = index * 2 ** within;
    const [tileLevel, n] = [(level - within) / levels, Math.floor(first / tileMax)];
    const key = `${tileLevel} ${n}`;
    const reading = tiles.get(key) ?? tileAt(pool, tileLevel, n);
    tiles.set(key, reading);
    const { hashes } = await reading;
    const at = first % tileMax;
    const own = hashesIn(hashes, at, at + 2 ** within);
    if (own.length < 2 ** within * hashBytes)
      throw new RangeError(`the tree has no node ${index} of level ${level}`);
    return hashOver(own);
  };
}

/** The place in the tree of the event at a position; `undefined` where the tree has none there. */
export async function indexOf(pool: Pool, position: bigint): Promise<number | undefined> {
  const { rows } = await pool.query<{ n: string; at: number | null }>(
    `select n, array_position(positions, $1::bigint) as at from log_tiles
     where level = 0 and positions[1] <= $1::bigint order by positions[1] desc limit 1`,
    [position],
  );
  const [row] = rows;
  return row?.at ? Number(row.n) * tileMax + row.at - 1 : undefined;
}
