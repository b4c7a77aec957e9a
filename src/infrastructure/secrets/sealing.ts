/** Secrets at rest: AES-256-GCM under the operator's master key, whose id stands beside what it has sealed. */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { decrypted, encrypted, nonceBytes } from './aes-gcm.ts';

const keyBytes = 32;

export type Sealed = { readonly masterKeyId: string; readonly sealed: Uint8Array };

export type Fingerprint = { readonly masterKeyId: string; readonly mac: Uint8Array };

/** The key that seals, and those that sealed before it and may still open. All in base64. */
export type MasterKeys = { readonly current: string; readonly previous?: readonly string[] };

export type Sealer = {
  /** Names the key that seals. */
  readonly masterKeyId: string;
  /** `context` says what the text is and whose; only the same context opens it again. */
  seal(text: string, context: string): Sealed;
  /** Throws when it was sealed under an unknown master key or for another context, or was changed. */
  unseal(sealed: Sealed, context: string): string;
  /** Throws for a master key, named as in `masterKeyId`, that is not known. */
  requireKnown(masterKeyId: string): void;
  /** A keyed hash: short codes cannot be found from it without the master key. */
  fingerprint(text: string, context: string): Fingerprint;
  /** The same under every known key, the current one first: to find what was kept under an earlier one. */
  fingerprints(text: string, context: string): readonly Fingerprint[];
  /** In constant time. Throws when the fingerprint was taken under an unknown master key. */
  matches(text: string, context: string, fingerprint: Fingerprint): boolean;
};

export const newMasterKey = (): string => randomBytes(keyBytes).toString('base64');

/** The bytes of a master key in base64; `undefined` when the text is not one. */
export function parseMasterKey(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64');
  return bytes.length === keyBytes && bytes.toString('base64') === text ? bytes : undefined;
}

type Key = { readonly id: string; readonly bytes: Buffer };

function keyOf(text: string): Key {
  const bytes = parseMasterKey(text);
  if (!bytes) throw new Error('the master key is not 32 bytes in base64');
  const id = createHash('sha256').update('daybook-master-key-id').update(bytes).digest('hex').slice(0, 16);
  return { id, bytes };
}

/** Throws for a key that is not 32 bytes in base64. */
export function createSealer({ current, previous = [] }: MasterKeys): Sealer {
  const key = keyOf(current);
  const known = [key, ...previous.map(keyOf)];
  const keyWith = (id: string): Key => {
    const found = known.find((one) => one.id === id);
    if (found) return found;
    throw new Error(
      `a secret was sealed under the master key ${id}, which is neither DAYBOOK_MASTER_KEY (${key.id}) nor in DAYBOOK_MASTER_KEY_PREVIOUS; set the key that this database was used with`,
    );
  };
  const macOf = ({ bytes }: Key, text: string, context: string): Buffer => {
    const macKey = createHmac('sha256', bytes).update('daybook-fingerprints').digest();
    return createHmac('sha256', macKey)
      .update(JSON.stringify([context, text]))
      .digest();
  };

  return {
    masterKeyId: key.id,
    seal(text, context) {
      const sealed = encrypted(key.bytes, randomBytes(nonceBytes), text, Buffer.from(context));
      return { masterKeyId: key.id, sealed };
    },
    unseal: ({ masterKeyId, sealed }, context) =>
      decrypted(keyWith(masterKeyId).bytes, Buffer.from(sealed), Buffer.from(context)),
    requireKnown: (id) => void keyWith(id),
    fingerprint: (text, context) => ({ masterKeyId: key.id, mac: macOf(key, text, context) }),
    fingerprints: (text, context) =>
      known.map((one) => ({ masterKeyId: one.id, mac: macOf(one, text, context) })),
    matches: (text, context, { masterKeyId, mac }) =>
      timingSafeEqual(macOf(keyWith(masterKeyId), text, context), mac),
  };
}
