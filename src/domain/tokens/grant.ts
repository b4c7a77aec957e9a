import { Rejected } from '../../kernel/rejected.ts';
import { type Permission, permissions } from './permissions.ts';

/**
 * What a new token carries, each permission once. Throws `Rejected` with FORBIDDEN where `held` does not cover it:
 * VIEW is contained in the other two, and nothing else is contained in anything.
 */
export function grantedBy(held: readonly Permission[], asked: readonly Permission[]): readonly Permission[] {
  const lacking = asked.find((one) => one !== 'VIEW' && !held.includes(one));
  if (lacking) {
    throw new Rejected('FORBIDDEN', `The API token lacks the permission ${lacking}, so it cannot grant it.`, {
      requiredPermission: lacking,
    });
  }
  return permissions.filter((one) => asked.includes(one));
}
