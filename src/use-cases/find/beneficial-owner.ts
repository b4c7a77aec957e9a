import { type KnownOwner, ownerNotFound } from '../../domain/verification/owner.ts';
import { type BeneficialOwnerId, type PlatformId, uuidOf } from '../../kernel/ids.ts';
import type { Commands } from '../commands.ts';

/** Throws `Rejected` (404) for an owner who is not there or not this platform's. */
export async function loadBeneficialOwner(
  commands: Commands,
  platformId: PlatformId,
  id: BeneficialOwnerId,
): Promise<KnownOwner> {
  const owner = await commands.load('beneficialOwner', uuidOf(id));
  if (owner.status === 'none' || owner.platformId !== platformId) throw ownerNotFound();
  return owner;
}
