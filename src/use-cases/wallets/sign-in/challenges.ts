/** What a caller asks for before it can prove a credential: a code by mail, or a passkey challenge. */

import { challengeLifetimeMs, type PasskeyChallenge } from '../../../domain/wallets/state.ts';
import { idOf, newSecret, uuidOf } from '../../../kernel/ids.ts';
import { Rejected } from '../../../kernel/rejected.ts';
import type { Attempt } from '../../attempt.ts';
import type { Principal } from '../../caller.ts';
import type { Commands } from '../../commands.ts';
import type { CredentialOf } from '../../find/wallet.ts';
import { type CodeDeps, discarding, writeCode } from '../codes/codes.ts';

type Request = Attempt & { readonly principal: Principal };

/** Mails a new code, which voids the one before. Throws `Rejected` (400) for a credential without codes. */
export async function sendCode(
  deps: CodeDeps,
  { principal, uuidFor, cause }: Request,
  { platformId, accountId, credential: { id: credentialId, identity } }: CredentialOf,
): Promise<void> {
  if (identity.type !== 'EMAIL_OTP')
    throw new Rejected('INVALID_INPUT', 'An OAUTH credential needs no challenge: verify a fresh token.');
  const { commands, emails, now } = deps;
  const { email } = identity;
  const code = await writeCode(deps, principal, email, uuidFor('code'));
  const command = {
    type: 'IssueOneTimeCode',
    platformId,
    accountId,
    credentialId,
    email,
    code,
    at: now(),
  } as const;
  await commands.run('wallet', uuidOf(accountId), command, cause).catch(discarding(emails, code));
}

/** A challenge for an assertion, bound to the client's key. */
export async function challengePasskey(
  { commands, now }: { readonly commands: Commands; readonly now: () => Date },
  { uuidFor, cause }: Attempt,
  { platformId, accountId, credential }: CredentialOf,
  clientPublicKey: string,
): Promise<PasskeyChallenge> {
  const at = now();
  const issued = {
    requestId: idOf('Request', uuidFor('passkey-challenge')),
    challenge: newSecret(),
    clientPublicKey,
    expiresAt: new Date(at.getTime() + challengeLifetimeMs),
  };
  const command = { type: 'IssuePasskeyChallenge', credentialId: credential.id, ...issued } as const;
  await commands.run('wallet', uuidOf(accountId), { ...command, platformId, accountId, at }, cause);
  return issued;
}
