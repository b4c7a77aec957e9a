/** So long after a process was last heard it counts as gone: several times as long as it takes to speak again. */
export const goneAfterMs = 10_000;
/** Before this process has listened so long it may not have heard yet who is there. */
export const settledAfterMs = 3_000;

/** Which other processes listen, and on what, as far as this one has heard. Each says it again and again. */
export type Presence = {
  /** What a process says of itself, which listens on these channels. */
  says(channels: Iterable<string>): string;
  /** What a process says that ends in order: it counts as gone at once. */
  readonly farewell: string;
  /** A process says that it is there. Returns whether it was not known to listen on one of its channels. */
  heard(said: string): boolean;
  /** This process listens from now on; whom it heard on a former connection may be there still. */
  begun(): void;
  /** This process hears nothing any more. */
  deaf(): void;
  /** Whether nobody else listens on a channel; `false` also while that cannot be known. */
  isAlone(channel: string): boolean;
  /** How many others were heard lately. */
  heardOf(): number;
};

/** In place of channels, none of which has this name. */
const leaving = '-';

type Other = { readonly heardAt: number; readonly channels: ReadonlySet<string> };

/** `self` is the name of this process, `elapsed` a number of milliseconds that only grows. */
export function createPresence(self: string, elapsed: () => number = () => performance.now()): Presence {
  const others = new Map<string, Other>();
  let since: number | undefined;

  const forgetGone = (now: number) => {
    for (const [process, { heardAt }] of others) if (now - heardAt > goneAfterMs) others.delete(process);
  };
  const listensOn = ({ channels }: Other, channel: string): boolean =>
    // One of a former version does not say on what.
    channels.size === 0 || channels.has(channel);
  return {
    says: (channels) => [self, ...channels].join(' '),
    farewell: `${self} ${leaving}`,
    heard(said) {
      const [process = '', ...named] = said.split(' ');
      if (process === self) return false;
      if (named[0] === leaving) {
        others.delete(process);
        return false;
      }
      const known = others.get(process);
      const channels = new Set(named);
      others.set(process, { heardAt: elapsed(), channels });
      return !known || (known.channels.size > 0 && !named.every((one) => known.channels.has(one)));
    },
    begun() {
      since = elapsed();
    },
    deaf() {
      since = undefined;
    },
    isAlone(channel) {
      const now = elapsed();
      forgetGone(now);
      if (since === undefined || now - since <= settledAfterMs) return false;
      return !others.values().some((other) => listensOn(other, channel));
    },
    heardOf() {
      forgetGone(elapsed());
      return others.size;
    },
  };
}
