import { spawnSync } from 'node:child_process';
import { rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { temporaryDirectory } from '../processes/process.ts';

const size = '180m';

/** A file system of its own that can be filled, gone when the test ends. Only root can have one. */
export async function smallDisk() {
  const path = await temporaryDirectory();
  const { status, stderr } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', path], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
  onTestFinished(() => void spawnSync('umount', ['-l', path]));
  const filler = join(path, 'filler');
  return {
    path,
    async fill() {
      const { bavail, bsize } = await statfs(path);
      // Whoever writes meanwhile leaves less room, and the disk is full all the same.
      await writeFile(filler, Buffer.alloc(bavail * bsize)).catch((error) => {
        if (error.code !== 'ENOSPC') throw error;
      });
    },
    makeRoom: () => rm(filler),
  };
}
