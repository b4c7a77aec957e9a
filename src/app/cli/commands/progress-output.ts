import { progressLine, type ReadSoFar } from './progress-line.ts';

type Output = Pick<NodeJS.WriteStream, 'isTTY' | 'write'>;

export type ProgressOutput = {
  show(read: Omit<ReadSoFar, 'seconds'>): void;
  /** Leaves the line as it is, and goes to the next. */
  end(): void;
};

/** One line that is written again and again on a terminal; elsewhere a line every few seconds. */
export function progressOutput(output: Output, nowMs: () => number): ProgressOutput {
  const everyMs = output.isTTY ? 100 : 5_000;
  const startedMs = nowMs();
  let writtenMs = startedMs;
  let isOpen = false;
  return {
    show(read) {
      const atMs = nowMs();
      const isLast = output.isTTY && read.done >= read.total;
      if (atMs - writtenMs < everyMs && !isLast) return;
      writtenMs = atMs;
      const line = progressLine({ ...read, seconds: (atMs - startedMs) / 1000 });
      output.write(output.isTTY ? `\r\u001b[K${line}` : `${line}\n`);
      isOpen = Boolean(output.isTTY);
    },
    end() {
      if (isOpen) output.write('\n');
      isOpen = false;
    },
  };
}
