import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

/**
 * What a script of this folder prints as JSON, in a process of its own with one thread: it finds the same each time, whatever
 * other tests do.
 */
export async function measured(
  script: string,
  flags: readonly string[] = [],
  values: readonly string[] = [],
) {
  const asked = ['--single-threaded', ...flags, join(import.meta.dirname, script), ...values];
  return JSON.parse((await promisify(execFile)(process.execPath, asked)).stdout);
}
