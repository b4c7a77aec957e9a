import type { EventMetadata } from '../../kernel/aggregate.ts';
import type { NewEvent } from './event-store.ts';

/** Asks for a right, and is never written. */
export const probe = (): NewEvent => ({
  id: '00000000-0000-4000-8000-000000000000',
  type: 'RightAsked',
  data: {},
  metadata: {} as EventMetadata,
});
