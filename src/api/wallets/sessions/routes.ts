import { credentialOf, liveSessions } from '../../../domain/wallets/state.ts';
import { uuidOf } from '../../../kernel/ids.ts';
import { findInternalAccount } from '../../../use-cases/find/internal-account.ts';
import { type FindDeps, loadSession } from '../../../use-cases/find/wallet.ts';
import { refreshSession } from '../../../use-cases/wallets/sessions.ts';
import { runSigned } from '../../../use-cases/wallets/signing.ts';
import { type Route, routeOn } from '../../operation.ts';
import { renderIssuedSession, renderSession, renderSignatureChallenge } from '../render.ts';
import * as operations from './operations.ts';

type Deps = FindDeps & { readonly sessionMs: number };

export function sessionRoutes(deps: Deps): readonly Route[] {
  const { commands, now } = deps;
  return [
    routeOn(
      operations.listSessions,
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
      operations.revokeSession,
      ({ principal, params, signature }) =>
        loadSession(deps, principal.platformId, params.id, signature.requestId),
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
      operations.refreshSession,
      ({ principal, params, signature }) =>
        loadSession(deps, principal.platformId, params.id, signature.requestId),
      async (request, found) => {
        const outcome = await refreshSession(deps, request, found);
        if (outcome.challenge) return { status: 202, body: renderSignatureChallenge(outcome.challenge) };
        const { session, encryptedSessionSigningKey: sealed } = outcome;
        const credential = credentialOf(found.state, found.session.credentialId);
        return { status: 201, body: renderIssuedSession(session, credential, found.accountId, sealed) };
      },
    ),
  ];
}
