/** Asks again and again, when something may have changed for a platform, until an answer will do or the time is up. */
import { setTimeout as sleep } from 'node:timers/promises';
import { uncounted } from '../../../infrastructure/deadlines/deadline.ts';
import type { Listening } from '../../../infrastructure/postgres/listen.ts';
import type { PlatformId } from '../../../kernel/ids.ts';

/** Of one process, and of them those of one platform. Those above wait for nothing: they are answered with what is there. */
export const waitingMax = { process: 100, platform: 20 };
/** However much happens. */
const pauseMs = 20;
/** However little: a notice may be lost with the connection. */
const askedEveryMs = 5_000;

type Wait<Answer> = {
  readonly platformId: PlatformId;
  readonly ask: () => Promise<Answer>;
  readonly willDo: (answer: Answer) => boolean;
  readonly waitMs: number;
  /** Nobody is there any more for the answer. */
  readonly gone: AbortSignal;
};

export type Waiting = {
  /** The last answer, which will do unless the time was up, or there was no place to wait. */
  readonly until: <Answer>(wait: Wait<Answer>) => Promise<Answer>;
};

type Sleeper = { readonly platformId: PlatformId; readonly wake: () => void };

/** `hasNews` says whether a notice of the channel is for a platform. */
export function createWaiting(
  listening: Pick<Listening, 'on'>,
  channel: string,
  hasNews: (told: string | undefined, platformId: PlatformId) => boolean,
): Waiting {
  const asleep = new Set<Sleeper>();
  const waiting: PlatformId[] = [];
  listening.on(channel, (told) => {
    for (const { platformId, wake } of asleep) if (hasNews(told, platformId)) wake();
  });
  /** Awake as soon as there may be news from now on, the time is up, or the caller has gone. */
  const sleeper = (platformId: PlatformId, ms: number, gone: AbortSignal) => {
    const { promise: awake, resolve } = Promise.withResolvers<void>();
    const wake = () => {
      clearTimeout(timer);
      gone.removeEventListener('abort', wake);
      asleep.delete(one);
      resolve();
    };
    const one = { platformId, wake };
    const timer = setTimeout(wake, ms);
    gone.addEventListener('abort', wake);
    asleep.add(one);
    return { awake, wake };
  };
  const isRoom = (platformId: PlatformId) =>
    waiting.length < waitingMax.process &&
    waiting.filter((one) => one === platformId).length < waitingMax.platform;

  return {
    async until({ platformId, ask, willDo, waitMs, gone }) {
      if (waitMs <= 0 || !isRoom(platformId)) return ask();
      const end = performance.now() + waitMs;
      waiting.push(platformId);
      try {
        for (;;) {
          const leftMs = end - performance.now();
          const { awake, wake } = sleeper(platformId, Math.max(1, Math.min(askedEveryMs, leftMs)), gone);
          try {
            const answer = await ask();
            if (willDo(answer) || leftMs <= 0 || gone.aborted) return answer;
            await uncounted(async () => {
              await awake;
              if (!gone.aborted) await sleep(pauseMs);
            });
          } finally {
            wake();
          }
        }
      } finally {
        waiting.splice(waiting.indexOf(platformId), 1);
      }
    },
  };
}
