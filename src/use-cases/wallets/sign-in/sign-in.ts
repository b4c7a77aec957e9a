/** From the proof of a credential to a session. */

import type { Proof } from '../../../domain/wallets/commands.ts';
import type { CredentialType } from '../../../domain/wallets/events.ts';
import {
  noLiveChallenge,
  requireCredential,
  requireIdentity,
  requireLiveCode,
} from '../../../domain/wallets/rules.ts';
import { isLive, type Session } from '../../../domain/wallets/state.ts';
import { idOf, uuidOf } from '../../../kernel/ids.ts';
import { invariant } from '../../../kernel/invariant.ts';
import { badField, unauthorized } from '../../../kernel/rejected.ts';
import type { Attempt } from '../../attempt.ts';
import type { Principal, WalletSignature } from '../../caller.ts';
import type { CredentialOf } from '../../find/wallet.ts';
import { type CodeDeps, isCode } from '../codes/codes.ts';
import { issueSessionKey } from '../crypto/hpke.ts';
import type { Assertion } from '../crypto/passkeys.ts';
import { assertedCounter, identityOf, type ProofDeps, requireBound } from '../proofs.ts';
import { missingRequestId } from '../signing.ts';

type Deps = CodeDeps & ProofDeps & { readonly sessionMs: number };

/** Which of it is needed depends on the credential's type. */
type Shown = {
  readonly type?: CredentialType | undefined;
  readonly otp?: string | undefined;
  readonly oidcToken?: string | undefined;
  readonly clientPublicKey?: string | undefined;
  readonly assertion?: Assertion | undefined;
};
type Request = Attempt & {
  readonly principal: Principal;
  readonly signature: WalletSignature;
  readonly body: Shown;
};
type SignedIn = { readonly session: Session; readonly encryptedSessionSigningKey: string };

/** A new session, with its private key sealed to the client. Throws `Rejected` where the proof does not hold. */
export async function signIn(deps: Deps, request: Request, found: CredentialOf): Promise<SignedIn> {
  const { commands, now, sessionMs } = deps;
  const { platformId, accountId, state, credential } = found;
  const { body, uuidFor, cause } = request;
  requireCredential(state, credential.id, body.type);
  const { proof, clientPublicKey } = await prove(deps, request, found);
  const { publicKey, encryptedSessionSigningKey } = await issueSessionKey(clientPublicKey);
  const at = now();
  const expiresAt = new Date(at.getTime() + sessionMs);
  const session = { sessionId: idOf('Session', uuidFor('session')), publicKey, expiresAt };
  const start = { type: 'StartSession', credentialId: credential.id, session, proof } as const;
  const command = { ...start, platformId, accountId, at };
  const { state: after } = await commands.run('wallet', uuidOf(accountId), command, cause);
  const issued = after.sessions.get(session.sessionId);
  invariant(issued, 'a session that was just issued is not there');
  return { session: issued, encryptedSessionSigningKey };
}

type Proven = { readonly proof: Proof; readonly clientPublicKey: string };

function prove(deps: Deps, request: Request, found: CredentialOf): Promise<Proven> {
  switch (found.credential.identity.type) {
    case 'EMAIL_OTP':
      return proveCode(deps, request, found);
    case 'OAUTH':
      return proveToken(deps, request, found);
    case 'PASSKEY':
      return provePasskey(deps, request, found);
  }
}

/** A wrong code is remembered, so that guessing ends. */
async function proveCode(
  deps: Deps,
  { body, principal, cause }: Request,
  { platformId, accountId, credential }: CredentialOf,
): Promise<Proven> {
  const [otp, clientPublicKey] = [required(body, 'otp'), required(body, 'clientPublicKey')];
  const at = deps.now();
  const codeId = credential.code?.codeId;
  requireLiveCode(credential, codeId, at);
  invariant(codeId, 'a live code without an id');
  if (await isCode(deps, principal, codeId, otp))
    return { proof: { type: 'EMAIL_OTP', codeId }, clientPublicKey };
  const refusal = { type: 'RefuseOneTimeCode', credentialId: credential.id, codeId } as const;
  await deps.commands.run('wallet', uuidOf(accountId), { ...refusal, platformId, accountId, at }, cause);
  throw unauthorized('The code is wrong. After five wrong ones ask for a new one.', 'Invalid OTP code');
}

async function proveToken(
  deps: Deps,
  { body, principal }: Request,
  { credential }: CredentialOf,
): Promise<Proven> {
  const oidcToken = required(body, 'oidcToken');
  const clientPublicKey = required(body, 'clientPublicKey');
  const identity = await identityOf(deps, principal.environment, oidcToken);
  requireIdentity(credential, identity);
  requireBound(deps, identity, clientPublicKey);
  const { issuer, audience, subject } = identity;
  return { proof: { type: 'OAUTH', issuer, audience, subject }, clientPublicKey };
}

async function provePasskey(
  deps: Deps,
  { body, signature }: Request,
  { credential: { identity, challenge: issued } }: CredentialOf,
): Promise<Proven> {
  invariant(identity.type === 'PASSKEY', 'an assertion for another type of credential');
  const assertion = required(body, 'assertion');
  if (signature.requestId === undefined) throw missingRequestId();
  if (!issued || issued.requestId !== signature.requestId || !isLive(issued, deps.now()))
    throw noLiveChallenge();
  const { requestId, challenge, clientPublicKey } = issued;
  const counter = await assertedCounter(deps, identity, challenge, assertion);
  return { proof: { type: 'PASSKEY', requestId, counter }, clientPublicKey };
}

function required<Field extends keyof Shown & string>(
  shown: Shown,
  field: Field,
): Exclude<Shown[Field], undefined> {
  const value = shown[field];
  if (value !== undefined) return value as Exclude<Shown[Field], undefined>;
  throw badField(field, 'is required for this type of credential');
}
