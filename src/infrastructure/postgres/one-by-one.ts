import type pg from 'pg';
import { oneAtATime } from '../scheduling/one-at-a-time.ts';

export type Ask = <Row extends pg.QueryResultRow>(
  text: string,
  values?: unknown[],
) => Promise<pg.QueryResult<Row>>;

/** Sends each statement when those before it are answered: a connection takes one at a time. */
export function oneByOne(client: pg.Client): Ask {
  const inTurn = oneAtATime();
  return <Row extends pg.QueryResultRow>(text: string, values: unknown[] = []) =>
    inTurn(() => client.query<Row>(text, values));
}
