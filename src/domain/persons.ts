/** About whom an event is: by whose keys its personal texts are sealed. */

import type { EventIn } from '../kernel/aggregate.ts';
import type { Aggregates } from './aggregates.ts';

type AnyEvent = EventIn<Aggregates[keyof Aggregates]>;

type Mentions = {
  readonly customerId?: unknown;
  readonly recipient?: { readonly customerId?: unknown };
  readonly payee?: { readonly customerId?: unknown };
  readonly destination?: { readonly kind?: unknown; readonly accountId?: unknown };
  readonly destinationOwner?: unknown;
  readonly quoteId?: unknown;
  readonly route?: { readonly customerId?: unknown };
  readonly origin?: { readonly transactionId?: unknown };
  readonly documentHolder?: unknown;
  readonly accountId?: unknown;
  readonly terms?: Mentions & { readonly quote?: Mentions; readonly incoming?: Mentions };
  /** The payment that an entry, or an agent's action, begins. */
  readonly opens?: { readonly terms?: Mentions };
  readonly operation?: { readonly creates?: Mentions };
  readonly details?: Mentions;
};

const ids = (...all: readonly unknown[]): readonly string[] => all.filter((one) => typeof one === 'string');

/**
 * The customer whose object it is, and, of a payment between two customers, the other one, who is known by the payment on
 * the other side where nothing else names them. Of an object that names no customer the holder of a document, or the
 * account of a wallet. Nobody where it is the platform's own. `named` are those whom it names by an address alone.
 */
export function personsOf(event: AnyEvent, state: unknown, named: readonly string[] = []): readonly string[] {
  const data = event.data as Mentions;
  const of = (state ?? {}) as Mentions;
  const { terms = {}, details = {} } = of;
  const [own] = ids(data.customerId, of.customerId, terms.customerId, details.customerId);
  const holder = own ?? ids(data.documentHolder, details.documentHolder, of.documentHolder)[0];
  const wallet = 'credentialId' in data ? ids(data.accountId)[0] : undefined;
  const others = ids(
    ...[data, of, terms.quote, terms.incoming, data.opens?.terms, data.operation?.creates].flatMap(
      ({ recipient, payee, destinationOwner, route, origin }: Mentions = {}) => [
        recipient?.customerId,
        payee?.customerId,
        destinationOwner,
        route?.customerId,
        origin?.transactionId,
      ],
    ),
  );
  return [...new Set([...ids(holder ?? wallet), ...others, ...named])];
}

/**
 * The external account that a quote pays, in the stored form, where nothing says whose it is: former versions have sealed what
 * they say of its owner for who pays alone.
 */
export function accountPaidIn({ data }: { readonly data: Mentions }): readonly string[] {
  const { opens, operation } = data;
  const quote = [data, opens?.terms, operation?.creates].find((one) => one?.quoteId && one.destination);
  return quote?.destination?.kind === 'EXTERNAL' && quote.destinationOwner === undefined
    ? ids(quote.destination.accountId)
    : [];
}

/** The payment address of somebody whom the event names by it alone. */
export const addressIn = (event: AnyEvent): string | undefined =>
  event.type === 'InvitationClaimed' ? event.data.inviteeUma : undefined;

/** Whoever has the name that is reserved in this stream, where no customer is known to have it. */
export const personOfName = (reservation: string): string => `Name:${reservation}`;
