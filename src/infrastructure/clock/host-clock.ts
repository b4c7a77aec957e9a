/** The clock of this host, which nothing of the installation depends on: logs have its time, and certificates are checked by it. */
import type { Log } from '../observe/log.ts';

/** Hosts that keep their clocks by a time server differ by less than a second. */
const differsAboveMs = 60_000;
/** So that a difference that wavers is told once. */
const agreesBelowMs = 30_000;

/** Both at the same moment, as far as the doubt allows. Milliseconds. */
export type Compared = { readonly hostMs: number; readonly serverMs: number; readonly doubtMs: number };

/** Tells once that the clocks of this host and of the database server differ, and once that they agree again. */
export function hostClockWatch(log: Log): (compared: Compared) => void {
  let isTold = false;
  return ({ hostMs, serverMs, doubtMs }) => {
    const apartMs = Math.max(0, Math.abs(hostMs - serverMs) - doubtMs);
    const both = { host: new Date(hostMs), server: new Date(serverMs) };
    if (!isTold && apartMs > differsAboveMs) {
      isTold = true;
      log.warn(
        both,
        'the clocks of this host and of the database server differ: set right the one that is wrong',
      );
    } else if (isTold && apartMs < agreesBelowMs) {
      isTold = false;
      log.warn(both, 'the clocks of this host and of the database server agree again');
    }
  };
}
