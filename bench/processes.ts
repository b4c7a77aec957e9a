/** Processes to measure: started, awaited, and asked what they have used of the machine. */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const startMaxMs = 60_000;
/** The kernel counts processor time in these. */
const tickMs = 10;

/** The service is started as `npm start` starts it, and so is the one without a chain. */
const services = new Set(['src/main.js', 'bench/unchained.ts']);

function flagsOf(script: string): readonly string[] {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    readonly scripts: Readonly<Record<string, string>>;
  };
  const words = (scripts.start ?? '').split(' ');
  return services.has(script) ? words.filter((word) => word.startsWith('--')) : [];
}

export type Started = { readonly pid: number; readonly line: string; stop(): Promise<void> };

/** Runs a script of this repository until it prints a line that matches; what it logs goes to a file. */
export async function start(
  script: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  ready: RegExp,
  logFile: string,
  flags: readonly string[] = [],
): Promise<Started> {
  const log = openSync(logFile, 'a');
  const child = spawn(process.execPath, [...flagsOf(script), ...flags, join(root, script), ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', log],
  });
  closeSync(log);
  const line = await firstLine(child, ready, logFile);
  const gone = new Promise<void>((resolve) => child.once('close', () => resolve()));
  return {
    pid: child.pid ?? 0,
    line,
    async stop() {
      child.kill('SIGTERM');
      await gone;
    },
  };
}

function firstLine(child: ChildProcess, ready: RegExp, logFile: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const timer = setTimeout(() => reject(new Error(`not ready in time: ${text}`)), startMaxMs);
    child.once('close', () => {
      reject(new Error(`ended before it was ready: ${text}${readFileSync(logFile, 'utf8')}`));
    });
    child.stdout?.setEncoding('utf8').on('data', (part: string) => {
      text += part;
      const found = text.split('\n').find((one) => ready.test(one));
      if (found === undefined) return;
      clearTimeout(timer);
      resolve(found);
    });
  });
}

export type Use = { readonly node: number; readonly postgres: number };

type Process = {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
  readonly ms: number;
};

/** Milliseconds of processor time so far: of some Node processes, and of the Postgres that this process has started. */
export function processorTime(...pids: readonly number[]): Use {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap(processOf);
  const sum = (some: readonly Process[]) => some.reduce((total, { ms }) => total + ms, 0);
  const parents = new Map(all.map((one) => [one.pid, one.parent]));
  const isOurs = (pid: number | undefined): boolean =>
    pid !== undefined && pid > 1 && (pid === process.pid || isOurs(parents.get(pid)));
  return {
    node: sum(all.filter((one) => pids.includes(one.pid))),
    postgres: sum(all.filter(({ command, parent }) => command === 'postgres' && isOurs(parent))),
  };
}

function processOf(name: string): readonly Process[] {
  try {
    const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
    const command = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return [
      {
        pid: Number(name),
        parent: Number(fields[1]),
        command,
        // Its own, and that of the children that have ended: a backend's goes to the server.
        ms: fields.slice(11, 15).reduce((ticks, field) => ticks + Number(field), 0) * tickMs,
      },
    ];
  } catch {
    return [];
  }
}

/** Resident memory of a process, in MiB. */
export const residentMiB = (pid: number): number => {
  const [, kib = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kib) / 1024;
};
