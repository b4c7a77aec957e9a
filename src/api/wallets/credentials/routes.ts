import { uuidOf } from '../../../kernel/ids.ts';
import { findInternalAccount, loadInternalAccount } from '../../../use-cases/find/internal-account.ts';
import { type FindDeps, loadCredential } from '../../../use-cases/find/wallet.ts';
import { addCredential, type CredentialDeps } from '../../../use-cases/wallets/credentials.ts';
import { runSigned } from '../../../use-cases/wallets/signing.ts';
import { type Route, routeOn } from '../../operation.ts';
import { renderCredential, renderSignatureChallenge } from '../render.ts';
import * as operations from './operations.ts';

export function credentialRoutes(deps: FindDeps & CredentialDeps): readonly Route[] {
  const { commands } = deps;
  return [
    routeOn(
      operations.listCredentials,
      ({ principal, query }) => findInternalAccount(commands, principal.platformId, query.accountId),
      async (_request, account) => {
        if (!account) return { status: 200, body: { data: [] } };
        const { credentials } = await commands.load('wallet', uuidOf(account.accountId));
        const data = [...credentials.values()].map((one) => renderCredential(one, account.accountId));
        return { status: 200, body: { data } };
      },
    ),
    routeOn(
      operations.addCredential,
      ({ principal, body }) => loadInternalAccount(commands, principal.platformId, body.accountId),
      async (request, account) => {
        const { body } = request;
        const outcome = await addCredential(deps, request, account, body);
        if (outcome.challenge)
          return { status: 202, body: renderSignatureChallenge(outcome.challenge, body.type) };
        return { status: 201, body: renderCredential(outcome.credential, account.accountId) };
      },
    ),
    routeOn(
      operations.revokeCredential,
      ({ principal, params, signature }) =>
        loadCredential(deps, principal.platformId, params.id, signature.requestId),
      async (request, { credential, ...wallet }) => {
        const subject = { operation: 'revokeCredential', target: credential.id, body: {} } as const;
        const command = { type: 'RevokeCredential', credentialId: credential.id } as const;
        const { challenge } = await runSigned(deps, request, wallet, subject, command);
        if (!challenge) return { status: 204 };
        return { status: 202, body: renderSignatureChallenge(challenge, credential.identity.type) };
      },
    ),
  ];
}
