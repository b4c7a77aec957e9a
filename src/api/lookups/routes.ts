import type { Rates } from '../../domain/money/rates.ts';
import type { Attempt } from '../../use-cases/attempt.ts';
import type { Commands } from '../../use-cases/commands.ts';
import type { Receivers } from '../../use-cases/find/receivers.ts';
import {
  createLookup,
  type Found,
  findReceiverAccount,
  findReceiverAt,
} from '../../use-cases/lookups/look-up.ts';
import { type Route, routeOn } from '../operation.ts';
import { lookUpAccount, lookUpAddress } from './operations.ts';
import { renderLookup } from './render.ts';

type Deps = {
  readonly commands: Commands;
  readonly receivers: Receivers;
  readonly rates: Rates;
  readonly now: () => Date;
};

export function lookupRoutes(deps: Deps): readonly Route[] {
  const lookUp = async (found: Found, request: Attempt) => {
    const { lookup, offers } = await createLookup(deps, found, request);
    return renderLookup(lookup, offers);
  };
  return [
    routeOn(
      lookUpAddress,
      ({ params, query, principal }) =>
        findReceiverAt(deps, principal.platformId, params.receiverUmaAddress, query),
      async (request, found) => ({
        status: 200,
        body: { receiverUmaAddress: found.receiver, ...(await lookUp(found, request)) },
      }),
    ),
    routeOn(
      lookUpAccount,
      ({ params, query, principal }) =>
        findReceiverAccount(deps, principal.platformId, params.accountId, query),
      async (request, found) => ({
        status: 200,
        body: { accountId: found.receiver, ...(await lookUp(found, request)) },
      }),
    ),
  ];
}
