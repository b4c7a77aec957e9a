import type { Evidence } from '../life.ts';

type Folded<State, Event> = {
  readonly initial: State;
  readonly evolve: (state: State, event: Event) => State;
};

/** The streams of a category, as the log has them. */
export function statesIn<State, Event>(
  { finished }: Pick<Evidence, 'finished'>,
  category: string,
  { initial, evolve }: Folded<State, Event>,
): ReadonlyMap<string, State> {
  const states = new Map<string, State>();
  for (const event of finished)
    if (event.stream.startsWith(`${category}-`))
      states.set(event.stream, evolve(states.get(event.stream) ?? initial, event as Event));
  return states;
}
