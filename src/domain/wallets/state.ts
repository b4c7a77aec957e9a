/** What the events of a wallet add up to. What has run out is forgotten as later events come. */
import type { AuthMethodId, RequestId, SessionId } from '../../kernel/ids.ts';
import { invariant } from '../../kernel/invariant.ts';
import { KeyedHistory } from '../../kernel/keyed-history.ts';
import type { CredentialIdentity, SignedOperation } from './events.ts';

export type Credential = {
  readonly id: AuthMethodId;
  readonly nickname: string;
  readonly identity: CredentialIdentity;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** The one code that is good. */
  readonly code?: { readonly codeId: string; readonly expiresAt: Date; readonly triesLeft: number };
  /** The one assertion challenge that is good. */
  readonly challenge?: PasskeyChallenge;
};
export type PasskeyChallenge = {
  readonly requestId: RequestId;
  readonly challenge: string;
  readonly clientPublicKey: string;
  readonly expiresAt: Date;
};
export type Session = {
  readonly id: SessionId;
  readonly credentialId: AuthMethodId;
  readonly publicKey: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
};
export type SignatureRequest = {
  readonly requestId: RequestId;
  readonly operation: SignedOperation;
  readonly target: string;
  readonly bodySha256: string;
  readonly payloadToSign: string;
  readonly affected?: readonly AuthMethodId[] | undefined;
  readonly expiresAt: Date;
};

export type Wallet = {
  readonly credentials: ReadonlyMap<AuthMethodId, Credential>;
  readonly sessions: ReadonlyMap<SessionId, Session>;
  readonly requests: ReadonlyMap<RequestId, SignatureRequest>;
  /** Registration challenges of passkeys, each good once. */
  readonly usedChallenges: KeyedHistory<true>;
  readonly privateEnabled: boolean;
  /** How often the customer's e-mail address was changed by a signature. */
  readonly emailChanges: number;
  /** SHA-256 of the recovery phrase, once there is one. */
  readonly phraseFingerprint?: string;
};

export const noWallet: Wallet = {
  credentials: new Map(),
  sessions: new Map(),
  requests: new Map(),
  usedChallenges: KeyedHistory.empty(),
  privateEnabled: false,
  emailChanges: 0,
};

/** Of any challenge of a wallet. */
export const challengeLifetimeMs = 300_000;

/** Whether something that ends at a moment is still good at another: the last moment is not. */
export const isLive = ({ expiresAt }: { readonly expiresAt: Date }, at: Date): boolean => at < expiresAt;

export const liveSessions = ({ sessions }: Wallet, at: Date): readonly Session[] =>
  [...sessions.values()].filter((session) => isLive(session, at));

export function liveSession({ sessions }: Wallet, id: SessionId, at: Date): Session | undefined {
  const session = sessions.get(id);
  return session && isLive(session, at) ? session : undefined;
}

export function credentialOf(wallet: Wallet, id: AuthMethodId): Credential {
  const credential = wallet.credentials.get(id);
  invariant(credential, `${id} is no credential of the wallet`);
  return credential;
}
