/** What a browser sends about a passkey, read as far as the library leaves it to its caller. */
import { z } from 'zod';

/** Why a passkey was refused. The message is for the caller and repeats nothing of what was sent. */
export class PasskeyRefused extends Error {
  override name = 'PasskeyRefused';
}

export const unpadded = (base64url: string): string => base64url.replace(/=+$/, '');

export const wrapped = <Response>(credentialId: string, response: Response) => ({
  id: unpadded(credentialId),
  rawId: unpadded(credentialId),
  type: 'public-key' as const,
  clientExtensionResults: {},
  response,
});

/**
 * The same attestation without its statement: no trust is anchored in it, and verifying one would make the library fetch
 * addresses that stand in the certificates of whoever sent it.
 */
export async function withoutStatement(attestationObject: string): Promise<string> {
  const { decodeAttestationObject, isoCBOR } = await import('@simplewebauthn/server/helpers');
  try {
    const bytes = new Uint8Array(Buffer.from(attestationObject, 'base64url'));
    const authData = decodeAttestationObject(bytes).get('authData');
    const statement = new Map<string, string | Map<string, string> | Uint8Array>([
      ['fmt', 'none'],
      ['attStmt', new Map<string, string>()],
      ['authData', authData],
    ]);
    return Buffer.from(isoCBOR.encode(statement)).toString('base64url');
  } catch (error) {
    throw new PasskeyRefused('the attestation cannot be read', { cause: error });
  }
}

const clientDataSchema = z.object({ origin: z.string().max(2048) });

export function originOf(clientDataJson: string): string {
  try {
    return clientDataSchema.parse(JSON.parse(Buffer.from(clientDataJson, 'base64url').toString('utf8')))
      .origin;
  } catch {
    throw new PasskeyRefused('clientDataJson is not the client data of a browser');
  }
}

/** The host of the origin and each parent of at least two labels: what a browser lets a page use, short of lists. */
export function rpIdsOf(origin: string): string[] {
  if (!URL.canParse(origin)) throw new PasskeyRefused('the origin in clientDataJson is not one');
  const labels = new URL(origin).hostname.split('.');
  const parents = labels.map((_label, n) => labels.slice(n).join('.'));
  return parents.filter((name, n) => n === 0 || name.includes('.'));
}
