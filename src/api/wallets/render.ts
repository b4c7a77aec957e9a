/** What credentials, sessions and challenges look like on the wire. */
import { z } from 'zod';
import { email } from '../../domain/values/text.ts';
import { credentialTypes } from '../../domain/wallets/events.ts';
import type { Credential, PasskeyChallenge, Session, SignatureRequest } from '../../domain/wallets/state.ts';
import { type InternalAccountId, idField, idSchema } from '../../kernel/ids.ts';
import { isClientPublicKey } from '../../use-cases/wallets/crypto/hpke.ts';
import { transports } from '../../use-cases/wallets/crypto/passkeys.ts';
import { present, timestamp } from '../fields/fields.ts';

export const clientPublicKey = z
  .string()
  .regex(/^04[0-9a-fA-F]{128}$/)
  .refine(isClientPublicKey, 'must be a point on the curve P-256')
  .meta({ description: 'A P-256 key of the client: uncompressed SEC1 in hex.' });

/** Base64url of what a browser made; long enough for any attestation without a certificate chain of its own. */
const base64url = z
  .string()
  .min(1)
  .max(16_384)
  .regex(/^[A-Za-z0-9_-]+=*$/, 'must be base64url');

const nickname = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .regex(/^[\p{L}\p{N} ._\-'()]+$/u, "may have letters, digits, spaces and . _ - ' ( )");

const transportList = z.array(z.enum(transports)).max(transports.length);
const oidcToken = z.string().min(1).max(16_384);
const accountId = idSchema('InternalAccount');

const passkeyRegistration = z.object({
  type: z.literal('PASSKEY'),
  accountId,
  nickname,
  challenge: z.string().min(1).max(1024),
  attestation: z.object({
    credentialId: base64url,
    clientDataJson: base64url,
    attestationObject: base64url,
    transports: transportList.optional(),
  }),
  transports: transportList.optional(),
});

export const addCredentialRequest = z
  .discriminatedUnion('type', [
    z.object({ type: z.literal('EMAIL_OTP'), accountId, email: email.optional() }),
    z.object({ type: z.literal('OAUTH'), accountId, oidcToken }),
    passkeyRegistration,
  ])
  .meta({ id: 'AuthMethodCreateRequest' });
export type AddCredentialRequest = z.output<typeof addCredentialRequest>;

/** Looked at for a PASSKEY only, which needs the key. */
export const challengeRequest = z
  .object({
    clientPublicKey: z
      .unknown()
      .optional()
      .meta({ override: { type: 'string' }, description: 'Needed for PASSKEY, ignored otherwise.' }),
  })
  .meta({ id: 'AuthChallengeRequest' });

export const verifyRequest = z
  .object({
    type: z.enum(credentialTypes).optional(),
    otp: z.string().min(1).max(64).optional().meta({ description: 'For EMAIL_OTP.' }),
    oidcToken: oidcToken.optional().meta({ description: 'For OAUTH.' }),
    clientPublicKey: clientPublicKey.optional().meta({ description: 'For EMAIL_OTP and OAUTH.' }),
    assertion: z
      .object({
        credentialId: base64url,
        clientDataJson: base64url,
        authenticatorData: base64url,
        signature: base64url,
        userHandle: z.union([base64url, z.literal('')]).nullish(),
      })
      .optional()
      .meta({ description: 'For PASSKEY.' }),
  })
  .meta({ id: 'AuthVerifyRequest' });

export const keyRequest = z.object({ clientPublicKey });

const method = {
  accountId: idField('InternalAccount'),
  type: z.enum(credentialTypes),
  nickname: z.string(),
  credentialId: z.string().optional().meta({ description: 'Of a PASSKEY: base64url, for allowCredentials.' }),
  createdAt: timestamp,
  updatedAt: timestamp,
};
export const authMethodSchema = z.object({ id: idField('AuthMethod'), ...method }).meta({ id: 'AuthMethod' });

export const passkeyChallengeSchema = z
  .object({
    id: idField('AuthMethod'),
    ...method,
    challenge: z.string(),
    requestId: idField('Request'),
    expiresAt: timestamp,
  })
  .meta({ id: 'PasskeyChallenge' });

export const sessionSchema = z
  .object({
    id: idField('Session'),
    ...method,
    expiresAt: timestamp,
    encryptedSessionSigningKey: z.string().optional().meta({
      description: 'The private key of the session, sealed to clientPublicKey. Answered once.',
    }),
  })
  .meta({ id: 'AuthSession' });

export const signatureChallengeSchema = z
  .object({
    payloadToSign: z.string(),
    requestId: idField('Request'),
    expiresAt: timestamp,
    type: z.enum(credentialTypes).optional(),
  })
  .meta({
    id: 'SignatureChallenge',
    description: 'Sign payloadToSign as the text that it is, and send the same request again.',
  });

const renderMethod = ({ identity, nickname }: Credential, account: InternalAccountId) => ({
  accountId: account,
  type: identity.type,
  nickname,
  credentialId: identity.type === 'PASSKEY' ? identity.webauthnId : undefined,
});

export const renderCredential = (
  credential: Credential,
  account: InternalAccountId,
): z.input<typeof authMethodSchema> =>
  present({
    id: credential.id,
    ...renderMethod(credential, account),
    createdAt: credential.createdAt.toISOString(),
    updatedAt: credential.updatedAt.toISOString(),
  });

export const renderPasskeyChallenge = (
  credential: Credential,
  account: InternalAccountId,
  { challenge, requestId, expiresAt }: PasskeyChallenge,
) => ({
  ...renderCredential(credential, account),
  challenge,
  requestId,
  expiresAt: expiresAt.toISOString(),
});

/** The sealed key is there only where the session has just been issued. */
export const renderSession = (
  session: Session,
  credential: Credential,
  account: InternalAccountId,
  encryptedSessionSigningKey?: string,
): z.input<typeof sessionSchema> =>
  present({
    id: session.id,
    ...renderMethod(credential, account),
    createdAt: session.createdAt.toISOString(),
    updatedAt: session.createdAt.toISOString(),
    expiresAt: session.expiresAt.toISOString(),
    encryptedSessionSigningKey,
  });

export const renderSignatureChallenge = (
  { payloadToSign, requestId, expiresAt }: SignatureRequest,
  type?: (typeof credentialTypes)[number],
): z.input<typeof signatureChallengeSchema> =>
  present({ payloadToSign, requestId, expiresAt: expiresAt.toISOString(), type });
