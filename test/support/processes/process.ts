import { spawn, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { onTestFinished } from 'vitest';
import { stopMaxMs } from '../../../src/app/start/stop.ts';
import { eventually } from '../resources/flows.ts';
import { turnInTime } from '../time/turns.ts';
import { testMasterKey } from './service.ts';

const root = resolve(import.meta.dirname, '../../..');
export const nodePath = process.execPath;
export const mainPath = join(root, 'src/main.js');

export type Exit = { readonly code: number | null; readonly signal: NodeJS.Signals | null };

/** The service as an operator sees it: a process, what it prints, and how it ends. */
export type Daybook = {
  readonly pid: number;
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** The address in the ready line; rejects with all output when the process ends before it. */
  readonly ready: Promise<string>;
  readonly exited: Promise<Exit>;
  /** To the process, or as Ctrl-C does, to its whole group. */
  kill(signal: NodeJS.Signals, to?: 'process' | 'group'): void;
};

export type SpawnOptions = {
  /** The working directory; the data directory lies in it unless the variables say otherwise. */
  readonly cwd: string;
  readonly variables?: Readonly<Record<string, string>>;
  /** What runs the command, to make it run as another user. */
  readonly prefix?: readonly string[];
  /** Of Node. */
  readonly flags?: readonly string[];
};

/** The machine may be busy with other tests. */
const patient = { DAYBOOK_REQUEST_DEADLINE_SECONDS: '300' };

const readyLine = /^Daybook is ready at (http:\/\/\S+)$/m;

/** Starts `node src/main.js` on a free port, with no environment but what is given. Nothing of it outlives the test file. */
export function spawnDaybook({ cwd, variables = {}, prefix = [], flags = [] }: SpawnOptions): Daybook {
  const masterKey = variables.DATABASE_URL ? { DAYBOOK_MASTER_KEY: testMasterKey } : {};
  const env = {
    PATH: process.env.PATH,
    PORT: '0',
    LOG_LEVEL: 'warn',
    ...patient,
    ...masterKey,
    ...variables,
  };
  const [command = nodePath, ...args] = [...prefix, nodePath, ...flags, mainPath];
  const child = spawn(command, args, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  running.add(child.pid ?? 0);
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
    });
  const exited = new Promise<Exit>((done, fail) => {
    child.once('error', fail);
    child.once('close', (code, signal) => done({ code, signal }));
  }).finally(() => running.delete(child.pid ?? 0));
  const ready = untilReady(child.stdout, output, exited);
  ready.catch(() => undefined);
  return {
    pid: child.pid ?? 0,
    stdout: () => output.stdout,
    stderr: () => output.stderr,
    ready,
    exited,
    kill: (signal, to = 'process') =>
      void process.kill(to === 'group' ? -(child.pid ?? 0) : (child.pid ?? 0), signal),
  };
}

const running = new Set<number>();
process.once('exit', () => {
  for (const pid of running) spawnSync('kill', ['-9', String(pid)]);
});

function untilReady(
  stdout: NodeJS.ReadableStream,
  output: { stdout: string; stderr: string },
  exited: Promise<Exit>,
): Promise<string> {
  return new Promise((done, fail) => {
    stdout.on('data', () => {
      const [, url] = readyLine.exec(output.stdout) ?? [];
      if (url) done(url);
    });
    exited.then(({ code, signal }) => {
      fail(new Error(`it ended with ${code ?? signal}\n${output.stdout}\n${output.stderr}`));
    }, fail);
  });
}

/** A directory that is gone, with every process that uses it, when the test ends. */
export async function temporaryDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'daybook-process-'));
  onTestFinished(() => removeDirectory(directory));
  return directory;
}

export async function removeDirectory(directory: string): Promise<void> {
  for (const pid of processesOf(directory)) spawnSync('kill', ['-9', String(pid)]);
  await rm(directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
}

/** The processes whose command line names something in this directory: Postgres, its guardian, initdb. */
export function processesOf(directory: string): readonly number[] {
  const { stdout } = spawnSync('ps', ['-Aww', '-o', 'pid=,args='], { encoding: 'utf8' });
  const lines = stdout.split('\n').filter((line) => line.includes(`${directory}/`));
  return lines.map((line) => Number.parseInt(line, 10)).filter((pid) => pid > 0);
}

/** Waits until it has told something: lines of its log are written a moment later. */
export const untilTold = ({ stderr }: Daybook, text: string): Promise<string> =>
  eventually(
    async () => stderr(),
    (told) => told.includes(text),
  );

/**
 * Whether it has ended cleanly in the time that a stop has. One that takes longer is cut short, which on a machine that
 * stands still may happen to any. Throws where it ends otherwise.
 */
export async function stopsInTime(
  daybook: Daybook,
  signal: NodeJS.Signals = 'SIGTERM',
  to: 'process' | 'group' = 'process',
): Promise<boolean> {
  const since = performance.now();
  daybook.kill(signal, to);
  const { code, signal: by } = await daybook.exited;
  if (code === 1 && performance.now() - since >= stopMaxMs) return false;
  if (code !== 0) throw new Error(`it ended with ${code ?? by}\n${daybook.stdout()}\n${daybook.stderr()}`);
  return true;
}

/** The same, and where it was cut short one of the next starts and stops has to be in time. */
export const stopsCleanly = async (daybook: Daybook, startAgain: () => Daybook): Promise<void> => {
  let running = daybook;
  await turnInTime(async () => {
    if (await stopsInTime(running)) return true;
    running = startAgain();
    await running.ready;
    return false;
  });
};

export const untilNothingRuns = (directory: string): Promise<readonly number[]> =>
  eventually(
    async () => processesOf(directory),
    ({ length }) => length === 0,
  );

/** Waits for initdb or Postgres. */
export const untilSomethingRuns = (directory: string): Promise<readonly number[]> =>
  eventually(
    async () => processesOf(directory),
    ({ length }) => length > 0,
  );

export const isRoot = process.getuid?.() === 0;
export const nobody = 65_534;
/** What makes a command run as an ordinary user; nothing where the tests run as one. */
export const asNobody: readonly string[] = asUser(nobody);
/** The same for one whose processes are counted: those of other tests are not among them. */
export const asCounted: readonly string[] = asUser(2);

function asUser(id: number): readonly string[] {
  return isRoot ? ['setpriv', `--reuid=${id}`, `--regid=${id}`, '--clear-groups', '--'] : [];
}

/** Why the ordinary user cannot be tried here; `undefined` when it can. */
export const whyNoNobody = noOrdinaryUser();

function noOrdinaryUser(): string | undefined {
  const [command, ...args] = asNobody;
  if (command === undefined) return undefined;
  const works = (...tried: string[]) => spawnSync(command, [...args, ...tried]).status === 0;
  if (!works('true')) return 'setpriv cannot change the user';
  return works(nodePath, '--check', mainPath) ? undefined : 'an ordinary user cannot read the sources';
}

/** The token that a first start has kept. */
export async function credentialsIn(cwd: string) {
  const text = await readFile(join(cwd, '.daybook/credentials'), 'utf8');
  const [clientId = '', clientSecret = ''] = text.trim().split(':');
  return { clientId, clientSecret };
}
