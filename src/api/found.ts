import type { Rejected } from '../kernel/rejected.ts';

/** What a read model was asked for. Throws the refusal where it has nothing. */
export function found<T>(row: T | undefined, notFound: () => Rejected): T {
  if (row === undefined) throw notFound();
  return row;
}
