import type { CredentialIdentity, SignedOperation, WalletEvent } from '../../../src/domain/wallets/events.ts';
import { type AuthMethodId, idOf, type RequestId, type SessionId } from '../../../src/kernel/ids.ts';
import { msLater, testStart } from '../time/clock.ts';
import { uuidNumber } from '../values/ids.ts';
import { customerId, platformId } from './identities.ts';

export const walletId = idOf('InternalAccount', uuidNumber(700));
export const emailId: AuthMethodId = idOf('AuthMethod', uuidNumber(701));
export const oauthId: AuthMethodId = idOf('AuthMethod', uuidNumber(702));
export const passkeyId: AuthMethodId = idOf('AuthMethod', uuidNumber(703));
export const sessionId: SessionId = idOf('Session', uuidNumber(711));
export const oauthSessionId: SessionId = idOf('Session', uuidNumber(712));
export const requestId: RequestId = idOf('Request', uuidNumber(721));
export const codeId = uuidNumber(731);

export const of = { platformId, accountId: walletId, at: testStart };
export const bodySha256 = 'ab'.repeat(32);
export const expiresAt = msLater(300_000);
export const authorisedBy = { requestId, sessionId };
export const keyNumber = (n: number): string => `02${String(n).padStart(64, '0')}`;

export const byEmail: CredentialIdentity = { type: 'EMAIL_OTP', email: 'ada@example.com' };
export const byToken = {
  type: 'OAUTH',
  issuer: 'https://id.example',
  audience: 'app',
  subject: 'ada',
} as const;
export const byPasskey = {
  type: 'PASSKEY' as const,
  webauthnId: 'id',
  publicKey: 'key',
  counter: 5,
  transports: ['usb'],
  rpId: 'example.test',
  origin: 'https://example.test',
  challenge: 'registered',
};

type Data<T extends WalletEvent['type']> = Extract<WalletEvent, { type: T }>['data'];
const { accountId, at } = of;

export const credentialAdded = (overrides: Partial<Data<'CredentialAdded'>> = {}) =>
  ({
    type: 'CredentialAdded',
    data: {
      platformId,
      accountId,
      credentialId: emailId,
      nickname: 'ada',
      identity: byEmail,
      at,
      ...overrides,
    },
  }) as const;
export const oauthAdded = () => credentialAdded({ credentialId: oauthId, identity: byToken });
export const passkeyAdded = () => credentialAdded({ credentialId: passkeyId, identity: byPasskey });
export const credentialRevoked = (credentialId = emailId) =>
  ({ type: 'CredentialRevoked', data: { accountId, credentialId, authorisedBy, at } }) as const;
export const customerEmailChanged = () => ({
  type: 'CustomerEmailChanged' as const,
  data: { ...of, customerId, credentialIds: [emailId], email: 'new@example.com', ordinal: 1, authorisedBy },
});
export const codeIssued = (overrides: Partial<Data<'OneTimeCodeIssued'>> = {}) =>
  ({
    type: 'OneTimeCodeIssued',
    data: { accountId, credentialId: emailId, codeId, expiresAt, at, ...overrides },
  }) as const;
export const codeRefused = () =>
  ({ type: 'OneTimeCodeRefused', data: { accountId, credentialId: emailId, codeId, at } }) as const;
export const passkeyChallenged = (overrides: Partial<Data<'PasskeyChallengeIssued'>> = {}) =>
  ({
    type: 'PasskeyChallengeIssued',
    data: {
      accountId,
      credentialId: passkeyId,
      requestId,
      challenge: 'challenge',
      clientPublicKey: '04',
      expiresAt,
      at,
      ...overrides,
    },
  }) as const;
export const sessionIssued = (overrides: Partial<Data<'SessionIssued'>> = {}) =>
  ({
    type: 'SessionIssued',
    data: {
      platformId,
      accountId,
      sessionId,
      credentialId: emailId,
      publicKey: keyNumber(1),
      expiresAt: msLater(900_000),
      proof: { type: 'EMAIL_OTP' as const, codeId },
      at,
      ...overrides,
    },
  }) as const;
export const oauthSessionIssued = () =>
  sessionIssued({ sessionId: oauthSessionId, credentialId: oauthId, proof: { type: 'OAUTH' } });
export const sessionRevoked = (id = sessionId) =>
  ({ type: 'SessionRevoked', data: { accountId, sessionId: id, authorisedBy, at } }) as const;
/** A wallet with an e-mail and an OAUTH credential and a session by each. */
export const signedInTwice = (): readonly WalletEvent[] => [
  credentialAdded(),
  codeIssued(),
  sessionIssued(),
  oauthAdded(),
  oauthSessionIssued(),
];

export const signatureRequested = (
  operation: SignedOperation,
  target: string = walletId,
  overrides: Partial<Data<'SignatureRequested'>> = {},
) =>
  ({
    type: 'SignatureRequested',
    data: {
      accountId,
      requestId,
      operation,
      target,
      bodySha256,
      payloadToSign: 'text',
      expiresAt,
      at,
      ...overrides,
    },
  }) as const;
export const phraseMade = () =>
  ({ type: 'RecoveryPhraseMade', data: { accountId, fingerprint: 'ab'.repeat(32), at } }) as const;
export const walletExported = () =>
  ({ type: 'WalletExported', data: { accountId, authorisedBy, at } }) as const;
export const privacyChanged = (privateEnabled = true) =>
  ({ type: 'WalletPrivacyChanged', data: { accountId, privateEnabled, authorisedBy, at } }) as const;
