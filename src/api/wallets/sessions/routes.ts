import { credentialOf, liveSessions } from '../../../domain/wallets/state.ts';
import { idOf, uuidOf } from '../../../kernel/ids.ts';
import { invariant } from '../../../kernel/invariant.ts';
import { findInternalAccount } from '../../../use-cases/find/internal-account.ts';
import { type FindDeps, findSession } from '../../../use-cases/find/wallet.ts';
import { issueSessionKey } from '../../../use-cases/wallets/crypto/hpke.ts';
import { runSigned } from '../../../use-cases/wallets/signing.ts';
import { type Route, routeOn } from '../../operation.ts';
import { listSessions, refreshSession, revokeSession } from '../operations.ts';
import { renderSession, renderSignatureChallenge } from '../render.ts';

type Deps = FindDeps & { readonly sessionMs: number };

export function sessionRoutes(deps: Deps): readonly Route[] {
  const { commands, now, sessionMs } = deps;
  return [
    routeOn(
      listSessions,
      ({ principal, query }) => findInternalAccount(commands, principal.platformId, query.accountId),
      async (_request, account) => {
        if (!account) return { status: 200, body: { data: [] } };
        const { accountId } = account;
        const wallet = await commands.load('wallet', uuidOf(accountId));
        const data = liveSessions(wallet, now()).map((one) =>
          renderSession(one, credentialOf(wallet, one.credentialId), accountId),
        );
        return { status: 200, body: { data } };
      },
    ),

    routeOn(
      revokeSession,
      ({ principal, params }) => findSession(deps, principal, params.id),
      async (request, { session, ...wallet }) => {
        const subject = { operation: 'revokeSession', target: session.id, body: {} } as const;
        const command = { type: 'RevokeSession', sessionId: session.id } as const;
        const { challenge } = await runSigned(deps, request, wallet, subject, command);
        if (!challenge) return { status: 204 };
        const { identity } = credentialOf(wallet.state, session.credentialId);
        return { status: 202, body: renderSignatureChallenge(challenge, identity.type) };
      },
    ),

    routeOn(
      refreshSession,
      ({ principal, params }) => findSession(deps, principal, params.id),
      async (request, { session, ...wallet }) => {
        const { body, signature, uuidFor } = request;
        const { accountId, state } = wallet;
        const sessionId = idOf('Session', uuidFor('session'));
        const key = signature.stamp && (await issueSessionKey(body.clientPublicKey));
        const expiresAt = new Date(now().getTime() + sessionMs);
        const next = key ? { sessionId, publicKey: key.publicKey, expiresAt } : undefined;
        const subject = { operation: 'refreshSession', target: session.id, body } as const;
        const command = { type: 'RefreshSession', sessionId: session.id, session: next } as const;
        const outcome = await runSigned(deps, request, wallet, subject, command);
        if (outcome.challenge) return { status: 202, body: renderSignatureChallenge(outcome.challenge) };
        const issued = outcome.state.sessions.get(sessionId);
        invariant(issued && key, 'a session that was just issued is not there');
        const credential = credentialOf(state, session.credentialId);
        const sealed = key.encryptedSessionSigningKey;
        return { status: 201, body: renderSession(issued, credential, accountId, sealed) };
      },
    ),
  ];
}
