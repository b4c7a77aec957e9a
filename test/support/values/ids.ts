import type { Ids } from '../../../src/kernel/ids.ts';

/** The n-th of a fixed series of uuids: the same number gives the same uuid in every test. */
export const uuidNumber = (n: number): string =>
  `00000000-0000-7000-8000-${n.toString(16).padStart(12, '0')}`;

/** Ids that count up from `first`. */
export function sequentialIds(first = 1): Ids {
  let next = first;
  return { uuid: () => uuidNumber(next++) };
}

const nobodysUuid = '019a0000-0000-7000-8000-000000000000';

/** An id of this type, in the right form, that nothing has. */
export const idOfNobody = (type: string): string => `${type}:${nobodysUuid}`;
