import { createHash, createPrivateKey } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkpointsIn, Fault, Tree } from '../../../src/app/cli/verify/verify.mjs';
import {
  consistencyProof,
  hashOver,
  inclusionProof,
  leafHash,
  leafRow,
  nodeHash,
  provesGrowth,
  rootOf,
} from '../../../src/infrastructure/log-tree/hashing.ts';
import { rawPublicKey, signedNote, verifierKey } from '../../../src/infrastructure/log-tree/note.ts';

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

/** The inputs and roots of the reference implementation (certificate-transparency, merkletree/merkle_tree_test.cc). */
const inputs = [
  '',
  '00',
  '10',
  '2021',
  '3031',
  '40414243',
  '5051525354555657',
  '606162636465666768696a6b6c6d6e6f',
];
const roots = [
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
];

const nodesOver = (leaves: readonly Uint8Array[]) => {
  const at = async (level: number, index: number): Promise<Uint8Array> => {
    if (level > 0) return nodeHash(await at(level - 1, 2 * index), await at(level - 1, 2 * index + 1));
    const leaf = leaves[index];
    if (!leaf) throw new RangeError(`no leaf ${index}`);
    return leaf;
  };
  return at;
};

/** RFC 9162, 2.1.3.2: the root that a proof leads to. */
function rootByInclusion(leaf: Uint8Array, index: number, size: number, proof: readonly Uint8Array[]) {
  let [fn, sn, r] = [index, size - 1, leaf];
  for (const p of proof) {
    if (sn === 0) throw new Error('the proof is too long');
    if (fn % 2 === 1 || fn === sn) {
      r = nodeHash(p, r);
      while (fn % 2 === 0 && fn !== 0) [fn, sn] = [fn >> 1, sn >> 1];
    } else r = nodeHash(r, p);
    [fn, sn] = [fn >> 1, sn >> 1];
  }
  expect(sn).toBe(0);
  return hex(r);
}

/** RFC 9162, 2.1.4.2: the two roots that a proof leads to. */
function rootsByConsistency(
  first: number,
  firstRoot: Uint8Array,
  size: number,
  proof: readonly Uint8Array[],
) {
  if (first === size) return [hex(firstRoot), hex(firstRoot)];
  const path = Number.isInteger(Math.log2(first)) ? [firstRoot, ...proof] : [...proof];
  let [fn, sn] = [first - 1, size - 1];
  while (fn % 2 === 1) [fn, sn] = [fn >> 1, sn >> 1];
  let [fr, sr] = [path[0] as Uint8Array, path[0] as Uint8Array];
  for (const c of path.slice(1)) {
    if (fn % 2 === 1 || fn === sn) {
      [fr, sr] = [nodeHash(c, fr), nodeHash(c, sr)];
      while (fn % 2 === 0 && fn !== 0) [fn, sn] = [fn >> 1, sn >> 1];
    } else sr = nodeHash(sr, c);
    [fn, sn] = [fn >> 1, sn >> 1];
  }
  expect(sn).toBe(0);
  return [hex(fr), hex(sr)];
}

describe('the Merkle tree of RFC 6962', () => {
  const leaves = inputs.map((input) => leafHash(Buffer.from(input, 'hex')));

  it('has the roots of the reference implementation', async () => {
    const own = await Promise.all(roots.map((_, n) => rootOf(nodesOver(leaves), n + 1)));
    expect(own.map(hex)).toEqual(roots);
    expect(hex(await rootOf(nodesOver([]), 0))).toBe(createHash('sha256').digest('hex'));
  });

  it('proves each leaf, and each former tree, of trees of every size', async () => {
    const many = Array.from({ length: 33 }, (_, n) => leafHash(Uint8Array.of(n)));
    const at = nodesOver(many);
    for (let size = 1; size <= many.length; size++) {
      const root = hex(await rootOf(at, size));
      for (let n = 0; n < size; n++) {
        const proof = await inclusionProof(at, n, size);
        expect(rootByInclusion(many[n] as Uint8Array, n, size, proof)).toBe(root);
        const from = await rootOf(at, n + 1);
        const grown = await consistencyProof(at, n + 1, size);
        expect(rootsByConsistency(n + 1, from, size, grown)).toEqual([hex(from), root]);
      }
    }
    await expect(inclusionProof(at, 5, 5)).rejects.toThrow(RangeError);
    await expect(consistencyProof(at, 6, 5)).rejects.toThrow(RangeError);
    await expect(consistencyProof(at, 0, 5)).rejects.toThrow(RangeError);
  });

  it('has the same hashes where they are side by side', async () => {
    const data = Array.from({ length: 256 }, (_, n) => createHash('sha256').update(String(n)).digest());
    const row = leafRow(data.map(hex));
    expect(hex(row)).toBe(data.map((one) => hex(leafHash(one))).join(''));
    for (const size of [1, 2, 64, 256])
      expect(hex(hashOver(row.subarray(0, size * 32)))).toBe(
        hex(await rootOf(nodesOver(data.map((one) => leafHash(one))), size)),
      );
    expect(hex(row)).toBe(data.map((one) => hex(leafHash(one))).join(''));
  });

  it.each(['', 'ab', 'zz'.repeat(32), 'ab'.repeat(33)])(
    'has the leaf of a hash that somebody has changed to "%s", whatever is beside it',
    (changed) => {
      const own = hex(leafHash(Buffer.from(changed, 'hex')));
      for (const other of ['00', 'ff']) expect(hex(leafRow([other.repeat(32), changed])).slice(64)).toBe(own);
    },
  );

  it('is the same for the verifier', async () => {
    const tree = new Tree();
    const hashes = Array.from({ length: 300 }, (_, n) => createHash('sha256').update(String(n)).digest());
    const at = nodesOver(hashes.map((one) => leafHash(one)));
    for (const [n, one] of hashes.entries()) {
      tree.add(one.toString('hex'));
      if (n % 37 === 0) expect(tree.root()).toBe(Buffer.from(await rootOf(at, n + 1)).toString('base64'));
    }
  });
});

describe('a checkpoint', () => {
  /** The key of the example of golang.org/x/mod/sumdb/note, whose signatures C2SP signed notes took over. */
  const seed = Buffer.from('AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz', 'base64').subarray(1);
  const pkcs8 = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed]);
  const privateKey = createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' });
  const folder = mkdtempSync(join(tmpdir(), 'daybook-note-'));
  const root = createHash('sha256').digest();

  it('is signed by a key that is published as others publish theirs', () => {
    expect(verifierKey('PeterNeumann', rawPublicKey(privateKey))).toBe(
      'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW',
    );
  });

  it('is read by the verifier, with the signatures of others beside its own', () => {
    const file = join(folder, 'note.txt');
    const origin = 'PeterNeumann';
    const note = signedNote({ origin, size: 7, root }, privateKey);
    expect(note).toMatch(/^PeterNeumann\n7\n[\w+/=]{44}\n\n\u2014 PeterNeumann x08go[\w+/=]+\n$/);
    writeFileSync(file, `${note}\u2014 witness.example AAAAAAAA\n`);
    const key = verifierKey(origin, rawPublicKey(privateKey));
    expect(checkpointsIn(file, key)).toEqual(new Map([[7, root.toString('base64')]]));
    writeFileSync(file, note.replace('\n7\n', '\n8\n'));
    expect(() => checkpointsIn(file, key)).toThrow(Fault);
    writeFileSync(file, JSON.stringify({ data: [{ note }, { note }] }));
    expect(checkpointsIn(file, key).size).toBe(1);
    const other = verifierKey('other', rawPublicKey(privateKey));
    expect(() => checkpointsIn(file, other)).toThrow('not signed by other');
  });
});

it('a proof of growth is checked: each tree has grown from each smaller one, and from no other', async () => {
  const leaves = Array.from({ length: 40 }, (_, n) => leafHash(Uint8Array.of(n)));
  const at = nodesOver(leaves);
  const other = leafHash(Uint8Array.of(99));
  for (let size = 1; size <= leaves.length; size++)
    for (let from = 1; from <= size; from++) {
      const proof = await consistencyProof(at, from, size);
      const growth = { from, fromRoot: await rootOf(at, from), size, root: await rootOf(at, size) };
      expect(provesGrowth(proof, growth), `${from} in ${size}`).toBe(true);
      expect(provesGrowth(proof, { ...growth, fromRoot: other })).toBe(false);
      expect(provesGrowth(proof, { ...growth, root: other })).toBe(false);
      expect(provesGrowth([...proof, other], growth)).toBe(false);
      expect(provesGrowth([other, ...proof.slice(1)], growth)).toBe(false);
      if (proof.length > 0) expect(provesGrowth(proof.slice(0, -1), growth)).toBe(false);
    }
});
