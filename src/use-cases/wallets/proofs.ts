/** What a caller shows for a credential, turned into an identity or a refusal. */

import type { CredentialIdentity } from '../../domain/wallets/events.ts';
import { Rejected, unauthorized } from '../../kernel/rejected.ts';
import type { Identity, Issuer } from './crypto/oidc-tokens.ts';
import { PasskeyRefused } from './crypto/passkey-responses.ts';
import {
  type Assertion,
  type Attestation,
  type PasskeyRules,
  verifyAssertion,
  verifyRegistration,
} from './crypto/passkeys.ts';
import { sha256Hex } from './crypto/stamp.ts';

export type ProofDeps = {
  readonly now: () => Date;
  /** Tokens of identity providers have the time of those who issue them. */
  readonly installationNow: () => Date;
  readonly passkeyRules: PasskeyRules;
  /** Those whose tokens a platform of this environment may use. */
  readonly issuersFor: (environment: 'sandbox' | 'production') => readonly Issuer[];
  /** Demands that a token's nonce binds it to the client key. */
  readonly requireNonce: boolean;
};

type Transports = Passkey['transports'];
export type PasskeyRegistration = {
  readonly challenge: string;
  readonly attestation: Attestation & { readonly transports?: Transports | undefined };
  readonly transports?: Transports | undefined;
};
type Passkey = Extract<CredentialIdentity, { type: 'PASSKEY' }>;

/** Throws `Rejected` (400) for an attestation that does not verify. */
export async function registeredPasskey(
  { passkeyRules }: ProofDeps,
  { challenge, attestation, transports = [] }: PasskeyRegistration,
): Promise<Passkey> {
  try {
    const passkey = await verifyRegistration(passkeyRules, challenge, attestation);
    const { transports: own = transports } = attestation;
    return { type: 'PASSKEY', ...passkey, transports: [...new Set(own)], challenge };
  } catch (error) {
    if (!(error instanceof PasskeyRefused)) throw error;
    throw new Rejected('INVALID_INPUT', `The passkey cannot be registered: ${error.message}.`, {
      errors: [{ field: 'attestation', message: error.message }],
    });
  }
}

/** The new counter. Throws `Rejected` (401) for an assertion that does not verify. */
export async function assertedCounter(
  { passkeyRules }: ProofDeps,
  passkey: Passkey,
  challenge: string,
  assertion: Assertion,
): Promise<number> {
  try {
    return await verifyAssertion(passkeyRules, passkey, challenge, assertion);
  } catch (error) {
    if (!(error instanceof PasskeyRefused)) throw error;
    throw unauthorized(`The passkey is refused: ${error.message}.`, 'ASSERTION_INVALID');
  }
}

/** Throws `Rejected`, as `verifyToken` does. */
export async function identityOf(
  { issuersFor, installationNow }: ProofDeps,
  environment: 'sandbox' | 'production',
  oidcToken: string,
): Promise<Identity> {
  // Loaded when the first token comes.
  const { verifyToken } = await import('./crypto/oidc-tokens.ts');
  return verifyToken(oidcToken, issuersFor(environment), installationNow());
}

/** A token is bound to a key by its nonce: the SHA-256 of the key's text, exactly as it was sent. */
export function requireBound(
  { requireNonce }: ProofDeps,
  { nonce }: Identity,
  clientPublicKey: string,
): void {
  if (!requireNonce || nonce === sha256Hex(clientPublicKey)) return;
  throw unauthorized('The nonce of the token does not bind it to clientPublicKey.', 'NONCE_MISMATCH');
}
