/** The Merkle tree of RFC 6962, section 2.1: its hashes, and proofs of what it has and what it grew from. */
import { hash } from 'node:crypto';

/** A leaf is one event, and its data are the 32 bytes of the event's hash. */
export const leafHash = (data: Uint8Array): Buffer => sha256(Uint8Array.of(0), data);
export const nodeHash = (left: Uint8Array, right: Uint8Array): Buffer =>
  sha256(Uint8Array.of(1), left, right);
export const emptyRoot: Buffer = sha256();

function sha256(...parts: readonly Uint8Array[]): Buffer {
  return hash('sha256', Buffer.concat(parts), 'buffer');
}

export const hashBytes = 32;

// A row is hashed input by input, each in the place of the one before: most of what the tree costs would be to make them.
const leafInput = Buffer.alloc(1 + hashBytes, 0);
const nodeInput = Buffer.alloc(1 + 2 * hashBytes, 1);

/** A row of hashes side by side, each written as text of one character a byte. */
function rowOf(size: number, hashAt: (n: number) => string): Buffer {
  const row = Buffer.allocUnsafeSlow(size * hashBytes);
  for (let n = 0; n < size; n++) row.write(hashAt(n), n * hashBytes, 'binary');
  return row;
}

/** The leaves of events, by their hashes in hexadecimal; one that has been changed may have any length. */
export const leafRow = (eventHashes: readonly string[]): Buffer =>
  rowOf(eventHashes.length, (n) => {
    const eventHash = eventHashes[n] as string;
    const isWhole = eventHash.length === 2 * hashBytes && leafInput.write(eventHash, 1, 'hex') === hashBytes;
    if (!isWhole) return leafHash(Buffer.from(eventHash, 'hex')).toString('binary');
    return hash('sha256', leafInput, 'binary');
  });

/** The nodes over each two of a row, whose number is even. */
const nodeRow = (row: Buffer): Buffer =>
  rowOf(row.length / hashBytes / 2, (n) => {
    row.copy(nodeInput, 1, 2 * n * hashBytes, 2 * (n + 1) * hashBytes);
    return hash('sha256', nodeInput, 'binary');
  });

/** The hash over a row, whose number is a power of two. */
export function hashOver(row: Buffer): Buffer {
  let level = row;
  while (level.length > hashBytes) level = nodeRow(level);
  return level;
}

/**
 * The hash over 2^level leaves, the `index`th of that size. It is asked only for what the tree has: all of these leaves.
 */
export type NodeAt = (level: number, index: number) => Promise<Uint8Array>;

/** The largest power of two that is smaller, as its exponent. */
const levelBelow = (n: number): number => Math.ceil(Math.log2(n)) - 1;

/** MTH(D[start:end]); `start` is where a subtree of that size may begin. */
async function subtree(at: NodeAt, start: number, end: number): Promise<Uint8Array> {
  const size = end - start;
  const level = Math.log2(size);
  if (Number.isInteger(level)) return at(level, start / size);
  const split = start + 2 ** levelBelow(size);
  return nodeHash(await subtree(at, start, split), await subtree(at, split, end));
}

/** The root over the first `size` leaves. */
export const rootOf = async (at: NodeAt, size: number): Promise<Uint8Array> =>
  size === 0 ? emptyRoot : subtree(at, 0, size);

/** PATH(index, D[size]): with the leaf's hash it leads to the root. Throws `RangeError` for a leaf that is not there. */
export async function inclusionProof(at: NodeAt, index: number, size: number): Promise<Uint8Array[]> {
  if (!(index >= 0 && index < size)) throw new RangeError(`no leaf ${index} in a tree of ${size}`);
  const proof: Uint8Array[] = [];
  let [start, end] = [0, size];
  while (end - start > 1) {
    const split = start + 2 ** levelBelow(end - start);
    if (index < split) {
      proof.unshift(await subtree(at, split, end));
      end = split;
    } else {
      proof.unshift(await subtree(at, start, split));
      start = split;
    }
  }
  return proof;
}

/** Of leaves, from one up to but not with another. */
export type Stretch = readonly [start: number, end: number];

/**
 * The leaves over which the hashes of PROOF(from, D[size]) are, in its order: that the first `from` leaves are those of
 * before. Throws `RangeError` where there are fewer.
 */
export function consistencyStretches(from: number, size: number): readonly Stretch[] {
  if (!(from >= 1 && from <= size)) throw new RangeError(`no tree of ${from} in one of ${size}`);
  const stretches: Stretch[] = [];
  let [start, end] = [0, size];
  while (end !== from) {
    const split = start + 2 ** levelBelow(end - start);
    if (from <= split) {
      stretches.unshift([split, end]);
      end = split;
    } else {
      stretches.unshift([start, split]);
      start = split;
    }
  }
  // Where the former tree is whole in this one, its root is known to who asks.
  if (start > 0) stretches.unshift([start, end]);
  return stretches;
}

export const consistencyProof = async (at: NodeAt, from: number, size: number): Promise<Uint8Array[]> =>
  Promise.all(consistencyStretches(from, size).map(([start, end]) => subtree(at, start, end)));

export type Growth = {
  readonly from: number;
  readonly fromRoot: Uint8Array;
  readonly size: number;
  readonly root: Uint8Array;
};

/** Whether a tree of `size` leaves has grown from one of `from` leaves, 1 at least, as RFC 9162 checks it (2.1.4.2). */
export function provesGrowth(proof: readonly Uint8Array[], { from, fromRoot, size, root }: Growth): boolean {
  if (from === size) return proof.length === 0 && same(fromRoot, root);
  const isWhole = Number.isInteger(Math.log2(from));
  const [first, ...others] = isWhole ? [fromRoot, ...proof] : proof;
  if (!first) return false;
  let [fn, sn] = [from - 1, size - 1];
  const up = () => {
    [fn, sn] = [Math.floor(fn / 2), Math.floor(sn / 2)];
  };
  while (fn % 2 === 1) up();
  let [former, present] = [first, first];
  for (const hash of others) {
    if (sn === 0) return false;
    if (fn % 2 === 1 || fn === sn) {
      [former, present] = [nodeHash(hash, former), nodeHash(hash, present)];
      while (fn % 2 === 0 && fn !== 0) up();
    } else present = nodeHash(present, hash);
    up();
  }
  return sn === 0 && same(former, fromRoot) && same(present, root);
}

const same = (one: Uint8Array, other: Uint8Array): boolean => Buffer.from(one).equals(other);
