/** Secrets at rest: AES-256-GCM under the operator's master key, whose id stands beside what it has sealed. */
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

const keyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;

export type Sealed = { readonly masterKeyId: string; readonly sealed: Uint8Array };

export type Sealer = {
  /** `context` says what the text is and whose; only the same context opens it again. */
  seal(text: string, context: string): Sealed;
  /** Throws when it was sealed under another master key or for another context, or was changed. */
  unseal(sealed: Sealed, context: string): string;
};

export const newMasterKey = (): string => randomBytes(keyBytes).toString('base64');

/** The bytes of a master key in base64; `undefined` when the text is not one. */
export function parseMasterKey(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64');
  return bytes.length === keyBytes && bytes.toString('base64') === text ? bytes : undefined;
}

/** Throws for a text that is not 32 bytes in base64. */
export function createSealer(masterKey: string): Sealer {
  const key = parseMasterKey(masterKey);
  if (!key) throw new Error('the master key is not 32 bytes in base64');
  const masterKeyId = createHash('sha256')
    .update('daybook-master-key-id')
    .update(key)
    .digest('hex')
    .slice(0, 16);

  return {
    seal(text, context) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context));
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return { masterKeyId, sealed: Buffer.concat([nonce, body, cipher.getAuthTag()]) };
    },
    unseal({ masterKeyId: sealedUnder, sealed }, context) {
      if (sealedUnder !== masterKeyId) {
        throw new Error(
          `a secret was sealed under the master key ${sealedUnder}, and DAYBOOK_MASTER_KEY is ${masterKeyId}`,
        );
      }
      const bytes = Buffer.from(sealed);
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceBytes))
        .setAAD(Buffer.from(context))
        .setAuthTag(bytes.subarray(-tagBytes));
      const body = bytes.subarray(nonceBytes, -tagBytes);
      return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8');
    },
  };
}
