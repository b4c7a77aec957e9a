/** PDF, JPEG and PNG, told by their first bytes. */
const signatures: readonly (readonly [type: string, head: readonly number[]])[] = [
  ['application/pdf', [...Buffer.from('%PDF-')]],
  ['image/jpeg', [0xff, 0xd8, 0xff]],
  ['image/png', [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
];

export const documentFile = {
  bytesMax: 10 * 1024 * 1024,
  types: 'a PDF, a JPEG or a PNG of at most 10 MiB',
  typeOf: (head: Uint8Array): string | undefined =>
    signatures.find(([, bytes]) => bytes.every((byte, n) => head[n] === byte))?.[0],
};
