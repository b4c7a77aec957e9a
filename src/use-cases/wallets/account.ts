/** What the account of a wallet is asked for besides payments. */

import type { OpenAccount } from '../../domain/accounts/state.ts';
import type { SignatureRequest } from '../../domain/wallets/state.ts';
import type { Commands } from '../commands.ts';
import { loadWalletOf } from '../find/wallet.ts';
import { sealTo } from './crypto/hpke.ts';
import type { RecoveryPhrases } from './phrases.ts';
import { runSigned, type Signing } from './signing.ts';

type Deps = { readonly commands: Commands; readonly now: () => Date };
type Challenge = { readonly challenge: SignatureRequest };
type Changed = {
  readonly challenge?: undefined;
  readonly account: OpenAccount;
  readonly privateEnabled: boolean;
};
type Exported = { readonly challenge?: undefined; readonly encryptedWalletCredentials: string };

export async function changePrivacy(
  deps: Deps,
  request: Signing & { readonly body: { readonly privateEnabled: boolean } },
  account: OpenAccount,
): Promise<Challenge | Changed> {
  const { body } = request;
  const { privateEnabled } = body;
  const wallet = await loadWalletOf(deps.commands, account, 'id');
  const subject = { operation: 'updatePrivacy', target: account.accountId, body } as const;
  const command = { type: 'UpdatePrivacy', privateEnabled } as const;
  const outcome = await runSigned(deps, request, wallet, subject, command);
  if (outcome.challenge) return { challenge: outcome.challenge };
  const updatedAt = outcome.events.at(-1)?.data.at ?? account.updatedAt;
  return { account: { ...account, updatedAt }, privateEnabled: outcome.state.privateEnabled };
}

/** The recovery phrase, sealed to the client's key. */
export async function exportWallet(
  deps: Deps & { readonly phrases: RecoveryPhrases },
  request: Signing & { readonly body: { readonly clientPublicKey: string } },
  account: OpenAccount,
): Promise<Challenge | Exported> {
  const { body } = request;
  const wallet = await loadWalletOf(deps.commands, account, 'id');
  const subject = { operation: 'exportWallet', target: account.accountId, body } as const;
  const outcome = await runSigned(deps, request, wallet, subject, { type: 'ExportWallet' });
  if (outcome.challenge) return { challenge: outcome.challenge };
  const phrase = new TextEncoder().encode(await deps.phrases.open(wallet));
  return { encryptedWalletCredentials: await sealTo(body.clientPublicKey, phrase) };
}
