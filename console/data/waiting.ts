/** Requests that the service has put off, until they are sent again. */
import type { Pause } from '@daybook/client';
import { useEffect, useState } from 'preact/hooks';

export type Waiting = {
  /** As the service has asked for. */
  readonly seconds: number;
  readonly secondsLeft: number;
};

/** Nobody misses an answer that comes sooner. */
const noticedMs = 1_000;

type Wait = { readonly ms: number; readonly untilMs: number };
const waits = new Set<Wait>();
const listeners = new Set<() => void>();
const tell = () => {
  for (const listener of listeners) listener();
};

export function waitFor({ ms, over }: Pick<Pause, 'ms' | 'over'>): void {
  if (ms < noticedMs) return;
  const wait = { ms, untilMs: performance.now() + ms };
  waits.add(wait);
  tell();
  void over.then(() => {
    waits.delete(wait);
    tell();
  });
}

/** Of several the one that lasts longest. */
function longest(): Waiting | undefined {
  const [wait] = [...waits].toSorted((a, b) => b.untilMs - a.untilMs);
  if (!wait) return undefined;
  const leftMs = Math.max(0, wait.untilMs - performance.now());
  return { seconds: Math.floor(wait.ms / 1_000), secondsLeft: Math.ceil(leftMs / 1_000) };
}

export function useWaiting(): Waiting | undefined {
  const [waiting, setWaiting] = useState(longest);
  const isWaiting = waiting !== undefined;
  useEffect(() => {
    const look = () => setWaiting(longest());
    listeners.add(look);
    const timer = isWaiting ? setInterval(look, 1_000) : undefined;
    return () => {
      listeners.delete(look);
      clearInterval(timer);
    };
  }, [isWaiting]);
  return waiting;
}
