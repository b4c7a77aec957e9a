/** Follows the log into the tree, and signs how far it has come: the work of one process at a time. */
import type { CheckpointedConsumer } from '../event-store/follow-log.ts';
import type { Log } from '../observe/log.ts';
import { seldom } from '../observe/seldom.ts';
import type { Pool } from '../postgres/pool.ts';
import { growing } from './growing.ts';
import { rootOf } from './hashing.ts';
import type { LogKey } from './key.ts';
import { signedNote } from './note.ts';
import { nodesIn, reachedIn } from './tiles.ts';

export type Signed = {
  readonly size: number;
  readonly root: Buffer;
  /** Of its events, those from before there were hashes: the first ones. */
  readonly unsealed: number;
  readonly note: string;
  readonly signedAt: Date;
};

type SignedRow = {
  readonly size: bigint;
  readonly root: Buffer;
  readonly unsealed: bigint;
  readonly note: string;
  readonly signed_at: Date;
};

/** The newest of them first, those before a size where one is given. */
export async function signedIn(pool: Pool, most: number, before?: number): Promise<readonly Signed[]> {
  const { rows } = await pool.query<SignedRow>(
    `select size, root, unsealed, note, signed_at from log_checkpoints
     where $1::bigint is null or size < $1 order by size desc limit $2`,
    [before ?? null, most],
  );
  return rows.map(({ size, unsealed, signed_at: signedAt, ...row }) => ({
    ...row,
    size: Number(size),
    unsealed: Number(unsealed),
    signedAt,
  }));
}

type Deps = {
  readonly pool: Pool;
  readonly key: () => Promise<LogKey>;
  readonly now: () => Date;
  /** From one checkpoint to the next. */
  readonly everyMs: number;
  /** Told each time that nothing is signed since the log is not what was signed. */
  readonly contradicted: () => void;
  readonly log: Pick<Log, 'error'>;
};

export type Keeper = CheckpointedConsumer & {
  /**
   * Signs the tree as it is now, where it has grown and the last checkpoint is of an interval before: intervals begin at
   * the same moments whoever signs. Signs nothing, and says so, where it is not what the last checkpoint was made of.
   */
  readonly sign: () => Promise<void>;
};

export function logTreeKeeper({ pool, key, now, everyMs, contradicted, log }: Deps): Keeper {
  const tree = growing(pool, log);
  const isToTell = seldom();
  let sizeAtLastLook: number | undefined;

  const intervalOf = (at: Date): number => Math.floor(at.getTime() / everyMs);

  const sign = async () => {
    await tree.write();
    const { size, unsealed } = await reachedIn(pool);
    const [last] = await signedIn(pool, 1);
    if (size === 0 || size === last?.size) return;
    if (last && intervalOf(last.signedAt) >= intervalOf(now())) return;
    // After a restore the tree is made anew, and grows until it is where it was.
    const isGrowing = size !== sizeAtLastLook;
    sizeAtLastLook = size;
    if (last && size < last.size && isGrowing) return;
    const at = nodesIn(pool);
    if (last && (size < last.size || !last.root.equals(await rootOf(at, last.size)))) {
      contradicted();
      if (isToTell())
        log.error(
          { size: last.size },
          'the log is not what its last checkpoint was made of; nothing is signed',
        );
      return;
    }
    const { origin, privateKey } = await key();
    const root = await rootOf(at, size);
    await pool.query(
      `insert into log_checkpoints (size, root, unsealed, note, signed_at) values ($1, $2, $3, $4, $5)
       on conflict do nothing`,
      [size, root, unsealed, signedNote({ origin, size, root }, privateKey), now()],
    );
  };

  return {
    name: 'log tree',
    checkpoint: async () => (await reachedIn(pool)).position || undefined,
    consume: tree.add,
    close: () => tree.write(),
    sign,
  };
}
