/** Whether a leaf is in a tree of RFC 6962, worked out here, by WebCrypto. */

export const bytesOf = (base64: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));

export const bytesOfHex = (hex: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));

const base64Of = (bytes: Uint8Array) => btoa(String.fromCharCode(...bytes));

function digests() {
  // There are none where the page did not come by https.
  const { subtle } = crypto as { readonly subtle?: typeof crypto.subtle };
  if (!subtle) throw new Error('Verify needs https, or localhost: browsers work out hashes nowhere else.');
  return subtle;
}

async function sha256(prefix: number, ...parts: readonly Uint8Array[]): Promise<Uint8Array<ArrayBuffer>> {
  const all = Uint8Array.from([prefix, ...parts.flatMap((part) => [...part])]);
  return new Uint8Array(await digests().digest('SHA-256', all));
}

export type Inclusion = {
  /** In hexadecimal. */
  readonly eventHash: string;
  readonly index: number;
  readonly size: number;
  /** In base64. */
  readonly hashes: readonly string[];
};

/** The root to which the path leads, in base64. Throws `RangeError` for a path that no tree of this size has. */
export async function rootFrom({ eventHash, index, size, hashes }: Inclusion): Promise<string> {
  if (!(index >= 0 && index < size)) throw new RangeError(`no leaf ${index} in a tree of ${size}`);
  let hash = await sha256(0, bytesOfHex(eventHash));
  let [node, last] = [index, size - 1];
  for (const sibling of hashes.map(bytesOf)) {
    if (last === 0) throw new RangeError('the path is longer than the tree is high');
    if (node % 2 === 1 || node === last) {
      hash = await sha256(1, sibling, hash);
      while (node % 2 === 0 && node !== 0) [node, last] = [Math.floor(node / 2), Math.floor(last / 2)];
    } else hash = await sha256(1, hash, sibling);
    [node, last] = [Math.floor(node / 2), Math.floor(last / 2)];
  }
  if (last !== 0) throw new RangeError('the path ends below the root');
  return base64Of(hash);
}
