/** Payments that change, as they do. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { follower } from './client.ts';

export type Following = 'connecting' | 'live' | 'interrupted';

type Told = {
  /** With the ids of what has changed: at once, and after that in as few words as `toldEveryMs` allows. */
  readonly told: (changed: ReadonlySet<string>) => void;
  /** Others may have changed before, and were not told. */
  readonly again: () => void;
};

const againMs = 2_000;
const streamSeconds = 300;
const toldEveryMs = 500;

const pause = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
  });

/** What comes while it pauses is told together. */
function inTurn(tell: Told['told'], signal: AbortSignal): (id: string) => void {
  let waiting = new Set<string>();
  let isPausing = false;
  const tellAll = async () => {
    isPausing = true;
    while (waiting.size > 0 && !signal.aborted) {
      const changed = waiting;
      waiting = new Set();
      tell(changed);
      await pause(toldEveryMs, signal);
    }
    isPausing = false;
  };
  return (id) => {
    waiting.add(id);
    if (!isPausing) void tellAll();
  };
}

/**
 * Follows while the page is seen: a browser has few connections to one host, for all of its tabs. A stream that ends is
 * begun again.
 */
export function useLive(told: Told['told'], again: Told['again']): Following {
  const [following, setFollowing] = useState<Following>('connecting');
  const tell = useRef<Told>({ told, again });
  tell.current = { told, again };
  useEffect(() => {
    let ending: AbortController | undefined;
    /** What a page shows was asked for before, and nobody was told what has changed since. */
    const onOpen = () => {
      setFollowing('live');
      tell.current.again();
    };
    const follow = async (signal: AbortSignal) => {
      const changed = inTurn((ids) => tell.current.told(ids), signal);
      while (!signal.aborted)
        try {
          const query = { seconds: streamSeconds };
          for await (const { id } of follower.watchTransactions({ query, signal, onOpen })) changed(id);
          setFollowing('connecting');
        } catch {
          if (signal.aborted) return;
          setFollowing('interrupted');
          await pause(againMs, signal);
        }
    };
    const look = () => {
      if (document.hidden) {
        ending?.abort();
        ending = undefined;
        setFollowing('connecting');
      } else if (!ending) {
        ending = new AbortController();
        void follow(ending.signal);
      }
    };
    look();
    document.addEventListener('visibilitychange', look);
    return () => {
      document.removeEventListener('visibilitychange', look);
      ending?.abort();
    };
  }, []);
  return following;
}
