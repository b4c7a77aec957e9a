/** A state as a closing of the books has it, and back. */
import type { ClosingRules } from '../../kernel/aggregate.ts';
import { readExactly, writeExactly } from '../../kernel/exact-json.ts';
import { GrowingFilter } from '../../kernel/growing-filter.ts';
import { type Closed, KeyedHistory } from '../../kernel/keyed-history.ts';
import type { FoundClosing, NewClosing, Standing } from './closings.ts';

type Content = {
  readonly state: unknown;
  /** Of the log, at the last event. */
  readonly position: bigint;
  /** What the state has by key; `null` for one that has nothing. */
  readonly history: {
    readonly count: number;
    readonly stays: readonly (readonly [string, unknown])[];
    /** Of the filter. */
    readonly parts: number;
  } | null;
};

// biome-ignore lint/suspicious/noExplicitAny: states of all kinds
type Rules = ClosingRules<any, any>;

/** A state whose books are closed, or may be: there is an event before it. */
export type Stood<State> = Standing & {
  readonly state: State;
  readonly position: bigint;
  readonly closed: Closed | undefined;
};

/** The closing of a state as it stands, and what is to be remembered of it once it is made. */
export function closingOf<State>(
  { history: rules }: Rules,
  { state, revision, eventId, position, closed: before }: Stood<State>,
): { readonly closing: NewClosing; readonly closed: Closed } {
  const history = rules?.of(state);
  const filter = before?.filter ?? new GrowingFilter();
  const values = history?.since() ?? [];
  for (const [key] of values) filter.add(key);
  const count = history?.count ?? 0;
  const content: Content = {
    state: history && rules ? rules.put(state, null as never) : state,
    position,
    history: history && rules ? { count, stays: staying(history, rules), parts: filter.parts } : null,
  };
  const closing = {
    revision,
    eventId,
    previous: before?.revision,
    state: writeExactly(content),
    values: values.map(([key, value]) => [key, writeExactly(value)] as const),
    parts: filter.unsaved(),
  };
  return { closing, closed: { revision, eventId, count, filter } };
}

const staying = (history: KeyedHistory<unknown>, { stays }: NonNullable<Rules['history']>) =>
  history.all().filter(([, value]) => stays(value));

/** What a closing says. Throws for one that nobody can have made. */
export function contentOf<State>({ history: rules }: Rules, found: FoundClosing): Stood<State> {
  const { revision, eventId, parts } = found;
  const { state, position, history } = readExactly(found.state) as Content;
  if (parts.length < (history?.parts ?? 0)) throw new RangeError('a part of the filter is missing');
  const closed = { revision, eventId, count: history?.count ?? 0, filter: GrowingFilter.of(parts) };
  const whole =
    history && rules ? rules.put(state as never, KeyedHistory.after(closed, history.stays)) : state;
  return { state: whole as State, revision, eventId, position, closed };
}
