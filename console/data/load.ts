/** Calls of the interface in the life of a page. */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { isSignedOut, type Refused, refusedOf } from './client.ts';
import { endSession } from './session.ts';

export type Loaded<Value> = {
  readonly value: Value | undefined;
  readonly refused: Refused | undefined;
  readonly isLoading: boolean;
  readonly reload: () => void;
};

/**
 * Asks when the page opens, when `key` changes, and on `reload`; every `everyMs` too where that is given, unless it is
 * asked already: what the service has put off is not asked sooner. What was there stays until something newer comes; with
 * another key it goes at once.
 */
export function useLoad<Value>(
  key: string,
  ask: (signal: AbortSignal) => PromiseLike<Value>,
  { everyMs }: { readonly everyMs?: number } = {},
): Loaded<Value> {
  const [state, setState] = useState<{ key: string; value?: Value; refused?: Refused }>({ key });
  const [round, setRound] = useState(0);
  const asking = useRef(ask);
  asking.current = ask;
  const isAsked = useRef(false);
  const reload = useCallback(() => setRound((n) => n + 1), []);
  useEffect(() => {
    const ending = new AbortController();
    isAsked.current = true;
    asking.current(ending.signal).then(
      (value) => {
        if (ending.signal.aborted) return;
        isAsked.current = false;
        setState({ key, value });
      },
      (error: unknown) => {
        if (ending.signal.aborted) return;
        isAsked.current = false;
        if (isSignedOut(error)) endSession();
        setState((before) =>
          before.key === key ? { ...before, refused: refusedOf(error) } : { key, refused: refusedOf(error) },
        );
      },
    );
    return () => ending.abort();
  }, [key, round]);
  useEffect(() => {
    if (everyMs === undefined) return undefined;
    const timer = setInterval(() => isAsked.current || reload(), everyMs);
    return () => clearInterval(timer);
  }, [everyMs, reload]);
  const { value, refused } = state.key === key ? state : {};
  return { value, refused, isLoading: value === undefined && refused === undefined, reload };
}

export type Action<Input, Value = unknown> = {
  readonly run: (input: Input) => Promise<Value | undefined>;
  readonly isBusy: boolean;
  readonly refused: Refused | undefined;
};

/** Something that a person does. One at a time: what is pressed while it runs does nothing. */
export function useAction<Input = void, Value = unknown>(
  act: (input: Input) => PromiseLike<Value>,
  done: (value: Value) => void = () => undefined,
): Action<Input, Value> {
  const [state, setState] = useState<{ isBusy: boolean; refused?: Refused }>({ isBusy: false });
  const isRunning = useRef(false);
  const run = async (input: Input) => {
    if (isRunning.current) return undefined;
    isRunning.current = true;
    setState({ isBusy: true });
    try {
      const value = await act(input);
      setState({ isBusy: false });
      done(value);
      return value;
    } catch (error) {
      if (isSignedOut(error)) endSession();
      setState({ isBusy: false, refused: refusedOf(error) });
      return undefined;
    } finally {
      isRunning.current = false;
    }
  };
  return { run, isBusy: state.isBusy, refused: state.refused };
}
