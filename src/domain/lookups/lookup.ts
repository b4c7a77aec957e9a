/** What a receiver takes and asks for, as it was told to one sender; good for a quarter of an hour. */
import type { Decider } from '../../kernel/decider.ts';
import type { LookupEvent } from './events.ts';

export const lifetimeMs = 15 * 60_000;

export type LookupDetails = LookupEvent['data'];
export type LookupCommand = { readonly type: 'CreateLookup'; readonly details: LookupDetails };
export type Lookup = { readonly status: 'none' } | (LookupDetails & { readonly status: 'created' });

export const lookup: Decider<Lookup, LookupCommand, LookupEvent> = {
  initial: { status: 'none' },
  decide: ({ details }, state) => (state.status === 'none' ? [{ type: 'LookupCreated', data: details }] : []),
  evolve: (_state, event) => ({ ...event.data, status: 'created' }),
};

export const lookupExpiry = (at: Date): Date => new Date(at.getTime() + lifetimeMs);
