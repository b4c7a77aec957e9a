import type { EventMetadata } from '../../kernel/aggregate.ts';
import type { NewEvent } from './event-store.ts';

/** What the service does with the log, each of which a user may be forbidden. */
export type Right = 'append' | 'read' | 'subscribe';

/** No stream has this revision: an append after it is refused, and was permitted. */
export const revisionOfNone = Number.MAX_SAFE_INTEGER;

/** Asks for a right, and is never written. */
export const probe = (): NewEvent => ({
  id: '00000000-0000-4000-8000-000000000000',
  type: 'RightAsked',
  data: {},
  metadata: {} as EventMetadata,
});

/** Those of the rights that are denied when each is tried. Throws what an attempt fails with otherwise. */
export async function deniedOf(
  rights: readonly Right[],
  attempt: (right: Right) => Promise<unknown>,
  isDenied: (error: unknown) => boolean,
): Promise<readonly Right[]> {
  const isForbidden = (right: Right) =>
    attempt(right).then(
      () => false,
      (error) => {
        if (isDenied(error)) return true;
        throw error;
      },
    );
  const forbidden = await Promise.all(rights.map(isForbidden));
  return rights.filter((_right, n) => forbidden[n]);
}
