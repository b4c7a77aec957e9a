/** What credentials, sessions and challenges look like on the wire. */
import { z } from 'zod';
import type { credentialTypes } from '../../domain/wallets/events.ts';
import type { Credential, PasskeyChallenge, Session, SignatureRequest } from '../../domain/wallets/state.ts';
import { type InternalAccountId, idField } from '../../kernel/ids.ts';
import { authMethodType } from '../fields/enumerations.ts';
import { present, timestamp } from '../fields/fields.ts';

const method = {
  accountId: idField('InternalAccount'),
  type: authMethodType,
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
  })
  .meta({ id: 'AuthSession' });

export const issuedSessionSchema = sessionSchema
  .extend({
    encryptedSessionSigningKey: z.string().meta({
      description: 'The private key of the session, sealed to clientPublicKey. Answered once.',
    }),
  })
  .meta({ id: 'IssuedAuthSession' });

export const signatureChallengeSchema = z
  .object({
    payloadToSign: z.string(),
    requestId: idField('Request'),
    expiresAt: timestamp,
    type: authMethodType.optional(),
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

export const renderSession = (
  session: Session,
  credential: Credential,
  account: InternalAccountId,
): z.input<typeof sessionSchema> =>
  present({
    id: session.id,
    ...renderMethod(credential, account),
    createdAt: session.createdAt.toISOString(),
    updatedAt: session.createdAt.toISOString(),
    expiresAt: session.expiresAt.toISOString(),
  });

/** Of a session that has just been issued: its key is kept nowhere, and answered nowhere else. */
export const renderIssuedSession = (
  session: Session,
  credential: Credential,
  account: InternalAccountId,
  encryptedSessionSigningKey: string,
): z.input<typeof issuedSessionSchema> => ({
  ...renderSession(session, credential, account),
  encryptedSessionSigningKey,
});

export const renderSignatureChallenge = (
  { payloadToSign, requestId, expiresAt }: SignatureRequest,
  type?: (typeof credentialTypes)[number],
): z.input<typeof signatureChallengeSchema> =>
  present({ payloadToSign, requestId, expiresAt: expiresAt.toISOString(), type });
