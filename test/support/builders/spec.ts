import { expect } from 'vitest';
import type { Decider } from '../../../src/kernel/decider.ts';
import { InvariantViolation } from '../../../src/kernel/invariant.ts';
import { Rejected, type RejectionCode } from '../../../src/kernel/rejected.ts';

/** The state that follows from a history. */
export const stateOf = <State, Command, Event>(
  decider: Decider<State, Command, Event>,
  ...history: readonly Event[]
): State => history.reduce((state, event) => decider.evolve(state, event), decider.initial);

/** What was thrown, or a failed test when nothing was. */
export function thrownBy(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

/** `given(...events).when(command)` and what has to follow from it. */
export const specFor =
  <State, Command, Event>(decider: Decider<State, Command, Event>) =>
  (...history: readonly Event[]) => ({
    when(command: Command) {
      const decide = () => decider.decide(command, stateOf(decider, ...history));
      return {
        /** Exactly these events, and they can follow the history. */
        // biome-ignore lint/suspicious/noThenProperty: the word of the pattern; nobody awaits a specification
        then(...events: readonly [Event, ...Event[]]) {
          const decided = decide();
          expect(decided).toStrictEqual(events);
          stateOf(decider, ...history, ...decided);
        },
        thenNothing() {
          expect(decide()).toStrictEqual([]);
        },
        thenRejected(code: RejectionCode, details?: Readonly<Record<string, unknown>>) {
          const error = thrownBy(decide);
          expect(error).toBeInstanceOf(Rejected);
          expect(error).toMatchObject({ code, ...(details && { details }) });
        },
        /** No caller can bring this about: a bug elsewhere. */
        thenImpossible() {
          expect(thrownBy(decide)).toBeInstanceOf(InvariantViolation);
        },
      };
    },
  });
