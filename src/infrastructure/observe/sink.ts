import { write, writeSync } from 'node:fs';

const togetherBytes = 16 * 1024;
const togetherMs = 100;
/** What waits because it cannot be written, the disk being full for example; beyond it lines are lost. */
export const waitingMax = 1024 * 1024;
/** A reader who is slow gets so long at the end of the process. */
const lastAttemptsMax = 50;
const lastPauseMs = 10;

export type Sink = { write(line: string): void };

/**
 * Writes lines to a descriptor, together and a moment later: who logs does not wait. What cannot be written is tried
 * again, and never an error of anybody. What is left at the end of the process is written then, or given up.
 */
export function sinkTo(descriptor: number): Sink {
  let lines: string[] = [];
  let length = 0;
  let lost = 0;
  /** What is being written, or is to be written again. */
  let taken: Buffer | undefined;
  let isUnderWay = false;

  const take = () => {
    if (taken || lines.length === 0) return;
    taken = Buffer.from(lines.join('') + notice(lost));
    lines = [];
    length = 0;
    lost = 0;
  };
  const send = () => {
    take();
    if (!taken || isUnderWay) return;
    isUnderWay = true;
    const current = taken;
    write(descriptor, current, (error, written) => {
      isUnderWay = false;
      const rest = current.subarray(error ? 0 : written);
      taken = rest.length > 0 ? rest : undefined;
      if (!error && (taken || length >= togetherBytes)) send();
    });
  };
  setInterval(send, togetherMs).unref();
  process.once('exit', () => {
    const last = Buffer.from(lines.join(''));
    writeLast(descriptor, taken && !isUnderWay ? Buffer.concat([taken, last]) : last);
  });
  return {
    write(line) {
      if (length + line.length > waitingMax) {
        lost += 1;
        return;
      }
      lines.push(line);
      length += line.length;
      if (length >= togetherBytes) send();
    },
  };
}

const notice = (lost: number): string =>
  lost === 0 ? '' : `${JSON.stringify({ level: 40, lost, msg: 'lines of the log could not be written' })}\n`;

function writeLast(descriptor: number, text: Buffer): void {
  let rest = text;
  for (let attempt = 0; rest.length > 0 && attempt < lastAttemptsMax; attempt++) {
    try {
      rest = rest.subarray(writeSync(descriptor, rest));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, lastPauseMs);
    }
  }
}
