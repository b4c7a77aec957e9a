/** What the statements of a service are for, by what stands in them. */
export const kinds = {
  'reads of streams': 'as wanted (stream',
  appends: '.append_events(',
  'keys taken': 'insert into idempotency_keys as k (scope, held_until',
  'keys kept': 'insert into idempotency_keys as k (scope, status',
  'reads of the log': '.events where position >',
  'rows written': 'with held as',
  notifications: 'select pg_notify(',
} as const;

export type Kind = keyof typeof kinds | 'others';

export type Calls = ReadonlyMap<Kind, number>;

const names = Object.keys(kinds) as (keyof typeof kinds)[];
const kindOf = (text: string): Kind => names.find((name) => text.includes(kinds[name])) ?? 'others';

/** How often statements of each kind were called, by the texts of all. */
export function callsOf(statements: readonly { readonly text: string; readonly calls: number }[]): Calls {
  const calls = new Map<Kind, number>([...names, 'others' as const].map((name) => [name, 0]));
  for (const { text, calls: more } of statements) {
    const kind = kindOf(text.replaceAll(/\s+/g, ' '));
    calls.set(kind, (calls.get(kind) ?? 0) + more);
  }
  return calls;
}
