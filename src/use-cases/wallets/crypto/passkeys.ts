/** Passkeys: what the library verifies, and the checks that it leaves to its caller. */

import type {
  AuthenticationResponseJSON,
  AuthenticatorTransport,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import { requireUsable } from './passkey-keys.ts';
import {
  originOf,
  PasskeyRefused,
  rpIdsOf,
  unpadded,
  withoutStatement,
  wrapped,
} from './passkey-responses.ts';

/** Loaded when the first passkey comes. */
const library = () => import('@simplewebauthn/server');

/** ES256, EdDSA, RS256. */
const algorithms = [-7, -8, -257];

export type PasskeyRules = {
  /** Where wallets are served; empty means that the origin of a registration is pinned. */
  readonly origins: readonly string[];
  /** Undefined means that the host of the origin, or a parent of it with two labels or more, is pinned. */
  readonly rpId: string | undefined;
  readonly requireUserVerification: boolean;
};

export type Attestation = {
  readonly credentialId: string;
  readonly clientDataJson: string;
  readonly attestationObject: string;
};
export type Assertion = {
  readonly credentialId: string;
  readonly clientDataJson: string;
  readonly authenticatorData: string;
  readonly signature: string;
  readonly userHandle?: string | null | undefined;
};
export type RegisteredPasskey = {
  readonly webauthnId: string;
  readonly publicKey: string;
  readonly counter: number;
  readonly rpId: string;
  readonly origin: string;
};

/** Throws `PasskeyRefused` unless the attestation answers the challenge under the rules. */
export async function verifyRegistration(
  { origins, rpId, requireUserVerification }: PasskeyRules,
  challenge: string,
  { credentialId, clientDataJson, attestationObject }: Attestation,
): Promise<RegisteredPasskey> {
  const response: RegistrationResponseJSON = wrapped(credentialId, {
    clientDataJSON: unpadded(clientDataJson),
    attestationObject: await withoutStatement(unpadded(attestationObject)),
  });
  const origin = originOf(clientDataJson);
  const { verifyRegistrationResponse } = await library();
  const verified = await refusing('the attestation does not verify', () =>
    verifyRegistrationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: origins.length > 0 ? [...origins] : origin,
      expectedRPID: rpId ?? rpIdsOf(origin),
      requireUserVerification,
      supportedAlgorithmIDs: algorithms,
    }),
  );
  if (!verified.verified) throw new PasskeyRefused('the attestation does not verify');
  const { credential, rpID, origin: verifiedOrigin } = verified.registrationInfo;
  if (credential.id !== unpadded(credentialId))
    throw new PasskeyRefused('credentialId is not that of the attestation');
  const wanted = 'P-256 for ES256, Ed25519 for EdDSA, or RSA of 2048 bits or more for RS256';
  await refusing(`its public key is to be ${wanted}`, () => requireUsable(credential.publicKey));
  const publicKey = Buffer.from(credential.publicKey).toString('base64url');
  if (rpID === undefined) throw new PasskeyRefused('the attestation names no relying party');
  return {
    webauthnId: credential.id,
    publicKey,
    counter: credential.counter,
    rpId: rpID,
    origin: verifiedOrigin,
  };
}

type Stored = RegisteredPasskey & { readonly transports: readonly string[] };

/**
 * The counter after the assertion, which the wallet compares with the one before. Throws `PasskeyRefused` unless it is by
 * this passkey, over this challenge.
 */
export async function verifyAssertion(
  { origins, rpId, requireUserVerification }: PasskeyRules,
  passkey: Stored,
  challenge: string,
  { credentialId, clientDataJson, authenticatorData, signature, userHandle }: Assertion,
): Promise<number> {
  if (unpadded(credentialId) !== passkey.webauthnId)
    throw new PasskeyRefused('the assertion is by another passkey');
  const response: AuthenticationResponseJSON = wrapped(credentialId, {
    clientDataJSON: unpadded(clientDataJson),
    authenticatorData: unpadded(authenticatorData),
    signature: unpadded(signature),
    ...(userHandle && { userHandle: unpadded(userHandle) }),
  });
  // Clients sign the text itself, or the bytes of the text.
  const answers = new Set([challenge, Buffer.from(challenge, 'utf8').toString('base64url')]);
  const { verifyAuthenticationResponse } = await library();
  const verified = await refusing('the assertion does not verify', () =>
    verifyAuthenticationResponse({
      response,
      expectedChallenge: (answered) => answers.has(answered),
      expectedOrigin: origins.length > 0 ? [...origins] : passkey.origin,
      expectedRPID: rpId ?? passkey.rpId,
      credential: {
        id: passkey.webauthnId,
        publicKey: new Uint8Array(Buffer.from(passkey.publicKey, 'base64url')),
        // Any counter is above none: that it has grown is the wallet's to say, by a reason of its own.
        counter: 0,
        transports: passkey.transports.filter(isTransport),
      },
      requireUserVerification,
    }),
  );
  if (!verified.verified) throw new PasskeyRefused('the assertion does not verify');
  return verified.authenticationInfo.newCounter;
}

export const transports = ['usb', 'nfc', 'ble', 'internal', 'hybrid'] as const;
const isTransport = (text: string): text is AuthenticatorTransport =>
  transports.some((transport) => transport === text);

/** Malformed input throws errors of many kinds in the library: all of them mean the same here. */
async function refusing<T>(message: string, verify: () => Promise<T>): Promise<T> {
  try {
    return await verify();
  } catch (error) {
    throw new PasskeyRefused(message, { cause: error });
  }
}
