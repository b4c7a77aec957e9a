import { isStoreAway } from '../../src/infrastructure/postgres/away.ts';
import { TermOver } from '../kept/checkpoints.ts';
import { CheckpointMoved } from './batch.ts';

/** Postgres' classes of errors that are about the data of a statement: exceptions, broken constraints, limits, triggers. */
const aboutData = /^(2[123]|54|P0)/;

/** Whether it is the event that an error is about, and not a store, or who keeps the read models up to date. */
export function isOfEvent(error: unknown): boolean {
  if (!(error instanceof Error) || isStoreAway(error)) return false;
  if (error instanceof CheckpointMoved || error instanceof TermOver) return false;
  return !('code' in error) || aboutData.test(String(error.code));
}
