import type { ReadDb } from '../../../../projections/database.ts';
import { isDefaultAccount, rowOfExternalAccount } from '../../../../projections/models/external-accounts.ts';
import { rowOfAccount } from '../../../../projections/models/internal-accounts.ts';
import { uuidOf } from '../../../kernel/ids.ts';
import { changeExternalStatus, changeFreezing } from '../../../use-cases/accounts/change-status.ts';
import type { Commands } from '../../../use-cases/commands.ts';
import { loadExternalAccount } from '../../../use-cases/find/external-account.ts';
import { loadInternalAccount } from '../../../use-cases/find/internal-account.ts';
import { renderInternalAccount } from '../../accounts/render.ts';
import { renderExternalAccount } from '../../external-accounts/render.ts';
import { type Route, routeOn } from '../../operation.ts';
import { setExternalAccountStatus, setInternalAccountStatus } from './operations.ts';

type Deps = { readonly commands: Commands; readonly readDb: ReadDb; readonly now: () => Date };

const byRequest = 'by a request of the sandbox';

export function sandboxAccountRoutes(deps: Deps): readonly Route[] {
  const { commands, readDb } = deps;
  return [
    routeOn(
      setInternalAccountStatus,
      ({ principal, params }) => loadInternalAccount(commands, principal.platformId, params.accountId),
      async ({ body: { status, reason = byRequest }, cause }, account) => {
        const changed = await changeFreezing(deps, account, { status, reason }, cause);
        const { privateEnabled } = await commands.load('wallet', uuidOf(account.accountId));
        return { status: 200, body: renderInternalAccount(rowOfAccount(changed, privateEnabled), 'sandbox') };
      },
    ),
    routeOn(
      setExternalAccountStatus,
      ({ principal, params }) =>
        loadExternalAccount(commands, principal.platformId, params.externalAccountId),
      async ({ body: { status, reason = byRequest }, cause }, { externalAccountId }) => {
        // Which of the owner's accounts is the default, other accounts have a say in.
        const isDefault = await isDefaultAccount(readDb, externalAccountId);
        const changed = await changeExternalStatus(deps, { externalAccountId }, { status, reason }, cause);
        const row = rowOfExternalAccount(changed);
        const default_uma_deposit_account = isDefault ?? row.default_uma_deposit_account;
        return { status: 200, body: renderExternalAccount({ ...row, default_uma_deposit_account }) };
      },
    ),
  ];
}
