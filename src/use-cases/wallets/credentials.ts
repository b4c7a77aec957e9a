/** What a caller shows becomes a credential of a wallet. */

import type { OpenAccount } from '../../domain/accounts/state.ts';
import type { CredentialIdentity } from '../../domain/wallets/events.ts';
import { requireTypeFree } from '../../domain/wallets/rules.ts';
import { type Credential, credentialOf, type SignatureRequest } from '../../domain/wallets/state.ts';
import { type CustomerId, type InternalAccountId, idOf, uuidOf } from '../../kernel/ids.ts';
import { badField } from '../../kernel/rejected.ts';
import type { Principal } from '../caller.ts';
import type { Commands } from '../commands.ts';
import { loadWalletOf } from '../find/wallet.ts';
import { type CodeDeps, discarding, requireReachable, writeCode } from './codes/codes.ts';
import { identityOf, type PasskeyRegistration, type ProofDeps, registeredPasskey } from './proofs.ts';
import { checkLeg, runLeg, type Signing, type WalletOf } from './signing.ts';

export type CredentialDeps = CodeDeps & ProofDeps;

/** As it was sent: all of it is signed. */
export type NewCredential = { readonly accountId: InternalAccountId } & (
  | { readonly type: 'EMAIL_OTP'; readonly email?: string | undefined }
  | { readonly type: 'OAUTH'; readonly oidcToken: string }
  | ({ readonly type: 'PASSKEY'; readonly nickname: string } & PasskeyRegistration)
);

type Request = Signing & { readonly principal: Principal };
type Outcome =
  | { readonly challenge: SignatureRequest }
  | { readonly challenge?: undefined; readonly credential: Credential };

/** The credential, or the challenge of the first leg. An e-mail credential has its code mailed at once. */
export async function addCredential(
  deps: CredentialDeps,
  request: Request,
  account: OpenAccount,
  asked: NewCredential,
): Promise<Outcome> {
  const { commands, emails } = deps;
  const { principal, uuidFor } = request;
  const wallet = await loadWalletOf(commands, account, 'accountId');
  const wanted = await withAddress(commands, asked, account.customerId);
  const subject = { operation: 'addCredential', target: wallet.accountId, body: wanted } as const;
  const retry = checkLeg(deps, request, wallet, subject);
  const { nickname, identity, lifetimeMs } = await identify(deps, principal, wanted, wallet);
  const leg = retry.request ? retry : checkLeg(deps, request, wallet, { ...subject, lifetimeMs });
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
  if (!outcome.challenge) return { credential: credentialOf(outcome.state, credentialId) };
  if (code) await emails.discard(code.codeId);
  return { challenge: outcome.challenge };
}

/** The address is part of what is signed, also where it is the customer's, who may have none. */
async function withAddress(
  commands: Commands,
  wanted: NewCredential,
  customerId: CustomerId | null,
): Promise<NewCredential> {
  if (wanted.type !== 'EMAIL_OTP' || wanted.email !== undefined) return wanted;
  const customer = customerId && (await commands.load('customer', uuidOf(customerId)));
  const email = customer && customer.status !== 'none' ? customer.email : undefined;
  return email === undefined ? wanted : { ...wanted, email };
}

type Identified = {
  readonly nickname: string;
  readonly identity: CredentialIdentity;
  /** How long what was shown is taken. */
  readonly lifetimeMs?: number;
};

async function identify(
  deps: CredentialDeps,
  { environment }: Principal,
  wanted: NewCredential,
  { state }: WalletOf,
): Promise<Identified> {
  switch (wanted.type) {
    case 'EMAIL_OTP': {
      requireTypeFree(state, 'EMAIL_OTP');
      const { email } = wanted;
      if (email === undefined)
        throw badField('email', 'is required, since the customer has no e-mail address');
      return { nickname: email, identity: { type: 'EMAIL_OTP', email } };
    }
    case 'OAUTH': {
      const { email, until, ...named } = await identityOf(deps, environment, wanted.oidcToken);
      const { issuer, audience, subject } = named;
      const lifetimeMs = until.getTime() - deps.installationNow().getTime();
      const identity = { type: 'OAUTH', issuer, audience, subject } as const;
      return { nickname: email ?? subject, identity, lifetimeMs };
    }
    case 'PASSKEY':
      requireTypeFree(state, 'PASSKEY');
      return { nickname: wanted.nickname, identity: await registeredPasskey(deps, wanted) };
  }
}
