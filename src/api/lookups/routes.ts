import { customerNotFound, type KnownCustomer } from '../../domain/customers/customer.ts';
import type { RequiredField } from '../../domain/lookups/payer-fields.ts';
import { currencyView } from '../../domain/money/currencies.ts';
import type { Rates } from '../../domain/money/rates.ts';
import { priceOfOne } from '../../domain/quotes/pricing.ts';
import { parsePaymentAddress, umaNotFound } from '../../domain/values/payment-address.ts';
import type { Cause } from '../../infrastructure/commands/dispatch.ts';
import { idOf, type PlatformId, uuidOf } from '../../kernel/ids.ts';
import { Rejected } from '../../kernel/rejected.ts';
import type { Principal } from '../../use-cases/caller.ts';
import type { Commands } from '../../use-cases/commands.ts';
import { loadExternalAccount } from '../../use-cases/find/external-account.ts';
import type { Receivers } from '../../use-cases/find/receivers.ts';
import { type Request, type Route, routeOn } from '../operation.ts';
import { lookUpAccount, lookUpAddress } from './operations.ts';

/** Completion 8: valid for 15 minutes. */
const lifetimeMs = 15 * 60_000;
const largestAmount = 9_000_000_000_000_000n;

type Deps = {
  readonly commands: Commands;
  readonly receivers: Receivers;
  readonly rates: Rates;
  readonly now: () => Date;
};
type Found = {
  readonly sender: KnownCustomer;
  readonly receiver: string;
  readonly currencies: readonly string[];
  readonly required: readonly RequiredField[];
};

export function lookupRoutes(deps: Deps): readonly Route[] {
  const { commands, receivers } = deps;
  return [
    routeOn(
      lookUpAddress,
      async ({ params, query, principal }): Promise<Found> => {
        const address = parsePaymentAddress(params.receiverUmaAddress);
        const sender = await findSender(deps, principal, query);
        const receiver = await receivers.find(address);
        if (!receiver) throw umaNotFound();
        return {
          sender,
          receiver: address,
          currencies: receiver.currencies,
          required: receiver.requiredPayerDataFields,
        };
      },
      async (request, found) => {
        const result = await createLookup(deps, request, found);
        return { status: 200, body: { receiverUmaAddress: found.receiver, ...result } };
      },
    ),
    routeOn(
      lookUpAccount,
      async ({ params, query, principal }): Promise<Found> => {
        const sender = await findSender(deps, principal, query);
        const { currency } = await loadExternalAccount(commands, principal.platformId, params.accountId);
        return { sender, receiver: params.accountId, currencies: [currency], required: [] };
      },
      async (request, found) => {
        const result = await createLookup(deps, request, found);
        return { status: 200, body: { accountId: found.receiver, ...result } };
      },
    ),
  ];
}

async function findSender(
  { commands, receivers }: Deps,
  { platformId }: Principal,
  { customerId, senderUmaAddress }: Request<typeof lookUpAddress>['query'],
): Promise<KnownCustomer> {
  if (!customerId && !senderUmaAddress) {
    const message = 'name the sender by customerId or by senderUmaAddress';
    const errors = ['customerId', 'senderUmaAddress'].map((field) => ({ field, message }));
    throw new Rejected('INVALID_INPUT', 'Name the sender by customerId or by senderUmaAddress.', { errors });
  }
  const sender = customerId
    ? await commands.load('customer', uuidOf(customerId))
    : await receivers.customerAt(parsePaymentAddress(senderUmaAddress ?? ''));
  if (sender?.status !== 'active' || sender.platformId !== platformId) throw customerNotFound();
  return sender;
}

type LookupRequest = {
  readonly principal: { readonly platformId: PlatformId };
  readonly cause: Cause;
  readonly uuidFor: (what: string) => string;
};

async function createLookup(
  { commands, rates, now }: Deps,
  { principal, cause, uuidFor }: LookupRequest,
  found: Found,
) {
  const uuid = uuidFor('lookup');
  const at = now();
  const { sender, receiver, currencies, required } = found;
  const details = {
    lookupId: idOf('Lookup', uuid),
    platformId: principal.platformId,
    customerId: sender.customerId,
    receiver,
    requiredPayerDataFields: [...required],
    currencies: [...currencies],
    expiresAt: new Date(at.getTime() + lifetimeMs),
    at,
  };
  await commands.run('lookup', uuid, { type: 'CreateLookup', details }, cause);
  const [from = 'USD'] = sender.currencies;
  return {
    lookupId: details.lookupId,
    supportedCurrencies: currencies.map((code) => ({
      currency: currencyView(code),
      estimatedExchangeRate: priceOfOne(rates.table, from, code),
      min: 1n,
      max: largestAmount,
    })),
    requiredPayerDataFields: required,
  };
}
