import { parseWith } from '../../../infrastructure/http/validation.ts';
import { type FindDeps, loadCredential } from '../../../use-cases/find/wallet.ts';
import type { CredentialDeps } from '../../../use-cases/wallets/credentials.ts';
import { challengePasskey, sendCode } from '../../../use-cases/wallets/sign-in/challenges.ts';
import { signIn } from '../../../use-cases/wallets/sign-in/sign-in.ts';
import { type Route, routeOn } from '../../operation.ts';
import { renderCredential, renderIssuedSession, renderPasskeyChallenge } from '../render.ts';
import { keyRequest } from '../requests.ts';
import { challengeCredential, verifyCredential } from './operations.ts';

type Deps = FindDeps & CredentialDeps & { readonly sessionMs: number };

export function signInRoutes(deps: Deps): readonly Route[] {
  return [
    routeOn(
      challengeCredential,
      ({ principal, params }) => loadCredential(deps, principal.platformId, params.id),
      async (request, found) => {
        const { credential, accountId } = found;
        const { type } = credential.identity;
        // A code is mailed whatever comes with the request.
        const sent = type === 'EMAIL_OTP' ? {} : request.body();
        if (type === 'PASSKEY') {
          const { clientPublicKey } = parseWith(keyRequest, sent);
          const challenge = await challengePasskey(deps, request, found, clientPublicKey);
          return { status: 200, body: renderPasskeyChallenge(credential, accountId, challenge) };
        }
        await sendCode(deps, request, found);
        return { status: 200, body: renderCredential(credential, accountId) };
      },
    ),
    routeOn(
      verifyCredential,
      ({ principal, params }) => loadCredential(deps, principal.platformId, params.id),
      async (request, found) => {
        const { session, encryptedSessionSigningKey } = await signIn(deps, request, found);
        const { credential, accountId } = found;
        const body = renderIssuedSession(session, credential, accountId, encryptedSessionSigningKey);
        return { status: 200, body };
      },
    ),
  ];
}
