/** Whose code runs: each process of a life has a context of its own. */
import { AsyncLocalStorage } from 'node:async_hooks';

export type SimulatedProcess = {
  readonly name: string;
  readonly isAlive: () => boolean;
};

/** Where calls of one connection wait, one behind the other. */
export type Lane = {
  /** Of two that wait neither came first: their names say who is named first. */
  readonly name: string;
  /** Whose call it is; nobody's where it comes from outside. */
  readonly process: SimulatedProcess | undefined;
  /** Nothing goes on here before, in virtual milliseconds. */
  heldUntil?: number;
};

/**
 * A process, and how it ends. Node keeps the context in which a connection was opened longer than the connection: so the
 * process has nothing of what it runs.
 */
export function beginProcess(name: string): { readonly process: SimulatedProcess; readonly end: () => void } {
  let alive = true;
  return {
    process: { name, isAlive: () => alive },
    end() {
      alive = false;
    },
  };
}

const current = new AsyncLocalStorage<SimulatedProcess>();

/** `undefined` for the simulation itself. */
export const processOf = (): SimulatedProcess | undefined => current.getStore();

export const runAs = <Result>(process: SimulatedProcess, work: () => Result): Result =>
  current.run(process, work);

/** For what goes on whichever process ends. */
export const runAsNobody = <Result>(work: () => Result): Result => current.exit(work);
