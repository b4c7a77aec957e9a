import type { Log } from '../observe/log.ts';
import { type Line, type LineTimes, openLine } from './lease-line.ts';
import { pause } from './pause.ts';

/** So long one waits for a lease that somebody else has before asking again. */
export const retryMs = 1_000;

/** The time of one holder. */
export type Term = {
  /** Fires when the lease is lost or given up; the work must end soon after. */
  readonly signal: AbortSignal;
  /**
   * Larger than that of every term before. Whoever writes in the name of the lease writes where no larger one was seen,
   * so a holder that was stopped and comes back changes nothing.
   */
  readonly token: bigint;
  /** By this process' own clock: false for one that was stopped for too long, before the signal has fired. */
  readonly isHeld: () => boolean;
};

export type Leases = {
  /**
   * Runs `work` while this process, and no other on the same database, holds the lease `name`. A lease is a row: it is
   * free when the connection of its holder is gone, or when it was not renewed for `leaseMs`. So it passes on at once
   * from a process that ended, and within seconds from one that is stopped or cannot be reached. Times are those of the
   * server.
   */
  readonly hold: (name: string, work: (term: Term) => Promise<void>) => { stop(): Promise<void> };
};

/** All leases of a process are held on one connection, which is there while one of them is wanted. */
export function openLeases(url: string, log: Log, againMs = retryMs, times?: LineTimes): Leases {
  let wanted = 0;
  let current: Promise<Line> | undefined;
  const line = (): Promise<Line> => {
    if (current) return current;
    const ended = () => {
      if (current === opened) current = undefined;
    };
    const opened = openLine(url, ended, times);
    current = opened;
    return opened;
  };
  const term = async (name: string, stopping: AbortSignal, work: (term: Term) => Promise<void>) => {
    const held = await (await line()).take(name);
    if (!held) return;
    const { token, lost, isHeld, release } = held;
    if (stopping.aborted) return await release();
    await work({ token, isHeld, signal: AbortSignal.any([stopping, lost]) }).finally(release);
  };
  return {
    hold(name, work) {
      const stopping = new AbortController();
      const run = async () => {
        while (!stopping.signal.aborted) {
          await term(name, stopping.signal, work).catch((error) =>
            log.error({ err: error, lease: name }, 'interrupted; trying again'),
          );
          await pause(againMs, stopping.signal);
        }
      };
      wanted++;
      const done = run().finally(() => {
        wanted--;
      });
      return {
        async stop() {
          stopping.abort();
          await done;
          if (wanted === 0) await (await current?.catch(() => undefined))?.close();
        },
      };
    },
  };
}
