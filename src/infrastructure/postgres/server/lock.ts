/** What a running Postgres says of itself in the directory of its cluster. One that was killed leaves it there. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

export type Lock = {
  /** Of its first process, in whichever process namespace that was; not a number where there is no lock. */
  readonly pid: number;
  /** That of the cluster, as it was when the server started. */
  readonly directory: string;
  readonly port: string;
};

export const lockFileOf = (cluster: string): string => join(cluster, 'postmaster.pid');

export async function lockOf(cluster: string): Promise<Lock> {
  const file = await readFile(lockFileOf(cluster), 'utf8').catch(() => '');
  const [pid = '', directory = '', , port = ''] = file.split('\n').map((line) => line.trim());
  return { pid: Number.parseInt(pid, 10), directory, port };
}
