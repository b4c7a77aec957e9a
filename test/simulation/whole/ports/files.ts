/** The way of what processes do with the files of a folder: each call waits for its turn, and may be the last of its process. */
import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { processOf, type SimulatedProcess } from '../engine/process.ts';
import type { Turns } from '../engine/turns.ts';

// biome-ignore lint/suspicious/noExplicitAny: whatever is asked of the file system
export type FileCall = (...args: any[]) => Promise<unknown>;
const names = ['link', 'mkdir', 'open', 'readFile', 'readdir', 'rename', 'rm', 'stat'] as const;
const originals = Object.fromEntries(names.map((name): [string, FileCall] => [name, fs[name] as FileCall]));
/** What takes up room. */
const writes: ReadonlySet<string> = new Set(['link', 'mkdir', 'open', 'rename']);

type Deps = {
  readonly turns: Turns;
  readonly folder: string;
  /** What is called in place of a function. */
  readonly changed: (name: string, original: FileCall) => FileCall;
  /** Asked before each call: whether the disk has room for it. What belongs to a process that has ended goes no further. */
  readonly before: (process: SimulatedProcess, isWritten: boolean) => 'full disk' | undefined;
};

/** All calls for files below the folder go this way, until the end. */
export function routeFiles({ turns, folder, changed, before }: Deps): { readonly end: () => void } {
  let calls = 0;
  const routed =
    (name: string, original: FileCall): FileCall =>
    (...args) => {
      const process = processOf();
      if (!process || !String(args[0]).startsWith(folder)) return original(...args);
      if (!process.isAlive()) return new Promise(() => undefined);
      const lane = { name: `${process.name} file ${++calls}`, process };
      return new Promise((resolve, reject) =>
        turns.wait(lane, async () => {
          const fate = before(process, writes.has(name) && args[1] !== 'r');
          if (!process.isAlive()) return;
          if (fate) return reject(fullDisk());
          await changed(name, original)(...args).then(resolve, reject);
        }),
      );
    };
  const replace = (of: (name: string, original: FileCall) => FileCall) => {
    for (const name of names) Object.assign(fs, { [name]: of(name, originals[name] as FileCall) });
    syncBuiltinESMExports();
  };
  replace(routed);
  return { end: () => replace((_, original) => original) };
}

const fullDisk = () => Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
