/** Who uses the Postgres of test runs, and until when somebody does. */
import { createClient } from '../../../src/infrastructure/postgres/pool.ts';

const answerMaxMs = 60_000;

export async function ask<Row>(url: string, statement: string): Promise<readonly Row[]> {
  const client = createClient(url, 'keeper', answerMaxMs);
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

/** Somebody who is connected, by the database. */
export type User = { readonly datname: string };

/** Everybody but who asks. */
export const usersOf = (url: string): Promise<readonly User[]> =>
  ask<User>(
    url,
    `select datname from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`,
  );

export type Bounds = {
  readonly lookMs: number;
  /** So long nobody was connected. */
  readonly idleMaxMs: number;
  /** So often in a row nobody was let in. */
  readonly deafLooksMax: number;
};

export type Looking = {
  readonly sleep: (ms: number) => Promise<unknown>;
  /** `undefined` where nobody is let in. */
  readonly users: () => Promise<readonly User[] | undefined>;
  readonly looked: (users: readonly User[]) => Promise<void>;
};

/** Looks until one of the bounds is reached. */
export async function untilOfNoUse(
  { lookMs, idleMaxMs, deafLooksMax }: Bounds,
  { sleep, users, looked }: Looking,
): Promise<void> {
  let [idleMs, deafLooks] = [0, 0];
  while (idleMs < idleMaxMs && deafLooks < deafLooksMax) {
    await sleep(lookMs);
    const found = await users();
    deafLooks = found ? 0 : deafLooks + 1;
    idleMs = found && found.length > 0 ? 0 : idleMs + lookMs;
    if (found) await looked(found);
  }
}
