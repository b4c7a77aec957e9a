/** What still runs on a cluster that nobody uses any more: a server whose guardian was killed too, or parts of one. */
import { existsSync } from 'node:fs';
import { readdir, readFile, readlink, realpath, rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../../observe/log.ts';
import { lockFileOf, lockOf } from './lock.ts';

const lookMs = 50;

/** What each signal is given to work. Its guardian may be at the same; a signal that comes twice does no harm. */
const steps = [
  { signal: 'SIGINT', ms: 5_000 },
  { signal: 'SIGQUIT', ms: 3_000 },
  { signal: 'SIGKILL', ms: 5_000 },
] as const;

/**
 * Ends every process of Postgres on the cluster, in order if possible. Only the holder of the data directory may call
 * it. Throws when something outlives SIGKILL.
 */
export async function endFormerServer(cluster: string, log: Pick<Log, 'warn'>): Promise<void> {
  for (const { signal, ms } of steps) {
    const [first, ...others] = await processesOn(cluster);
    if (first === undefined) return;
    if (signal !== 'SIGINT')
      log.warn({ pid: first, signal }, 'a former Postgres still runs on the data directory; ending it');
    // The first one ends the others, unless it is gone itself.
    for (const pid of signal === 'SIGKILL' ? [first, ...others] : [first]) send(pid, signal);
    for (let waited = 0; waited < ms; waited += lookMs) {
      if ((await processesOn(cluster)).length === 0) return;
      await sleep(lookMs);
    }
  }
  throw new Error(`another Postgres still runs on ${cluster}; stop it first`);
}

/**
 * Removes the lock of a server that is gone. Another process may have its number by now, which Postgres would take for a
 * server: in a container the same few numbers come again at each start. One that a power cut has left empty Postgres
 * takes for that of a server which is starting. Only the holder of the data directory may call it. A lock that came with
 * a copy, whose original is at work, stays.
 */
export async function removeLeftLock(cluster: string): Promise<void> {
  if (!existsSync('/proc')) return;
  const { pid, directory } = await lockOf(cluster);
  const isAtWork = pid > 0 && (await isOn(pid, await realpath(directory).catch(() => directory)));
  if (!isAtWork) await rm(lockFileOf(cluster), { force: true });
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It is gone meanwhile, or another user's.
  }
}

/** The processes of Postgres whose working directory is the cluster; the one that it names as its first stands first. */
async function processesOn(cluster: string): Promise<readonly number[]> {
  const { pid: named } = await lockOf(cluster);
  if (!existsSync('/proc')) return named > 0 && isAlive(named) ? [named] : [];
  const directory = await realpath(cluster);
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const found = await Promise.all(pids.map(async (pid) => ((await isOn(pid, directory)) ? [pid] : [])));
  return found.flat().sort((one, other) => Number(other === named) - Number(one === named));
}

async function isOn(pid: number, directory: string): Promise<boolean> {
  const at = await readlink(`/proc/${pid}/cwd`).catch(() => '');
  if (at !== directory) return false;
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  return command.includes('postgres');
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
