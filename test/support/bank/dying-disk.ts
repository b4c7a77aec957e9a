/** A process that stops at one of its operations on the disk: that one and all after it never come about. */
import { createRequire, syncBuiltinESMExports } from 'node:module';

/** Between two that change something, it is all the same where the process stops. */
const changes = ['link', 'mkdir', 'open', 'rename', 'rm'] as const;
const operations = [...changes, 'readdir', 'readFile', 'stat'] as const;
type Disk = Record<(typeof operations)[number], (...given: readonly unknown[]) => unknown>;

const changing = new Set<string>(changes);

/** What `import … from 'node:fs/promises'` takes its functions from. */
const disk: Disk = createRequire(import.meta.url)('node:fs/promises');

/** Does the work until it has changed the disk `steps` times. Whether it came to its end before that. */
export async function untilStep(steps: number, work: () => Promise<unknown>): Promise<boolean> {
  const real = { ...disk };
  let left = steps;
  for (const name of operations) {
    disk[name] = async (...given) => {
      if (changing.has(name)) left -= 1;
      if (left < 0) throw new Error('the process has stopped');
      return real[name](...given);
    };
  }
  syncBuiltinESMExports();
  try {
    await work().catch((error) => {
      if (left >= 0) throw error;
    });
    return left >= 0;
  } finally {
    Object.assign(disk, real);
    syncBuiltinESMExports();
  }
}
