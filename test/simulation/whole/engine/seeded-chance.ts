/** What Node draws by chance follows from a seed: identifiers, secrets, nonces, pauses between attempts, key pairs of WebCrypto. Those of OpenSSL do not. */
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { systemIds } from '../../../../src/kernel/ids.ts';
import { type Random, randomFrom } from '../../random.ts';
import { seedKeyPairs } from './seeded-key-pairs.ts';

const { randomBytes, randomFillSync, randomInt, randomUUID } = crypto;
const { getRandomValues } = globalThis.crypto;
const { uuid } = systemIds;

export function seedChance(seed: number): { readonly end: () => void } {
  const random = randomFrom(seed);
  const fill = (bytes: Uint8Array): Uint8Array => {
    for (let n = 0; n < bytes.length; n++) bytes[n] = random.below(256);
    return bytes;
  };
  const randomUuid = () => uuidOf(Buffer.from(fill(new Uint8Array(16))));
  replace({
    randomBytes: (length: number) => fill(Buffer.alloc(length)),
    randomFillSync: (bytes: Uint8Array) => fill(bytes),
    randomInt: between(random),
    randomUUID: randomUuid,
  });
  // It draws for many at once: what is left would be taken over from one seed to the next.
  Object.assign(systemIds, { uuid: randomUuid });
  replaceInWeb(<Bytes extends ArrayBufferView>(bytes: Bytes): Bytes => {
    fill(new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    return bytes;
  });
  const keyPairs = seedKeyPairs();
  return {
    end() {
      keyPairs.end();
      replace({ randomBytes, randomFillSync, randomInt, randomUUID });
      replaceInWeb(getRandomValues.bind(globalThis.crypto));
      Object.assign(systemIds, { uuid });
    },
  };
}

const replaceInWeb = (value: unknown): void =>
  void Object.defineProperty(globalThis.crypto, 'getRandomValues', {
    value,
    configurable: true,
    writable: true,
  });

function replace(functions: object): void {
  Object.assign(crypto, functions);
  syncBuiltinESMExports();
}

const between =
  ({ below }: Random) =>
  (one: number, other?: number) =>
    other === undefined ? below(one) : one + below(other - one);

function uuidOf(bytes: Buffer): string {
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
