import { rowOfAccount } from '../../../../projections/models/internal-accounts.ts';
import type { Commands } from '../../../use-cases/commands.ts';
import { loadInternalAccount } from '../../../use-cases/find/internal-account.ts';
import { changePrivacy, exportWallet } from '../../../use-cases/wallets/account.ts';
import type { RecoveryPhrases } from '../../../use-cases/wallets/phrases.ts';
import { renderInternalAccount } from '../../accounts/render.ts';
import { type Route, routeOn } from '../../operation.ts';
import { renderSignatureChallenge } from '../render.ts';
import * as operations from './operations.ts';

type Deps = { readonly commands: Commands; readonly phrases: RecoveryPhrases; readonly now: () => Date };

export function walletAccountRoutes(deps: Deps): readonly Route[] {
  const { commands } = deps;
  return [
    routeOn(
      operations.updatePrivacy,
      ({ principal, params }) => loadInternalAccount(commands, principal.platformId, params.id),
      async (request, found) => {
        const outcome = await changePrivacy(deps, request, found);
        if (outcome.challenge) return { status: 202, body: renderSignatureChallenge(outcome.challenge) };
        const { account, privateEnabled } = outcome;
        const row = rowOfAccount(account, privateEnabled);
        return { status: 200, body: renderInternalAccount(row, request.principal.environment) };
      },
    ),
    routeOn(
      operations.exportWallet,
      ({ principal, params }) => loadInternalAccount(commands, principal.platformId, params.id),
      async (request, account) => {
        const outcome = await exportWallet(deps, request, account);
        if (outcome.challenge) return { status: 202, body: renderSignatureChallenge(outcome.challenge) };
        const { encryptedWalletCredentials } = outcome;
        return { status: 200, body: { id: account.accountId, encryptedWalletCredentials } };
      },
    ),
  ];
}
