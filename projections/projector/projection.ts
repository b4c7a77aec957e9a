import type { FollowedEvent } from '../../src/domain/aggregates.ts';
import type { PlatformId } from '../../src/kernel/ids.ts';
import type { Database } from '../database.ts';
import type { Rows } from './rows.ts';

/** One read model: its tables and how events change them. It writes to no other table, so it can be rebuilt alone. */
export type Projection = {
  readonly name: string;
  readonly tables: readonly (keyof Database)[];
  /** What an event changes, given the state of its stream after it. Called for all events, in the order of the log. */
  readonly project: (event: FollowedEvent, rows: Rows) => void | Promise<void>;
  /** Forgets what it remembers of earlier events: they may not have been committed, or others may have come between. */
  readonly forget?: () => void;
  /** Tries again, in its place, what it has set aside: of that nothing was done, whatever was done of the rest of the log. */
  readonly again?: Projection;
};

/** The tenant of an event. */
export const platformOf = ({ metadata }: Pick<FollowedEvent, 'metadata'>): PlatformId =>
  metadata.platformId as PlatformId;
