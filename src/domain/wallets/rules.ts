/** What the commands of a wallet demand of its state. */

import type { AuthMethodId, RequestId, SessionId } from '../../kernel/ids.ts';
import { badField, Rejected, unauthorized } from '../../kernel/rejected.ts';
import type { CredentialIdentity, CredentialType } from './events.ts';
import { type Credential, isLive, liveSession, liveSessions, type Session, type Wallet } from './state.ts';

/** The counter must grow unless it is zero, which those of synced passkeys always are. */
export function requirePasskeyProof(
  { identity, challenge }: Credential,
  { requestId, counter }: { readonly requestId: RequestId; readonly counter: number },
  at: Date,
): void {
  if (challenge?.requestId !== requestId || !isLive(challenge, at)) throw noLiveChallenge();
  const stored = identity.type === 'PASSKEY' ? identity.counter : 0;
  if ((counter > 0 || stored > 0) && counter <= stored)
    throw unauthorized('The signature counter has not grown: the passkey may be a copy.', 'COUNTER');
}

/** A code that was mailed to a former address must not become the one that is good. */
export function requireAddress({ identity }: Credential, email: string): void {
  if (identity.type === 'EMAIL_OTP' && identity.email === email) return;
  throw new Rejected('CONFLICT', 'The e-mail address of the credential has just changed. Ask again.');
}

/** Only the newest code is good, once, in time, and until too many wrong ones were tried. */
export function requireLiveCode({ code }: Credential, codeId: string | undefined, at: Date): void {
  if (!code || code.codeId !== codeId || !isLive(code, at)) throw noLiveCode();
}

type OidcIdentity = { readonly issuer: string; readonly audience: string; readonly subject: string };

const isSame = (known: CredentialIdentity, { issuer, audience, subject }: OidcIdentity): boolean =>
  known.type === 'OAUTH' &&
  known.issuer === issuer &&
  known.audience === audience &&
  known.subject === subject;

/** Throws `Rejected` (401) unless the token is about whom the credential was registered for. */
export function requireIdentity({ identity }: Credential, shown: OidcIdentity): void {
  if (!isSame(identity, shown))
    throw unauthorized('The token is for another identity than the credential.', 'IDENTITY_MISMATCH');
}

/** Credentials of one wallet: all of them are looked at by every sign-in. */
export const credentialsMax = 100;

export function requireNew({ credentials, usedChallenges }: Wallet, identity: CredentialIdentity): void {
  if (credentials.size >= credentialsMax)
    throw new Rejected(
      'INVALID_INPUT',
      `A wallet has ${credentialsMax} credentials at most: revoke one first.`,
    );
  const known = [...credentials.values()].map((one) => one.identity);
  if (identity.type === 'OAUTH') {
    if (known.some((one) => isSame(one, identity)))
      throw new Rejected('INVALID_INPUT', 'The wallet has a credential for this identity already.');
    return;
  }
  requireTypeFree({ credentials }, identity.type);
  if (identity.type === 'PASSKEY' && usedChallenges.get(identity.challenge))
    throw new Rejected('INVALID_INPUT', 'This registration challenge has been used. Make a new one.');
}

const typeTaken = {
  EMAIL_OTP: 'EMAIL_OTP_CREDENTIAL_ALREADY_EXISTS',
  PASSKEY: 'PASSKEY_CREDENTIAL_ALREADY_EXISTS',
} as const;

/** A wallet has one EMAIL_OTP and one PASSKEY credential at most. */
export function requireTypeFree(
  { credentials }: Pick<Wallet, 'credentials'>,
  type: Exclude<CredentialType, 'OAUTH'>,
): void {
  if (![...credentials.values()].some(({ identity }) => identity.type === type)) return;
  throw new Rejected(typeTaken[type], `The wallet has a credential of type ${type} already.`);
}

/** Throws `Rejected`: 404 when the wallet has no such credential, 400 when it is of another type. */
export function requireCredential(state: Wallet, id: AuthMethodId, type?: CredentialType): Credential {
  const credential = state.credentials.get(id);
  if (!credential) throw credentialNotFound();
  if (type === undefined || credential.identity.type === type) return credential;
  throw badField('type', `must be ${credential.identity.type}, as the credential is`);
}

export function requireRevocable(state: Wallet, id: AuthMethodId): void {
  requireCredential(state, id);
  if (state.credentials.size > 1) return;
  throw new Rejected('INVALID_INPUT', 'A wallet keeps at least one credential: add another one first.');
}

/** For a change of e-mail address: what changes with it is what the challenge was issued for. */
export function requireSameCredentials(
  current: readonly AuthMethodId[],
  asked: readonly AuthMethodId[] | undefined,
): void {
  if (current.length > 0 && String(current) === String(asked)) return;
  throw new Rejected(
    'EMAIL_OTP_CREDENTIAL_SET_CHANGED',
    'The e-mail credentials of the wallet have changed since the challenge. Start again.',
  );
}

/** Throws `Rejected` (429) where the wallet has as many as it may, until the first of them that is too many runs out. */
export function requireFewer(
  live: readonly { readonly expiresAt: Date }[],
  most: number,
  at: Date,
  what: string,
): void {
  const ends = live.map(({ expiresAt }) => expiresAt.getTime()).sort((one, other) => one - other);
  const roomAt = ends[ends.length - most];
  if (roomAt === undefined) return;
  const retryAfterSeconds = Math.ceil((roomAt - at.getTime()) / 1000);
  throw new Rejected(
    'RATE_LIMITED',
    `The wallet has ${ends.length} ${what}. Try again in ${retryAfterSeconds} seconds.`,
    { retryAfterSeconds },
  );
}

/** Active sessions of one wallet: all of them are looked at by whatever it signs. */
export const sessionsMax = 1_000;
/** Further ones, by signing in: whoever renews sessions does not keep an owner out. */
export const signInsMax = 100;

/** Throws `Rejected` (429) where the wallet has as many active sessions as it may. */
export function requireSessionRoom(wallet: Wallet, by: 'sign-in' | 'refresh', at: Date): void {
  const most = sessionsMax + (by === 'sign-in' ? signInsMax : 0);
  requireFewer(liveSessions(wallet, at), most, at, 'active sessions');
}

/** Throws `Rejected` (404) unless the session is active. */
export function requireSession(state: Wallet, id: SessionId, at: Date): Session {
  const session = liveSession(state, id, at);
  if (!session) throw sessionNotFound();
  return session;
}

const noLiveCode = () =>
  unauthorized('There is no code that is good now. Ask for one with /challenge.', 'NO_LIVE_CODE');
export const noLiveChallenge = () =>
  unauthorized(
    'The Request-Id is not that of the current challenge, or it has expired.',
    'REQUEST_ID_UNKNOWN',
  );
export const credentialNotFound = () =>
  new Rejected('REFERENCE_NOT_FOUND', 'There is no such credential.', { resource: 'AuthMethod' });
export const sessionNotFound = () =>
  new Rejected('REFERENCE_NOT_FOUND', 'There is no such session, or it has ended.', { resource: 'Session' });
