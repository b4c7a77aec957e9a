import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const followMs = 20;

/** Sets the clock of a process to that of the machine and what a file says, which may change. */
const shim = (file: string) => `
  import { readFileSync } from 'node:fs';
  const Real = Date;
  let ahead = 0;
  const follow = () => { ahead = Number(readFileSync(${JSON.stringify(file)}, 'utf8')); };
  follow();
  setInterval(follow, ${followMs}).unref();
  globalThis.Date = class extends Real {
    constructor(...given) { if (given.length > 0) super(...given); else super(Real.now() + ahead); }
    static now() { return Real.now() + ahead; }
  };
`;

export type WrongClock = {
  /** For the environment of a process of Node, whose clock it is then. */
  readonly NODE_OPTIONS: string;
  /** How far it is ahead of the machine's from a moment later on. */
  readonly set: (aheadMs: number) => Promise<void>;
};

/** A clock that is wrong by what it is set to, kept in `directory`. */
export async function wrongClock(directory: string, aheadMs: number): Promise<WrongClock> {
  await mkdir(directory, { recursive: true });
  const [file, module] = [join(directory, 'ahead'), join(directory, 'clock.mjs')];
  const set = async (ms: number) => {
    await writeFile(`${file}.new`, String(ms));
    await rename(`${file}.new`, file);
  };
  await set(aheadMs);
  await writeFile(module, shim(file));
  return { NODE_OPTIONS: `--import=${pathToFileURL(module)}`, set };
}
