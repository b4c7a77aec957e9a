/** Tables that another version has, or is using, in words for who starts this one. */
import { OtherVersion } from '../../../projections/migrations/versions.ts';
import type { Config } from '../config.ts';
import { cannotStart } from './cannot-start.ts';

/** What `work` on the tables comes to. Throws `CannotStart` where they are not this version's to use. */
export async function ofThisVersion<Result>(
  { databaseUrl }: Pick<Config, 'databaseUrl'>,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (cause) {
    if (!(cause instanceof OtherVersion)) throw cause;
    const { tried, next } = cause;
    const variable = databaseUrl === undefined ? 'DAYBOOK_DATA_DIR' : 'DATABASE_URL';
    throw cannotStart({ variable, tried, next, cause });
  }
}
