/** A right that the user of a given database lacks, in words for who may grant it. */
import { codeOf } from '../../infrastructure/error-code.ts';
import { cannotStart, insufficientPrivilege, wordsOf } from './cannot-start.ts';

/** What `work` on the tables comes to. Throws `CannotStart` where Postgres lets the user of the address not do it. */
export async function withRights<Result>(databaseUrl: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (cause) {
    if (codeOf(cause) !== insufficientPrivilege) throw cause;
    throw cannotStart({ variable: 'DATABASE_URL', cause, ...missingRight(cause, databaseUrl) });
  }
}

function missingRight(error: unknown, databaseUrl: string) {
  const { username, pathname } = new URL(databaseUrl);
  const [user, database] = [username, pathname.slice(1)].map(decodeURIComponent);
  const words = wordsOf(error);
  if (words.includes('for database'))
    return {
      tried: `the user ${user} may not create schemas in ${database}`,
      next: `Grant it: grant create on database "${database}" to "${user}"; or name another user in DATABASE_URL`,
    };
  return {
    tried: `the user ${user} lacks a right in ${database}: ${words}`,
    next: 'Name the user in DATABASE_URL whose the schemas of Daybook are, or make this one their owner',
  };
}
