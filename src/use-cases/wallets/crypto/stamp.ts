/** The wallet-signature stamp: parsing it strictly, and verifying its signature. */
import { createHash } from 'node:crypto';
import { p256 } from '@noble/curves/nist.js';
import { z } from 'zod';
import { Rejected } from '../../../kernel/rejected.ts';

export const sha256Hex = (text: string): string => createHash('sha256').update(text).digest('hex');

const lengthMax = 1024;
const scheme = 'SIGNATURE_SCHEME_TK_API_P256';

const stampSchema = z.object({
  publicKey: z
    .string()
    .regex(/^0[23][0-9a-fA-F]{64}$/)
    .transform((hex) => hex.toLowerCase()),
  scheme: z.literal(scheme),
  /** DER, 8 to 72 bytes. */
  signature: z
    .string()
    .regex(/^([0-9a-fA-F]{2}){8,72}$/)
    .transform((hex) => hex.toLowerCase()),
});
export type Stamp = z.output<typeof stampSchema>;

const malformed = (message: string) =>
  new Rejected('WALLET_SIGNATURE_MALFORMED', `The stamp ${message}.`, { reason: 'MALFORMED' });

/** Throws `Rejected` (401, WALLET_SIGNATURE_MALFORMED) for anything but a stamp in canonical form. */
export function parseStamp(text: string): Stamp {
  if (text.length > lengthMax) throw malformed(`is longer than ${lengthMax} characters`);
  const bytes = Buffer.from(text, 'base64url');
  // Node's decoder skips what it does not know.
  if (bytes.length === 0 || bytes.toString('base64url') !== text)
    throw malformed('is not base64url without padding');
  const parsed = stampSchema.safeParse(jsonOf(bytes));
  if (!parsed.success) {
    const fields = parsed.error.issues.map(({ path }) => path.join('.')).filter(Boolean);
    throw malformed(
      fields.length > 0
        ? `has a wrong ${fields.join(', ')}`
        : 'does not hold publicKey, scheme and signature',
    );
  }
  if (!isStrictDer(parsed.data.signature)) throw malformed('has a signature that is not DER');
  return parsed.data;
}

function jsonOf(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw malformed('is not JSON in UTF-8');
  }
}

/** No trailing bytes, minimal integers, short lengths, and both numbers from 1 to n - 1. */
function isStrictDer(hex: string): boolean {
  try {
    const bytes = Buffer.from(hex, 'hex');
    const signature = p256.Signature.fromBytes(new Uint8Array(bytes), 'der');
    return Buffer.from(signature.toBytes('der')).equals(bytes);
  } catch {
    return false;
  }
}

/** Whether the stamp signs exactly this text. High s passes: honest clients do not normalise it. */
export function isSignedBy(
  { publicKey, signature }: Pick<Stamp, 'publicKey' | 'signature'>,
  payloadToSign: string,
): boolean {
  try {
    return p256.verify(
      new Uint8Array(Buffer.from(signature, 'hex')),
      new TextEncoder().encode(payloadToSign),
      new Uint8Array(Buffer.from(publicKey, 'hex')),
      { format: 'der', prehash: true, lowS: false },
    );
  } catch {
    return false;
  }
}
