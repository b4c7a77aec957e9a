import { z } from 'zod';
import { type EventOf, instant, personal } from '../../kernel/codecs.ts';
import { idField } from '../../kernel/ids.ts';

export const credentialTypes = ['OAUTH', 'EMAIL_OTP', 'PASSKEY'] as const;
export type CredentialType = (typeof credentialTypes)[number];

/** What a session key signs for. */
export const signedOperations = [
  'addCredential',
  'revokeCredential',
  'revokeSession',
  'refreshSession',
  'exportWallet',
  'updatePrivacy',
  'updateCustomer',
] as const;
export type SignedOperation = (typeof signedOperations)[number];

const accountId = idField('InternalAccount');
const credentialId = idField('AuthMethod');
const sessionId = idField('Session');
const requestId = idField('Request');

/** DER in hex, by the key of a session. */
const signature = z.string().regex(/^([0-9a-f]{2}){8,72}$/);

/** The challenge that was answered, the session whose key answered it, and how. */
const authorisedBy = z.object({
  requestId,
  sessionId,
  /** Over the challenge's `payloadToSign`. Absent in events of former versions. */
  signature: signature.optional(),
});

/** A session of a wallet, and the signature by its key over the text of a quote. */
export const signedBy = z.object({ sessionId, signature });
export type SignedBy = z.output<typeof signedBy>;

const email = z.object({ type: z.literal('EMAIL_OTP'), email: personal(z.string().min(1)) });
const oidc = z.object({
  type: z.literal('OAUTH'),
  issuer: z.string().min(1),
  audience: z.string().min(1),
  subject: personal(z.string().min(1)),
});
const passkey = z.object({
  type: z.literal('PASSKEY'),
  /** Base64url, as the authenticator gave it. */
  webauthnId: z.string().min(1),
  /** COSE key, base64url. */
  publicKey: z.string().min(1),
  counter: z.int().min(0),
  transports: z.array(z.string()),
  rpId: z.string().min(1),
  origin: z.string().min(1),
  /** The registration challenge, which is good once. */
  challenge: z.string().min(1),
});

/** Persisted for ever: add optional fields; never rename, retype or reuse one. No secret is ever in one. */
export const walletEvents = {
  CredentialAdded: z.object({
    platformId: idField('Platform'),
    accountId,
    credentialId,
    nickname: personal(z.string().min(1)),
    identity: z.discriminatedUnion('type', [email, oidc, passkey]),
    /** Absent for the first credential of a wallet. */
    authorisedBy: authorisedBy.optional(),
    at: instant,
  }),
  CredentialRevoked: z.object({ accountId, credentialId, authorisedBy, at: instant }),
  /** The customer's address changed, and with it the one that codes go to. */
  CustomerEmailChanged: z.object({
    platformId: idField('Platform'),
    accountId,
    customerId: idField('Customer'),
    credentialIds: z.array(credentialId).min(1),
    email: personal(z.string().min(1)),
    /** The first change of the wallet is 1. Absent where it was not counted yet. */
    ordinal: z.int().min(1).optional(),
    authorisedBy,
    at: instant,
  }),
  /** The code itself is known to the mail and, hashed, to the table of codes. */
  OneTimeCodeIssued: z.object({
    accountId,
    credentialId,
    codeId: z.uuid(),
    expiresAt: instant,
    at: instant,
  }),
  OneTimeCodeRefused: z.object({ accountId, credentialId, codeId: z.uuid(), at: instant }),
  PasskeyChallengeIssued: z.object({
    accountId,
    credentialId,
    requestId,
    challenge: z.string().min(1),
    clientPublicKey: z.string().min(1),
    expiresAt: instant,
    at: instant,
  }),
  SessionIssued: z.object({
    platformId: idField('Platform'),
    accountId,
    sessionId,
    credentialId,
    /** Compressed SEC1 in hex. The private half was sealed to the client and forgotten. */
    publicKey: z.string().regex(/^0[23][0-9a-f]{64}$/),
    expiresAt: instant,
    proof: z.discriminatedUnion('type', [
      z.object({ type: z.literal('EMAIL_OTP'), codeId: z.uuid() }),
      z.object({ type: z.literal('OAUTH') }),
      z.object({ type: z.literal('PASSKEY'), requestId, counter: z.int().min(0) }),
      z.object({ type: z.literal('REFRESH'), authorisedBy }),
    ]),
    at: instant,
  }),
  SessionRevoked: z.object({ accountId, sessionId, authorisedBy, at: instant }),
  SignatureRequested: z.object({
    accountId,
    requestId,
    operation: z.enum(signedOperations),
    /** What the operation is about: the id of an account, a credential or a session. */
    target: z.string().min(1),
    /** SHA-256 of the request's body in canonical JSON, hex. */
    bodySha256: z.string().regex(/^[0-9a-f]{64}$/),
    payloadToSign: z.string().min(1),
    /** For a change of e-mail address: the credentials that change with it. */
    affected: z.array(credentialId).optional(),
    expiresAt: instant,
    at: instant,
  }),
  /** The phrase is sealed beside the log; what is there later must be this one. */
  RecoveryPhraseMade: z.object({
    accountId,
    /** SHA-256 of the phrase, hex: of 256 random bits. */
    fingerprint: z.string().regex(/^[0-9a-f]{64}$/),
    at: instant,
  }),
  WalletExported: z.object({ accountId, authorisedBy, at: instant }),
  WalletPrivacyChanged: z.object({ accountId, privateEnabled: z.boolean(), authorisedBy, at: instant }),
};
export type WalletEvent = EventOf<typeof walletEvents>;
export type CredentialIdentity = z.output<(typeof walletEvents)['CredentialAdded']>['identity'];
export type AuthorisedBy = z.output<typeof authorisedBy>;
