import type { Aggregates } from '../domain/aggregates.ts';
import type { Dispatcher } from '../infrastructure/commands/dispatch.ts';

/** Runs and loads every kind of stream there is. */
export type Commands = Dispatcher<Aggregates>;
