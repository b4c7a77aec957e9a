/** The Postgres of a data directory as the system sees it: its processes, for tests that kill and stop them. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '../resources/flows.ts';

type Process = { readonly pid: number; readonly title: string };

const clusterOf = (cwd: string) => join(cwd, '.daybook/postgres/cluster');

/** Every process of the Postgres below a working directory, read from `/proc`. */
export function postgresOf(cwd: string): readonly Process[] {
  const cluster = clusterOf(cwd);
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        if (readlinkSync(`/proc/${name}/cwd`) !== cluster) return [];
        const title = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
        return [{ pid: Number(name), title }];
      } catch {
        return [];
      }
    });
}

export const postmasterOf = (cwd: string): number =>
  Number.parseInt(readFileSync(join(clusterOf(cwd), 'postmaster.pid'), 'utf8'), 10);

/** Those that serve connections. */
export const backendsOf = (cwd: string): readonly number[] =>
  postgresOf(cwd)
    .filter(({ title }) => title.startsWith('postgres: daybook'))
    .map(({ pid }) => pid);

export function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids)
    try {
      process.kill(pid, signal);
    } catch {
      // It has ended meanwhile.
    }
}

/** Stops all of it where it stands. Returns what lets it go on. */
export function freezePostgres(cwd: string): () => void {
  const pids = postgresOf(cwd).map(({ pid }) => pid);
  signalAll(pids, 'SIGSTOP');
  return () => signalAll(pids, 'SIGCONT');
}

export const untilNoPostgres = (cwd: string) =>
  eventually(
    async () => postgresOf(cwd),
    ({ length }) => length === 0,
  );
