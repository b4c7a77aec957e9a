import type { ReadDb } from '../../../projections/database.ts';
import {
  findExternalAccount,
  listExternalAccounts,
  type Owner,
} from '../../../projections/models/external-accounts.ts';
import { requireNotDeleted } from '../../domain/customers/customer.ts';
import {
  type ExternalAccountDetails,
  externalAccountNotFound,
} from '../../domain/external-accounts/external-account.ts';
import {
  type RegistrationDeps,
  registerExternalAccount,
  removeExternalAccount,
} from '../../use-cases/external-accounts/register.ts';
import { requireMayEndRules } from '../../use-cases/external-accounts/ruled.ts';
import { loadCustomer } from '../../use-cases/find/customer.ts';
import { loadExternalAccountOf } from '../../use-cases/find/external-account.ts';
import { renderPage } from '../fields/fields.ts';
import { found } from '../found.ts';
import { type Asked, type Request, type Route, route, routeOn } from '../operation.ts';
import * as operations from './operations.ts';
import { renderExternalAccount, renderRegistered } from './render.ts';

type Deps = RegistrationDeps & { readonly readDb: ReadDb; readonly listDb: ReadDb };
type ById = Asked<typeof operations.getCustomerExternalAccount>;
type Deletion = Request<typeof operations.deleteCustomerExternalAccount>;
type Listing = Request<typeof operations.listCustomerExternalAccounts>;

/** The same for customers' accounts and for the platform's own, each below a path of its own. */
export function externalAccountRoutes(deps: Deps): readonly Route[] {
  const { commands, readDb, listDb } = deps;
  const list =
    (owner: Owner) =>
    async ({ principal, query: { limit, cursor, ...filters } }: Listing) => {
      const request = { limit, cursor };
      const page = await listExternalAccounts(listDb, principal.platformId, owner, filters, request);
      return { status: 200, body: renderPage(page, renderExternalAccount) };
    };
  const find =
    (owner: Owner) =>
    async ({ principal, params: { externalAccountId } }: ById) => {
      const row = await findExternalAccount(readDb, principal.platformId, owner, externalAccountId);
      return found(row, externalAccountNotFound);
    };
  const load =
    (owner: Owner) =>
    ({ principal, params: { externalAccountId } }: ById) =>
      loadExternalAccountOf(owner, commands, principal.platformId, externalAccountId);
  const remove = async ({ principal, params, cause }: Deletion, account: ExternalAccountDetails) => {
    await requireMayEndRules(deps, account, principal);
    await removeExternalAccount(deps, params.externalAccountId, cause);
    return { status: 204 };
  };
  return [
    routeOn(
      operations.createCustomerExternalAccount,
      async ({ body, principal }) =>
        body.customerId && (await loadCustomer(commands, principal.platformId, body.customerId)),
      async (request, customer) => {
        const { body, principal } = request;
        if (customer) requireNotDeleted(customer);
        const asked = { ...body, customerId: body.customerId ?? null };
        const account = await registerExternalAccount(deps, principal.platformId, asked, request);
        return { status: 201, body: renderRegistered(account) };
      },
    ),
    route(operations.createPlatformExternalAccount, async (request) => {
      const { body, principal } = request;
      const asked = { ...body, customerId: null, defaultUmaDepositAccount: false };
      const account = await registerExternalAccount(deps, principal.platformId, asked, request);
      return { status: 201, body: renderRegistered(account) };
    }),

    route(operations.listCustomerExternalAccounts, list('customers')),
    route(operations.listPlatformExternalAccounts, list('platform')),

    routeOn(operations.getCustomerExternalAccount, find('customers'), async (_request, row) => ({
      status: 200,
      body: renderExternalAccount(row),
    })),
    routeOn(operations.getPlatformExternalAccount, find('platform'), async (_request, row) => ({
      status: 200,
      body: renderExternalAccount(row),
    })),

    routeOn(operations.deleteCustomerExternalAccount, load('customers'), remove),
    routeOn(operations.deletePlatformExternalAccount, load('platform'), remove),
  ];
}
