/** A same-currency transfer between two accounts of the platform, found and checked. */
import type { TransferTerms } from '../../domain/payments/events.ts';
import type { OperatorLimits } from '../../domain/platforms/outflow-limits.ts';
import { type TransferParties, type TransferRequest, termsOfTransfer } from '../../domain/transfers/terms.ts';
import type { ExternalAccountId, InternalAccountId, PlatformId } from '../../kernel/ids.ts';
import type { Commands } from '../commands.ts';
import { loadOwner } from '../find/account-owner.ts';
import { loadExternalAccount } from '../find/external-account.ts';
import { loadInternalAccount } from '../find/internal-account.ts';
import { loadPlatform } from '../find/platform.ts';
import { together } from '../together.ts';

type Deps = { readonly operatorLimits: OperatorLimits; readonly now: () => Date };

/** The accounts and whom they concern. Throws `Rejected` (404) for what is not there or not this platform's. */
export async function findPair(
  commands: Commands,
  platformId: PlatformId,
  internalId: InternalAccountId,
  externalId: ExternalAccountId,
): Promise<TransferParties> {
  const found = loadInternalAccount(commands, platformId, internalId);
  const [internal, external, owner, platform] = await together(
    found,
    loadExternalAccount(commands, platformId, externalId),
    loadOwner(commands, platformId, internalId, async () => (await found).customerId),
    loadPlatform(commands, platformId),
  );
  return { internal, external, owner, platform };
}

/** What the transfer promises. Throws `Rejected` where the accounts, their owner or the amount do not allow it. */
export const newTransfer = (
  { operatorLimits, now }: Deps,
  request: TransferRequest,
  parties: TransferParties,
): TransferTerms => termsOfTransfer(request, parties, operatorLimits, now());
