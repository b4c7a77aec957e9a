import type { Session, SignatureRequest } from '../../domain/wallets/state.ts';
import { idOf } from '../../kernel/ids.ts';
import { invariant } from '../../kernel/invariant.ts';
import type { Commands } from '../commands.ts';
import type { SessionOf } from '../find/wallet.ts';
import { issueSessionKey } from './crypto/hpke.ts';
import { runSigned, type Signing } from './signing.ts';

type Deps = { readonly commands: Commands; readonly now: () => Date; readonly sessionMs: number };
type Request = Signing & { readonly body: { readonly clientPublicKey: string } };
type Outcome =
  | { readonly challenge: SignatureRequest }
  | {
      readonly challenge?: undefined;
      readonly session: Session;
      readonly encryptedSessionSigningKey: string;
    };

/** A further session of the same credential, or the challenge of the first leg, which makes no key yet. */
export async function refreshSession(
  deps: Deps,
  request: Request,
  { session, ...wallet }: SessionOf,
): Promise<Outcome> {
  const { body, signature, uuidFor } = request;
  const sessionId = idOf('Session', uuidFor('session'));
  const key = signature.stamp && (await issueSessionKey(body.clientPublicKey));
  const expiresAt = new Date(deps.now().getTime() + deps.sessionMs);
  const next = key ? { sessionId, publicKey: key.publicKey, expiresAt } : undefined;
  const subject = { operation: 'refreshSession', target: session.id, body } as const;
  const command = { type: 'RefreshSession', sessionId: session.id, session: next } as const;
  const outcome = await runSigned(deps, request, wallet, subject, command);
  if (outcome.challenge) return { challenge: outcome.challenge };
  const issued = outcome.state.sessions.get(sessionId);
  invariant(issued && key, 'a session that was just issued is not there');
  return { session: issued, encryptedSessionSigningKey: key.encryptedSessionSigningKey };
}
