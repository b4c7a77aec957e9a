import type { walletEvents } from '../../../domain/wallets/events.ts';
import type { WordsFor } from './words.ts';

/** What happened to an embedded wallet. */
export const walletWords: WordsFor<typeof walletEvents> = {
  CredentialAdded: ({ credentialId, identity }) => `${credentialId} was added, ${identity.type}.`,
  CredentialRevoked: ({ credentialId }) => `${credentialId} was revoked.`,
  CustomerEmailChanged: ({ credentialIds }) =>
    `The customer's e-mail address changed, and with it that of ${credentialIds.join(', ')}.`,
  OneTimeCodeIssued: ({ credentialId }) => `A code was mailed for ${credentialId}.`,
  OneTimeCodeRefused: ({ credentialId }) => `A wrong code was sent for ${credentialId}.`,
  PasskeyChallengeIssued: ({ credentialId }) => `A challenge was issued for ${credentialId}.`,
  SessionIssued: ({ sessionId, credentialId, expiresAt }) =>
    `${sessionId} began by ${credentialId}, good until ${expiresAt.toISOString()}.`,
  SessionRevoked: ({ sessionId }) => `${sessionId} was revoked.`,
  SignatureRequested: ({ requestId, operation, target }) =>
    `${requestId} asks for a signature: ${operation} on ${target}.`,
  RecoveryPhraseMade: () => 'A recovery phrase was made.',
  WalletExported: () => 'The wallet was exported.',
  WalletPrivacyChanged: ({ privateEnabled }) => `The wallet is ${privateEnabled ? '' : 'not '}private.`,
};
