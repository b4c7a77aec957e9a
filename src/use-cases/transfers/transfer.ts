/** A same-currency transfer between two accounts of the platform, found and checked. */
import type { KnownCustomer } from '../../domain/customers/customer.ts';
import type { TransferTerms } from '../../domain/payments/events.ts';
import type { OperatorLimits } from '../../domain/platforms/outflow-limits.ts';
import type { ActivePlatform } from '../../domain/platforms/platform.ts';
import { type Pair, type TransferRequest, termsOfTransfer } from '../../domain/transfers/terms.ts';
import {
  type CustomerId,
  type ExternalAccountId,
  type InternalAccountId,
  type PlatformId,
  uuidOf,
} from '../../kernel/ids.ts';
import type { Commands } from '../commands.ts';
import { loadCustomerIfAny } from '../find/customer.ts';
import { loadExternalAccount } from '../find/external-account.ts';
import { loadInternalAccount } from '../find/internal-account.ts';
import { loadPlatform } from '../find/platform.ts';
import { settled, together } from '../together.ts';

type Deps = {
  readonly commands: Commands;
  readonly operatorLimits: OperatorLimits;
  readonly now: () => Date;
};

/** Who is concerned besides, where it was known whose the account is. */
type Around = {
  readonly customerId: CustomerId | null;
  readonly owner: () => KnownCustomer | undefined;
  readonly platform: () => ActivePlatform;
};
/** The accounts of a transfer, and what was looked up beside them. */
export type FoundPair = Pair & { readonly around?: Around | undefined };

/**
 * Throws `Rejected` (404) for what is not there or not this platform's. Whose account it is does not change: where that
 * is known already, the owner and the platform are looked up at the same time.
 */
export async function findPair(
  commands: Commands,
  platformId: PlatformId,
  internalId: InternalAccountId,
  externalId: ExternalAccountId,
): Promise<FoundPair> {
  const known = commands.recall('account', uuidOf(internalId));
  const isOurs = known !== undefined && known.status !== 'none' && known.platformId === platformId;
  const [internal, external, around] = await together(
    loadInternalAccount(commands, platformId, internalId),
    loadExternalAccount(commands, platformId, externalId),
    isOurs ? lookAround(commands, platformId, known.customerId) : Promise.resolve(undefined),
  );
  return { internal, external, around };
}

async function lookAround(
  commands: Commands,
  platformId: PlatformId,
  customerId: CustomerId | null,
): Promise<Around> {
  const [owner, platform] = await Promise.all([
    settled(loadCustomerIfAny(commands, platformId, customerId)),
    settled(loadPlatform(commands, platformId)),
  ]);
  return { customerId, owner, platform };
}

/** What the transfer promises. Throws `Rejected` where the accounts, their owner or the amount do not allow it. */
export async function newTransfer(
  { commands, operatorLimits, now }: Deps,
  platformId: PlatformId,
  request: TransferRequest,
  { around, ...pair }: FoundPair,
): Promise<TransferTerms> {
  const { customerId } = pair.internal;
  const seen =
    around?.customerId === customerId ? around : await lookAround(commands, platformId, customerId);
  const [owner, platform] = [seen.owner(), seen.platform()];
  return termsOfTransfer(request, { ...pair, platform, owner, operatorLimits }, now());
}
