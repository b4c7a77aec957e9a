import { rowOfAccount } from '../../../../projections/models/internal-accounts.ts';
import { loadInternalAccount } from '../../../use-cases/find/internal-account.ts';
import { type FindDeps, walletOf } from '../../../use-cases/find/wallet.ts';
import { sealTo } from '../../../use-cases/wallets/crypto/hpke.ts';
import type { RecoveryPhrases } from '../../../use-cases/wallets/phrases.ts';
import { runSigned } from '../../../use-cases/wallets/signing.ts';
import { renderInternalAccount } from '../../accounts/operations.ts';
import { type Route, routeOn } from '../../operation.ts';
import { exportWallet, updatePrivacy } from '../operations.ts';
import { renderSignatureChallenge } from '../render.ts';

type Deps = FindDeps & { readonly phrases: RecoveryPhrases };

export function walletAccountRoutes(deps: Deps): readonly Route[] {
  const { commands, phrases } = deps;
  return [
    routeOn(
      updatePrivacy,
      ({ principal, params }) => loadInternalAccount(commands, principal.platformId, params.id),
      async (request, account) => {
        const { body } = request;
        const { accountId, platformId } = account;
        const wallet = await walletOf(commands, account, 'id');
        const subject = { operation: 'updatePrivacy', target: accountId, body } as const;
        const command = { type: 'UpdatePrivacy', privateEnabled: body.privateEnabled } as const;
        const outcome = await runSigned(deps, request, wallet, subject, command);
        if (outcome.challenge) return { status: 202, body: renderSignatureChallenge(outcome.challenge) };
        const changedAt = outcome.events.at(-1)?.data.at ?? account.updatedAt;
        const changed = { ...account, updatedAt: changedAt };
        const row = rowOfAccount(platformId, changed, outcome.state.privateEnabled);
        return { status: 200, body: renderInternalAccount(row) };
      },
    ),

    routeOn(
      exportWallet,
      ({ principal, params }) => loadInternalAccount(commands, principal.platformId, params.id),
      async (request, account) => {
        const { body } = request;
        const { accountId: id } = account;
        const wallet = await walletOf(commands, account, 'id');
        const subject = { operation: 'exportWallet', target: id, body } as const;
        const outcome = await runSigned(deps, request, wallet, subject, { type: 'ExportWallet' });
        if (outcome.challenge) return { status: 202, body: renderSignatureChallenge(outcome.challenge) };
        const phrase = new TextEncoder().encode(await phrases.open(wallet));
        const encryptedWalletCredentials = await sealTo(body.clientPublicKey, phrase);
        return { status: 200, body: { id, encryptedWalletCredentials } };
      },
    ),
  ];
}
