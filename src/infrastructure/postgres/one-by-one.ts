import type pg from 'pg';

export type Ask = <Row extends pg.QueryResultRow>(
  text: string,
  values?: unknown[],
) => Promise<pg.QueryResult<Row>>;

/** Sends each statement when those before it are answered: a connection takes one at a time. */
export function oneByOne(client: pg.Client): Ask {
  let last: Promise<unknown> = Promise.resolve();
  return <Row extends pg.QueryResultRow>(text: string, values: unknown[] = []) => {
    const answer = last.then(() => client.query<Row>(text, values));
    last = answer.catch(() => undefined);
    return answer;
  };
}
