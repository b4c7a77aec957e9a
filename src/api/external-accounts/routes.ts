import type { ReadDb } from '../../../projections/database.ts';
import {
  findExternalAccount,
  listExternalAccounts,
  type Owner,
  toRow,
} from '../../../projections/models/external-accounts.ts';
import { requireNotDeleted } from '../../domain/customers/customer.ts';
import { allowsCurrency, primaryIdentifier } from '../../domain/external-accounts/definitions.ts';
import { externalAccountNotFound } from '../../domain/external-accounts/external-account.ts';
import { unknownCurrencies } from '../../domain/money/currencies.ts';
import type { PaymentRail } from '../../domain/ports/payment-rail.ts';
import { externalAccountStream } from '../../domain/reservations/reservation.ts';
import type { Cause } from '../../infrastructure/commands/dispatch.ts';
import { type CustomerId, idOf, uuidOf } from '../../kernel/ids.ts';
import { Rejected } from '../../kernel/rejected.ts';
import type { Principal } from '../../use-cases/caller.ts';
import type { Commands } from '../../use-cases/commands.ts';
import { loadCustomer } from '../../use-cases/find/customer.ts';
import { loadExternalAccountOf } from '../../use-cases/find/external-account.ts';
import { renderPage } from '../fields/fields.ts';
import { type Request, type Route, route, routeOn } from '../operation.ts';
import * as api from './operations.ts';

export type ExternalAccountDeps = {
  readonly commands: Commands;
  readonly readDb: ReadDb;
  readonly now: () => Date;
  readonly rail: Pick<PaymentRail, 'checkName'>;
};
type ById = Request<typeof api.getCustomerExternalAccount>;

export function externalAccountRoutes(deps: ExternalAccountDeps): readonly Route[] {
  const { readDb } = deps;
  return [
    routeOn(
      api.createCustomerExternalAccount,
      async ({ body, principal }) =>
        body.customerId && (await loadCustomer(deps.commands, principal.platformId, body.customerId)),
      (request, customer) => {
        if (customer) requireNotDeleted(customer);
        const customerId = customer ? customer.customerId : null;
        return register(deps, request, { customerId, isDefault: request.body.defaultUmaDepositAccount });
      },
    ),
    route(api.createPlatformExternalAccount, (request) =>
      register(deps, request, { customerId: null, isDefault: false }),
    ),

    route(api.listCustomerExternalAccounts, async ({ principal, query: { limit, cursor, ...filters } }) => {
      const page = await listExternalAccounts(readDb, principal.platformId, 'customers', filters, {
        limit,
        cursor,
      });
      return { status: 200, body: renderPage(page, api.renderExternalAccount) };
    }),
    route(api.listPlatformExternalAccounts, async ({ principal, query: { limit, cursor, ...filters } }) => {
      const page = await listExternalAccounts(readDb, principal.platformId, 'platform', filters, {
        limit,
        cursor,
      });
      return { status: 200, body: renderPage(page, api.renderExternalAccount) };
    }),

    routeOn(api.getCustomerExternalAccount, find(readDb, 'customers'), async (_request, row) => ({
      status: 200,
      body: api.renderExternalAccount(row),
    })),
    routeOn(api.getPlatformExternalAccount, find(readDb, 'platform'), async (_request, row) => ({
      status: 200,
      body: api.renderExternalAccount(row),
    })),

    routeOn(
      api.deleteCustomerExternalAccount,
      ({ principal, params }) =>
        loadExternalAccountOf('customers', deps.commands, principal.platformId, params.externalAccountId),
      remove(deps),
    ),
    routeOn(
      api.deletePlatformExternalAccount,
      ({ principal, params }) =>
        loadExternalAccountOf('platform', deps.commands, principal.platformId, params.externalAccountId),
      remove(deps),
    ),
  ];
}

type Registration = { readonly customerId: CustomerId | null; readonly isDefault: boolean };
type RegisterRequest = {
  readonly body: api.PlatformExternalAccountRequest;
  readonly principal: Pick<Principal, 'platformId'>;
  readonly cause: Cause;
  readonly uuidFor: (what: string) => string;
};

/** Registers an account for a customer, or for the platform itself. */
export async function register(
  { commands, now, rail }: ExternalAccountDeps,
  { body, principal, cause, uuidFor }: RegisterRequest,
  { customerId, isDefault }: Registration,
) {
  const { currency, accountInfo, platformAccountId, ownershipType } = body;
  requireSuitable(currency, accountInfo.accountType);
  const verification = await rail.checkName(accountInfo);
  const { platformId } = principal;
  const at = now();
  const uuid = uuidFor('external-account');
  const externalAccountId = idOf('ExternalAccount', uuid);
  const owner = customerId ?? platformId;
  const reservation = externalAccountStream(
    platformId,
    owner,
    accountInfo.accountType,
    primaryIdentifier(accountInfo),
  );
  const taken = {
    code: 'CONFLICT',
    message: 'This account is registered for the same owner already.',
  } as const;
  await commands.run(
    'reservation',
    reservation,
    { type: 'ReserveName', holder: externalAccountId, at, taken },
    cause,
  );
  const details = {
    ...{
      platformId,
      externalAccountId,
      customerId,
      platformAccountId,
      currency,
      accountInfo,
      ownershipType,
      reservation,
    },
    defaultUmaDepositAccount: isDefault,
    status: 'ACTIVE' as const,
    verification,
    at,
  };
  await commands.run('externalAccount', uuid, { type: 'CreateExternalAccount', details }, cause);
  return { status: 201, body: api.renderExternalAccount(toRow(platformId, details)) };
}

function requireSuitable(currency: string, accountType: Parameters<typeof allowsCurrency>[0]): void {
  if (unknownCurrencies([currency]).length > 0) {
    throw new Rejected('INVALID_CURRENCY', `Not supported: ${currency}.`, { currencies: [currency] });
  }
  if (allowsCurrency(accountType, currency)) return;
  throw new Rejected('INVALID_CURRENCY', `A ${accountType} does not hold ${currency}.`, {
    currencies: [currency],
  });
}

const find =
  (readDb: ReadDb, owner: Owner) =>
  async ({ principal, params }: ById) => {
    const row = await findExternalAccount(readDb, principal.platformId, owner, params.externalAccountId);
    if (!row) throw externalAccountNotFound();
    return row;
  };

/** Deletes an account that was found to be there. */
export const remove =
  ({ commands, now }: Pick<ExternalAccountDeps, 'commands' | 'now'>) =>
  async ({ params, cause }: Pick<ById, 'params' | 'cause'>) => {
    const uuid = uuidOf(params.externalAccountId);
    await commands.run('externalAccount', uuid, { type: 'DeleteExternalAccount', at: now() }, cause);
    return { status: 204 };
  };
