/** The packages of this repository as who installs them gets them. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { patienceMs } from '../time/patience.ts';

const root = resolve(import.meta.dirname, '../../..');
const run = promisify(execFile);
const outputMax = 32 * 1024 * 1024;

export type Installed = {
  readonly directory: string;
  /** Runs a file with this Node; what it printed. Throws when it fails. */
  readonly node: (file: string, variables?: Readonly<Record<string, string>>) => Promise<string>;
  /** Runs a command of an installed package. */
  readonly command: (
    name: string,
    args: readonly string[],
    variables?: Readonly<Record<string, string>>,
  ) => Promise<string>;
  readonly remove: () => Promise<void>;
};

/** Packs packages of this repository, and installs the tarballs, with others of the registry, in an empty folder. */
export async function installPacked(
  names: readonly string[],
  others: readonly string[] = [],
): Promise<Installed> {
  const directory = await mkdtemp(join(tmpdir(), 'daybook-packages-'));
  const workspaces = names.flatMap((name) => ['--workspace', `@daybook/${name}`]);
  const { stdout } = await alone(() =>
    npm(root, ['pack', '--json', '--pack-destination', directory, ...workspaces]),
  );
  const tarballs = filenames(stdout).map((name) => join(directory, name));
  await writeFile(join(directory, 'package.json'), '{"private":true,"type":"module"}');
  await npm(directory, ['install', '--prefer-offline', '--no-audit', '--no-fund', ...tarballs, ...others]);
  const here = async (command: string, args: readonly string[], variables = {}) => {
    const env = { PATH: `${dirname(process.execPath)}:${process.env.PATH}`, ...variables };
    const ended = run(command, args, { cwd: directory, maxBuffer: outputMax, env });
    const { stdout } = await ended.catch((cause: { stdout?: string; stderr?: string }) => {
      throw new Error(`${command} failed:\n${cause.stdout}\n${cause.stderr}`, { cause });
    });
    return stdout;
  };
  return {
    directory,
    node: (file, variables) => here(process.execPath, [file], variables),
    command: (name, args, variables) => here(join(directory, 'node_modules/.bin', name), args, variables),
    remove: () => rm(directory, { recursive: true, force: true }),
  };
}

/** Packing builds in the repository: test files that do so take turns. */
async function alone<T>(work: () => Promise<T>): Promise<T> {
  const lock = join(root, '.cache/packing');
  await mkdir(dirname(lock), { recursive: true });
  const until = Date.now() + patienceMs;
  // Of a run that was killed: taken over in the end.
  while (!(await isMade(lock)) && Date.now() < until) await setTimeout(100);
  try {
    return await work();
  } finally {
    await rm(lock, { recursive: true, force: true });
  }
}

const isMade = (directory: string): Promise<boolean> =>
  mkdir(directory).then(
    () => true,
    () => false,
  );

/** npm has told them as a list, and by the name of the package. */
function filenames(json: string): readonly string[] {
  const packed: Readonly<Record<string, { readonly filename: string }>> = JSON.parse(
    json.slice(json.search(/^[[{]/m)),
  );
  return Object.values(packed).map(({ filename }) => filename);
}

const npm = (cwd: string, args: readonly string[]) => {
  const env = {
    ...process.env,
    NODE_ENV: 'development',
    PATH: `${join(root, 'node_modules/.bin')}:${process.env.PATH}`,
  };
  return run('npm', args, { cwd, env, maxBuffer: outputMax });
};

/** Writes the files that a page has one save: a name after "Save as", then a block of code. */
export async function saveFilesOf(page: string, directory: string): Promise<readonly string[]> {
  const text = await readFile(join(root, page), 'utf8');
  const files = [...text.matchAll(/Save as `([^`]+)`[^\n]*\n\n```\w+\n([\s\S]*?)^```/gm)];
  await mkdir(directory, { recursive: true });
  for (const [, file = '', code = ''] of files) await writeFile(join(directory, file), code);
  return files.map(([, file = '']) => file);
}
