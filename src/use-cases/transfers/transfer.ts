/** A same-currency transfer between two accounts of the platform, found and checked. */
import type { TransferTerms } from '../../domain/payments/events.ts';
import type { OperatorLimits } from '../../domain/platforms/outflow-limits.ts';
import { type Pair, type TransferRequest, termsOfTransfer } from '../../domain/transfers/terms.ts';
import type { ExternalAccountId, InternalAccountId, PlatformId } from '../../kernel/ids.ts';
import type { Commands } from '../commands.ts';
import { loadCustomerIfAny } from '../find/customer.ts';
import { loadExternalAccount } from '../find/external-account.ts';
import { loadInternalAccount } from '../find/internal-account.ts';
import { loadPlatform } from '../find/platform.ts';
import { together } from '../together.ts';

type Deps = {
  readonly commands: Commands;
  readonly operatorLimits: OperatorLimits;
  readonly now: () => Date;
};

/** Throws `Rejected` (404) for what is not there or not this platform's. */
export async function findPair(
  commands: Commands,
  platformId: PlatformId,
  internalId: InternalAccountId,
  externalId: ExternalAccountId,
): Promise<Pair> {
  const [internal, external] = await together(
    loadInternalAccount(commands, platformId, internalId),
    loadExternalAccount(commands, platformId, externalId),
  );
  return { internal, external };
}

/** What the transfer promises. Throws `Rejected` where the accounts, their owner or the amount do not allow it. */
export async function newTransfer(
  { commands, operatorLimits, now }: Deps,
  platformId: PlatformId,
  request: TransferRequest,
  pair: Pair,
): Promise<TransferTerms> {
  const [owner, platform] = await together(
    loadCustomerIfAny(commands, platformId, pair.internal.customerId),
    loadPlatform(commands, platformId),
  );
  return termsOfTransfer(request, { ...pair, platform, owner, operatorLimits }, now());
}
