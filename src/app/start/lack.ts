/** What the database lacks, what of it is damaged, or that a server has gone away, in words for who runs it. */
import { StoreAway } from '../../infrastructure/away.ts';
import { isOfDamage, isStoreAway, lackOf } from '../../infrastructure/postgres/away.ts';
import { isNotWhole } from '../../infrastructure/postgres/whole.ts';
import type { Config } from '../config.ts';
import { type CannotStart, cannotStart, wordsOf } from './cannot-start.ts';

const mend = 'A page of the database is damaged, see docs/operations/runbook.md#a-damaged-page';

/** What has to be done to the server before anything goes on, as a sentence without its point; nothing where it is not that. */
export function remedyOf(error: unknown): string | undefined {
  const lack = lackOf(error);
  if (lack !== undefined) return `${lack.charAt(0).toUpperCase()}${lack.slice(1)}`;
  return isOfDamage(error) ? mend : undefined;
}

/**
 * `CannotStart` in place of an error that a server gives for want of something, or because it is damaged or not whole, or of
 * a server that was there when the start began and is away; any other as it is.
 */
export function toldAsLack(cause: unknown, { databaseUrl }: Pick<Config, 'databaseUrl'>): unknown {
  const variable = databaseUrl === undefined ? 'DAYBOOK_DATA_DIR' : 'DATABASE_URL';
  if (isNotWhole(cause))
    return cannotStart({
      variable,
      cause,
      next: 'Put the backup back into an empty database, to its end',
      tried: `the database is not whole, as one whose backup was put back in part: ${wordsOf(cause)}`,
    });
  const next = remedyOf(cause);
  if (next === undefined) return isStoreAway(cause) ? toldAsGone(cause, variable) : cause;
  return cannotStart({ variable, cause, next, tried: `Postgres says: ${wordsOf(cause)}` });
}

const toldAsGone = (cause: unknown, variable: string): CannotStart =>
  cannotStart({
    variable: (cause instanceof StoreAway && cause.store) || variable,
    cause,
    next: 'Look whether it runs and can be reached from here, and start again',
    tried: `its server went away during the start: ${wordsOf(cause)}`,
  });
