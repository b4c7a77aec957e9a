import type { Proof } from '../../../domain/wallets/commands.ts';
import {
  noLiveChallenge,
  requireCredential,
  requireIdentity,
  requireLiveCode,
} from '../../../domain/wallets/rules.ts';
import { isLive } from '../../../domain/wallets/state.ts';
import { parseWith } from '../../../infrastructure/http/validation.ts';
import { idOf, newSecret, uuidOf } from '../../../kernel/ids.ts';
import { invariant } from '../../../kernel/invariant.ts';
import { badField, Rejected, unauthorized } from '../../../kernel/rejected.ts';
import { type CredentialOf, findCredential } from '../../../use-cases/find/wallet.ts';
import { discarding, isCode, writeCode } from '../../../use-cases/wallets/codes/codes.ts';
import { issueSessionKey } from '../../../use-cases/wallets/crypto/hpke.ts';
import { assertedCounter, identityOf, requireBound } from '../../../use-cases/wallets/proofs.ts';
import { missingRequestId } from '../../../use-cases/wallets/signing.ts';
import { type Request, type Route, routeOn } from '../../operation.ts';
import type { CredentialDeps } from '../credentials/routes.ts';
import { challengeCredential, verifyCredential } from '../operations.ts';
import { keyRequest, renderCredential, renderPasskeyChallenge, renderSession } from '../render.ts';

const challengeLifetimeMs = 300_000;

type Deps = CredentialDeps & { readonly sessionMs: number };
type ChallengeRequest = Request<typeof challengeCredential>;
type VerifyRequest = Request<typeof verifyCredential>;

export function signInRoutes(deps: Deps): readonly Route[] {
  return [
    routeOn(
      challengeCredential,
      ({ principal, params }) => findCredential(deps, principal, params.id),
      async (request, found) => ({ status: 200, body: await challenge(deps, request, found) }),
    ),
    routeOn(
      verifyCredential,
      ({ principal, params }) => findCredential(deps, principal, params.id),
      async (request, found) => ({ status: 200, body: await verify(deps, request, found) }),
    ),
  ];
}

function challenge(deps: Deps, request: ChallengeRequest, found: CredentialOf) {
  switch (found.credential.identity.type) {
    case 'EMAIL_OTP':
      return sendCode(deps, request, found, found.credential.identity.email);
    case 'PASSKEY':
      return challengePasskey(deps, request, found);
    case 'OAUTH':
      throw new Rejected('INVALID_INPUT', 'An OAUTH credential needs no challenge: verify a fresh token.');
  }
}

async function sendCode(deps: Deps, request: ChallengeRequest, found: CredentialOf, email: string) {
  const { commands, emails, now } = deps;
  const { principal, uuidFor, cause } = request;
  const { platformId, accountId, credential } = found;
  const code = await writeCode(deps, principal, email, uuidFor('code'));
  const command = { type: 'IssueOneTimeCode', credentialId: credential.id, email, code } as const;
  const complete = { ...command, platformId, accountId, at: now() };
  await commands.run('wallet', uuidOf(accountId), complete, cause).catch(discarding(emails, code));
  return renderCredential(credential, accountId);
}

async function challengePasskey(
  { commands, now }: Deps,
  { body, uuidFor, cause }: ChallengeRequest,
  { platformId, accountId, credential }: CredentialOf,
) {
  const { clientPublicKey } = parseWith(keyRequest, body);
  const at = now();
  const issued = {
    requestId: idOf('Request', uuidFor('passkey-challenge')),
    challenge: newSecret(),
    clientPublicKey,
    expiresAt: new Date(at.getTime() + challengeLifetimeMs),
  };
  const command = { type: 'IssuePasskeyChallenge', credentialId: credential.id, ...issued } as const;
  await commands.run('wallet', uuidOf(accountId), { ...command, platformId, accountId, at }, cause);
  return renderPasskeyChallenge(credential, accountId, issued);
}

async function verify(deps: Deps, request: VerifyRequest, found: CredentialOf) {
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
  return renderSession(issued, credential, accountId, encryptedSessionSigningKey);
}

type Proven = { readonly proof: Proof; readonly clientPublicKey: string };

function prove(deps: Deps, request: VerifyRequest, found: CredentialOf): Promise<Proven> {
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
  { body, principal, cause }: VerifyRequest,
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
  { body, principal }: VerifyRequest,
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
  { body, signature }: VerifyRequest,
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

/** Which fields a body needs depends on the credential's type. */
function required<Body extends object, Field extends keyof Body & string>(
  body: Body,
  field: Field,
): Exclude<Body[Field], undefined> {
  const value = body[field];
  if (value !== undefined) return value as Exclude<Body[Field], undefined>;
  throw badField(field, 'is required for this type of credential');
}
