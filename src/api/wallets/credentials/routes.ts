import type { CredentialIdentity } from '../../../domain/wallets/events.ts';
import { requireTypeFree } from '../../../domain/wallets/rules.ts';
import { credentialOf } from '../../../domain/wallets/state.ts';
import { type CustomerId, idOf, uuidOf } from '../../../kernel/ids.ts';
import { badField } from '../../../kernel/rejected.ts';
import type { Commands } from '../../../use-cases/commands.ts';
import { findInternalAccount, loadInternalAccount } from '../../../use-cases/find/internal-account.ts';
import { type FindDeps, findCredential, walletOf } from '../../../use-cases/find/wallet.ts';
import {
  type CodeDeps,
  discarding,
  requireReachable,
  writeCode,
} from '../../../use-cases/wallets/codes/codes.ts';
import { identityOf, type ProofDeps, registeredPasskey } from '../../../use-cases/wallets/proofs.ts';
import { checkLeg, runLeg, runSigned, type WalletOf } from '../../../use-cases/wallets/signing.ts';
import { type Request, type Route, routeOn } from '../../operation.ts';
import { addCredential, listCredentials, revokeCredential } from '../operations.ts';
import { type AddCredentialRequest, renderCredential, renderSignatureChallenge } from '../render.ts';

export type CredentialDeps = FindDeps & CodeDeps & ProofDeps;
type AddRequest = Request<typeof addCredential>;

export function credentialRoutes(deps: CredentialDeps): readonly Route[] {
  const { commands } = deps;
  return [
    routeOn(
      listCredentials,
      ({ principal, query }) => findInternalAccount(commands, principal.platformId, query.accountId),
      async (_request, account) => {
        if (!account) return { status: 200, body: { data: [] } };
        const { credentials } = await commands.load('wallet', uuidOf(account.accountId));
        const data = [...credentials.values()].map((one) => renderCredential(one, account.accountId));
        return { status: 200, body: { data } };
      },
    ),

    routeOn(
      addCredential,
      ({ principal, body }) => loadInternalAccount(commands, principal.platformId, body.accountId),
      async (request, account) => {
        const wallet = await walletOf(commands, account, 'accountId');
        return add(deps, request, wallet, await withAddress(commands, request.body, account.customerId));
      },
    ),

    routeOn(
      revokeCredential,
      ({ principal, params }) => findCredential(deps, principal, params.id),
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

async function add(deps: CredentialDeps, request: AddRequest, wallet: WalletOf, body: AddCredentialRequest) {
  const { emails } = deps;
  const { principal, uuidFor } = request;
  const subject = { operation: 'addCredential', target: wallet.accountId, body } as const;
  const leg = checkLeg(deps, request, wallet, subject);
  const { nickname, identity } = await identify(deps, request, body, wallet);
  if (identity.type === 'EMAIL_OTP') requireReachable(emails, principal);
  // The mail of the code goes out on the signed retry, not on the first call.
  const isAddedNow = leg.request !== undefined || wallet.state.credentials.size === 0;
  const code =
    identity.type === 'EMAIL_OTP' && isAddedNow
      ? await writeCode(deps, principal, identity.email, uuidFor('code'))
      : undefined;
  const credentialId = idOf('AuthMethod', uuidFor('credential'));
  const command = { type: 'AddCredential', credential: { credentialId, nickname, identity }, code } as const;
  const outcome = await runLeg(deps, request, wallet, leg, command).catch(discarding(emails, code));
  if (outcome.challenge) {
    if (code) await emails.discard(code.codeId);
    return { status: 202, body: renderSignatureChallenge(outcome.challenge, body.type) };
  }
  return { status: 201, body: renderCredential(credentialOf(outcome.state, credentialId), wallet.accountId) };
}

/** The address is part of what is signed, also where it is the customer's. */
async function withAddress(
  commands: Commands,
  body: AddCredentialRequest,
  customerId: CustomerId | null,
): Promise<AddCredentialRequest> {
  if (body.type !== 'EMAIL_OTP' || body.email !== undefined) return body;
  const customer = customerId && (await commands.load('customer', uuidOf(customerId)));
  const email = customer && customer.status !== 'none' ? customer.email : undefined;
  if (email !== undefined) return { ...body, email };
  throw badField('email', 'is required, since the customer has no e-mail address');
}

type Identified = { readonly nickname: string; readonly identity: CredentialIdentity };

async function identify(
  deps: CredentialDeps,
  { principal }: AddRequest,
  body: AddCredentialRequest,
  { state }: WalletOf,
): Promise<Identified> {
  switch (body.type) {
    case 'EMAIL_OTP': {
      requireTypeFree(state, 'EMAIL_OTP');
      const { email = '' } = body;
      return { nickname: email, identity: { type: 'EMAIL_OTP', email } };
    }
    case 'OAUTH': {
      const { email, ...named } = await identityOf(deps, principal.environment, body.oidcToken);
      const { issuer, audience, subject } = named;
      return { nickname: email ?? subject, identity: { type: 'OAUTH', issuer, audience, subject } };
    }
    case 'PASSKEY':
      requireTypeFree(state, 'PASSKEY');
      return { nickname: body.nickname, identity: await registeredPasskey(deps, body) };
  }
}
