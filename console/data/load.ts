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
 * asked already: what the service has put off is not asked sooner. A `reload` while it is asked asks once more when it is
 * answered. What was there stays until something newer comes; with another key it goes at once.
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
  const asked = useRef<'nothing' | 'once' | 'once more'>('nothing');
  const reload = useCallback(() => {
    if (asked.current === 'nothing') setRound((n) => n + 1);
    asked.current = asked.current === 'nothing' ? 'once' : 'once more';
  }, []);
  useEffect(() => {
    const ending = new AbortController();
    asked.current = 'once';
    const answered = () => {
      const isDue = asked.current === 'once more';
      asked.current = 'nothing';
      if (isDue) reload();
    };
    asking.current(ending.signal).then(
      (value) => {
        if (ending.signal.aborted) return;
        setState({ key, value });
        answered();
      },
      (error: unknown) => {
        if (ending.signal.aborted) return;
        if (isSignedOut(error)) endSession();
        setState((before) =>
          before.key === key ? { ...before, refused: refusedOf(error) } : { key, refused: refusedOf(error) },
        );
        answered();
      },
    );
    return () => ending.abort();
  }, [key, round, reload]);
  useEffect(() => {
    if (everyMs === undefined) return undefined;
    const timer = setInterval(() => asked.current === 'nothing' && reload(), everyMs);
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
