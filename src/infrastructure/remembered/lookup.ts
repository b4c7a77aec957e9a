/** What a database has under a key, remembered for a while: that it has nothing as well. */
import { rememberNewest } from './newest.ts';

export type RememberedLookup<Value> = {
  /** Asks once, however many want the same at that moment. */
  readonly find: (key: string) => Promise<Value | undefined>;
  /** Whoever wants it from now on asks anew. */
  readonly forget: (key: string) => void;
  readonly clear: () => void;
};

/** `ask` says what the database has under a key; `max` keys are remembered, each for `ttlMs` from when it was asked for. */
export function rememberedLookup<Value>(
  { max, ttlMs }: { readonly max: number; readonly ttlMs: number },
  ask: (key: string) => Promise<Value | undefined>,
): RememberedLookup<Value> {
  const remembered = rememberNewest<string, { readonly value: Value | undefined }>(max, ttlMs);
  const underWay = rememberNewest<string, Promise<Value | undefined>>(max, ttlMs);

  return {
    find(key) {
      const known = remembered.get(key);
      if (known) return Promise.resolve(known.value);
      const begun = underWay.get(key);
      if (begun) return begun;
      // What the database says may be as old as the question, however long the answer takes.
      const start = performance.now();
      const isWanted = () => underWay.peek(key) === asked;
      const asked: Promise<Value | undefined> = ask(key)
        .then((value) => {
          if (isWanted()) remembered.set(key, { value }, { start });
          return value;
        })
        .finally(() => {
          if (isWanted()) underWay.delete(key);
        });
      underWay.set(key, asked);
      return asked;
    },
    forget(key) {
      remembered.delete(key);
      underWay.delete(key);
    },
    clear() {
      remembered.clear();
      underWay.clear();
    },
  };
}
