/**
 * The nodes of the tree in rows of 256, in Postgres, wherever the log is: a row of level 0 has the hashes of as many
 * leaves and where their events lie in the log; one of level 1 those over 256 leaves each, and so on. They are copies of
 * the log and can be made again.
 */
import type { Pool } from '../postgres/pool.ts';
import { inTransaction } from '../postgres/transaction.ts';
import { type NodeAt, nodeHash } from './hashing.ts';

const hashBytes = 32;
/** Levels of the tree in a row. */
const levels = 8;
const tileMax = 2 ** levels;

export type Leaf = { readonly hash: Uint8Array; readonly position: bigint };

/** How far the tree has come. */
export type Reached = {
  readonly size: number;
  /** Of the last event; 0 for none. */
  readonly position: bigint;
  /** Of the events, those from before there were hashes. They are the first ones. */
  readonly unsealed: number;
};

type Tile = { readonly level: number; readonly n: number; hashes: Uint8Array[]; positions: bigint[] };
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
  return { level, n, hashes: hashes ? split(hashes) : [], positions: (positions ?? []).map(BigInt) };
}

const split = (bytes: Buffer): Uint8Array[] =>
  Array.from({ length: bytes.length / hashBytes }, (_, i) =>
    bytes.subarray(i * hashBytes, (i + 1) * hashBytes),
  );

/** The hash over hashes side by side, whose number is a power of two. */
function folded(hashes: readonly Uint8Array[]): Uint8Array {
  let level = hashes;
  while (level.length > 1)
    level = Array.from({ length: level.length / 2 }, (_, i) =>
      nodeHash(level[2 * i] as Uint8Array, level[2 * i + 1] as Uint8Array),
    );
  return level[0] as Uint8Array;
}

type Node = Pick<Leaf, 'hash'> & Partial<Leaf>;

/** In place of what is in the row from there on. */
function put<Item>(row: Item[], place: number, nodes: readonly Node[], itemOf: (node: Node) => Item): void {
  row.length = place;
  for (const node of nodes) row.push(itemOf(node));
}

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
  const tileOf = async (level: number, n: number): Promise<Tile> => {
    const known = tiles.get(level);
    const tile = known?.n === n ? known : await tileAt(pool, level, n);
    tiles.set(level, tile);
    changed.add(tile);
    return tile;
  };
  /** `first` is the place in its level of the first of them. */
  const add = async (level: number, first: number, nodes: readonly Node[]): Promise<void> => {
    for (let done = 0; done < nodes.length; ) {
      const tile = await tileOf(level, Math.floor((first + done) / tileMax));
      // What an attempt that was cut short has left is written over.
      const place = (first + done) % tileMax;
      const those = nodes.slice(done, done + tileMax - place);
      put(tile.hashes, place, those, ({ hash }) => hash);
      if (level === 0) put(tile.positions, place, those, ({ position = 0n }) => position);
      if (tile.hashes.length === tileMax) await add(level + 1, tile.n, [{ hash: folded(tile.hashes) }]);
      done += those.length;
    }
  };
  await add(0, from.size, leaves);
  const last = leaves.at(-1)?.position ?? from.position;
  return inTransaction(pool, async (client) => {
    const { rowCount } = await client.query(
      'update log_tree set size = $2, position = $3, unsealed = $4 where size = $1',
      [from.size, from.size + leaves.length, last, unsealed],
    );
    if (rowCount !== 1) return false;
    for (const { level, n, hashes, positions } of changed)
      await client.query(
        `insert into log_tiles (level, n, hashes, positions) values ($1, $2, $3, $4)
         on conflict (level, n) do update set hashes = excluded.hashes, positions = excluded.positions`,
        [level, n, Buffer.concat(hashes), level === 0 ? positions : null],
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
    const own = hashes.slice(at, at + 2 ** within);
    if (own.length < 2 ** within) throw new RangeError(`the tree has no node ${index} of level ${level}`);
    return folded(own);
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
