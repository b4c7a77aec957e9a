/** What an agent may name: its own customer and that customer's accounts. Others are not there for it. */

import { internalAccountNotFound } from '../../../domain/accounts/account.ts';
import { customerNotFound } from '../../../domain/customers/customer.ts';
import { externalAccountNotFound } from '../../../domain/external-accounts/external-account.ts';
import type { QuoteParties } from '../../../domain/payments/parties/parties.ts';
import type { QuoteRequest } from '../../../domain/quotes/quote-request.ts';
import type { TransferParties } from '../../../domain/transfers/terms.ts';
import type { CustomerId, ExternalAccountId, InternalAccountId } from '../../../kernel/ids.ts';
import type { AgentPrincipal } from '../../caller.ts';
import type { Commands } from '../../commands.ts';
import { findParties } from '../../find/parties.ts';
import type { Payees } from '../../find/payees.ts';
import type { Receivers } from '../../find/receivers.ts';
import { findPair } from '../../transfers/transfer.ts';

type Deps = {
  readonly commands: Commands;
  readonly receivers: Receivers;
  readonly payees: Payees;
  readonly now: () => Date;
};

/** Throws `Rejected` (404) for what is not there or not the customer's. */
export async function findOwnParties(
  deps: Deps,
  { platformId, customerId }: AgentPrincipal,
  { source, ...request }: QuoteRequest,
): Promise<QuoteParties> {
  if (source.customerId !== undefined && source.customerId !== customerId) throw customerNotFound();
  const parties = await findParties(deps, platformId, { ...request, source: { ...source, customerId } });
  requireOwn(parties.source, customerId);
  requireOwn(parties.destination, customerId);
  return parties;
}

/** Throws `Rejected` (404) for what is not there or not the customer's. */
export async function findOwnPair(
  commands: Commands,
  { platformId, customerId }: AgentPrincipal,
  internalId: InternalAccountId,
  externalId: ExternalAccountId,
): Promise<TransferParties> {
  const pair = await findPair(commands, platformId, internalId, externalId);
  requireOwn({ kind: 'INTERNAL', account: pair.internal }, customerId);
  requireOwn({ kind: 'EXTERNAL', account: pair.external }, customerId);
  return pair;
}

function requireOwn(end: QuoteParties['source'] | QuoteParties['destination'], customerId: CustomerId): void {
  if (end.kind === 'INTERNAL' && end.account.customerId !== customerId) throw internalAccountNotFound();
  if (end.kind === 'EXTERNAL' && end.account.customerId !== customerId) throw externalAccountNotFound();
}
