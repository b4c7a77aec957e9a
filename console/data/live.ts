/** Payments that change, as they do. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { daybook } from './client.ts';

export type Change = { readonly id: string; readonly type: string };
export type Following = 'connecting' | 'live' | 'interrupted';

const againMs = 2_000;
const streamSeconds = 300;

const pause = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });

/** Tells each change while the page is open; a stream that ends is begun again, and `again` says that some were missed. */
export function useLive(told: (change: Change) => void, again: () => void): Following {
  const [following, setFollowing] = useState<Following>('connecting');
  const tell = useRef({ told, again });
  tell.current = { told, again };
  useEffect(() => {
    const ending = new AbortController();
    const { signal } = ending;
    const follow = async () => {
      for (let round = 0; !signal.aborted; round += 1) {
        try {
          setFollowing('live');
          if (round > 0) tell.current.again();
          for await (const change of daybook.watchTransactions({ query: { seconds: streamSeconds }, signal }))
            tell.current.told(change);
        } catch {
          if (signal.aborted) return;
          setFollowing('interrupted');
          await pause(againMs, signal);
        }
      }
    };
    void follow();
    return () => ending.abort();
  }, []);
  return following;
}
