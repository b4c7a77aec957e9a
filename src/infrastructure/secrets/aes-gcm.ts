/** AES-256-GCM as everything here is sealed: nonce, ciphertext and tag in one piece. */
import { createCipheriv, createDecipheriv } from 'node:crypto';

export const nonceBytes = 12;
const tagBytes = 16;

/** A nonce is never used again with the key for another text or context. */
export function encrypted(key: Buffer, nonce: Buffer, text: string, context: Buffer): Buffer {
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(context);
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, body, cipher.getAuthTag()]);
}

/** Throws where it was sealed under another key or for another context, or was changed. */
export function decrypted(key: Buffer, bytes: Buffer, context: Buffer): string {
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceBytes))
    .setAAD(context)
    .setAuthTag(bytes.subarray(-tagBytes));
  const body = bytes.subarray(nonceBytes, -tagBytes);
  return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8');
}
