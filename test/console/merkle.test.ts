import { createHash } from 'node:crypto';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { rootFrom } from '../../console/kernel/merkle.ts';

const sha256 = (...parts: readonly Uint8Array[]) =>
  parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest();
const leaf = (data: Uint8Array) => sha256(Uint8Array.of(0), data);
const node = (left: Uint8Array, right: Uint8Array) => sha256(Uint8Array.of(1), left, right);

const split = (size: number) => 2 ** Math.floor(Math.log2(size - 1));

/** As RFC 6962, section 2.1, defines them. */
const rootOf = (data: readonly Buffer[]): Buffer => {
  if (data.length === 1) return leaf(data[0] ?? Buffer.alloc(0));
  const k = split(data.length);
  return node(rootOf(data.slice(0, k)), rootOf(data.slice(k)));
};
const pathOf = (index: number, data: readonly Buffer[]): readonly Buffer[] => {
  if (data.length === 1) return [];
  const k = split(data.length);
  return index < k
    ? [...pathOf(index, data.slice(0, k)), rootOf(data.slice(k))]
    : [...pathOf(index - k, data.slice(k)), rootOf(data.slice(0, k))];
};

const events = (size: number) => Array.from({ length: size }, (_, n) => sha256(Buffer.from(`event ${n}`)));
const proofOf = (index: number, data: readonly Buffer[]) => ({
  eventHash: (data[index] ?? Buffer.alloc(0)).toString('hex'),
  index,
  size: data.length,
  hashes: pathOf(index, data).map((hash) => hash.toString('base64')),
});

describe('the inclusion of an event', () => {
  it.each([1, 2, 3, 7, 8, 13])('leads to the root from each leaf of a tree of %i', async (size) => {
    const data = events(size);
    const root = rootOf(data).toString('base64');
    for (let index = 0; index < size; index += 1) expect(await rootFrom(proofOf(index, data))).toBe(root);
  });

  it('leads elsewhere for another event', async () => {
    const data = events(13);
    const eventHash = sha256(Buffer.from('another')).toString('hex');
    expect(await rootFrom({ ...proofOf(5, data), eventHash })).not.toBe(rootOf(data).toString('base64'));
  });

  it('is refused with a path that is too short, too long, or for a leaf that is not there', async () => {
    const proof = proofOf(5, events(13));
    const [first = ''] = proof.hashes;
    await expect(rootFrom({ ...proof, hashes: proof.hashes.slice(1) })).rejects.toThrow(RangeError);
    await expect(rootFrom({ ...proof, hashes: [...proof.hashes, first] })).rejects.toThrow(RangeError);
    await expect(rootFrom({ ...proof, index: 13 })).rejects.toThrow(RangeError);
  });

  it('says what it needs where the page did not come by https', async () => {
    vi.stubGlobal('crypto', {});
    onTestFinished(() => void vi.unstubAllGlobals());
    await expect(rootFrom(proofOf(1, events(3)))).rejects.toThrow('needs https, or localhost');
  });
});
