/**
 * The rules of one kind of stream as pure functions: `decide` says which events a command causes in a state (none
 * for a repeat, `Rejected` for a refusal), `evolve` folds an event into the state. Time, ids and rates arrive in the
 * command.
 */
export type Decider<State, Command, Event> = {
  readonly initial: State;
  decide(command: Command, state: State): readonly Event[];
  evolve(state: State, event: Event): State;
};
