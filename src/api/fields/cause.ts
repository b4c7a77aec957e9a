/** What a platform is shown of who caused an event. */
import type { EventMetadata } from '../../kernel/aggregate.ts';

/** `isOwn` where a caller of the platform did: what runs by itself may have been begun by another platform's request. */
export function shownCause({ actor }: Pick<EventMetadata, 'actor'>): {
  readonly actor: string;
  readonly isOwn: boolean;
} {
  // Who of the operator's people it was is not the platform's to know.
  const shown = actor.startsWith('operator') ? 'operator' : actor;
  return { actor: shown, isOwn: /^(token|agent):/.test(actor) };
}
