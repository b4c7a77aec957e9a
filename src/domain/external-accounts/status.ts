import type { ExternalAccountStatus } from './events.ts';

/** What the status is changed to once somebody has looked at the account: PENDING is what it was until then. */
export const laterStatuses = [
  'ACTIVE',
  'UNDER_REVIEW',
  'INACTIVE',
] as const satisfies readonly ExternalAccountStatus[];
export type LaterStatus = (typeof laterStatuses)[number];
