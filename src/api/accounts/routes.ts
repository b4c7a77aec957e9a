import type { ReadDb } from '../../../projections/database.ts';
import { listCustomerAccounts, listPlatformAccounts } from '../../../projections/models/internal-accounts.ts';
import { ledgerBalances } from '../../../projections/models/ledger.ts';
import { type Route, route } from '../operation.ts';
import { getTrialBalance, listCustomerInternalAccounts, listPlatformInternalAccounts } from './operations.ts';
import { renderAccountsPage, renderInternalAccount, renderTrialBalances } from './render.ts';

export function accountRoutes({ listDb }: { readonly listDb: ReadDb }): readonly Route[] {
  return [
    route(listCustomerInternalAccounts, async ({ principal, query }) => {
      const { limit, cursor, ...filters } = query;
      const page = await listCustomerAccounts(listDb, principal.platformId, filters, { limit, cursor });
      return { status: 200, body: renderAccountsPage(page, principal.environment) };
    }),

    route(listPlatformInternalAccounts, async ({ principal, query }) => {
      const { rows, asOf } = await listPlatformAccounts(listDb, principal.platformId, query);
      const data = rows.map((row) => renderInternalAccount(row, principal.environment));
      return { status: 200, body: { data, asOf: asOf.toString() } };
    }),

    route(getTrialBalance, async ({ principal }) => {
      const { rows, asOf } = await ledgerBalances(listDb, principal.platformId);
      return { status: 200, body: { data: renderTrialBalances(rows), asOf: asOf.toString() } };
    }),
  ];
}
