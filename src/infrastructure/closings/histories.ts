/** What the states of one kind have by key: what of it is known, looked up in their books, and put back. */
import type { HistoryRules } from '../../kernel/aggregate.ts';
import { readExactly } from '../../kernel/exact-json.ts';
import type { Closed, KeyedHistory } from '../../kernel/keyed-history.ts';
import type { Books } from './books.ts';
import type { Recalled } from './closings.ts';

/** Without rules a state has nothing by key, and without books nothing is looked up: it is its own then. */
export function historiesOf<State, Message>(
  rules: HistoryRules<State, Message> | undefined,
  books: Pick<Books<State>, 'recall'> | undefined,
) {
  const historyOf = (state: State): KeyedHistory<unknown> | undefined => rules?.of(state);
  const put = (state: State, history: KeyedHistory<unknown>): State => rules?.put(state, history) ?? state;

  return {
    unknown(state: State, messages: readonly Message[]): readonly string[] {
      const history = historyOf(state);
      const keysOf = rules?.keysOf;
      if (!history?.closed || !keysOf) return [];
      const keys = new Set(messages.flatMap((message) => keysOf(message, state)));
      return [...keys].filter((key) => history.isUnknown(key));
    },
    async recall(stream: string, state: State, keys: readonly string[]): Promise<State | undefined> {
      const history = historyOf(state);
      const wanted = keys.filter((key) => history?.isUnknown(key));
      if (!history?.closed || !books || wanted.length === 0) return state;
      const found = await books.recall(stream, history.closed, wanted);
      if (!found) return undefined;
      const read = ({ value }: Recalled) => (value === undefined ? undefined : readExactly(value));
      return put(state, history.recalling(new Map([...found].map(([key, one]) => [key, read(one)]))));
    },
    settle(state: State): State {
      const history = historyOf(state);
      const settled = history?.settled();
      return settled && settled !== history ? put(state, settled) : state;
    },
    after(state: State, closed: Closed): State {
      const history = historyOf(state);
      return history && rules ? put(state, history.after(closed, rules.stays)) : state;
    },
  };
}
