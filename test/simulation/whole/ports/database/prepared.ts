/** Has Postgres read and plan a statement once on each connection, and not each time: most of a life is the same few hundred. */
import type { QueryConfig } from 'pg';

const names = new Map<string, string>();
/** Several in one text cannot be prepared. */
const isOne = /^\s*(select|insert|update|delete|with)\b[^;]*$/i;

export function preparedOnce(query: QueryConfig): QueryConfig {
  if (query.name || !isOne.test(query.text)) return query;
  const name = names.get(query.text) ?? `simulated-${names.size}`;
  names.set(query.text, name);
  return { ...query, name };
}
