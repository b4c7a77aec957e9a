// Runs after npm has installed the packages. Puts a Node that runs the sources into node_modules/.bin, where npm scripts
// and bin/daybook find it: this one where it is new enough, else Node 24 from the registry, by the lock file in runtime/.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

const newEnough = 24;
const root = join(import.meta.dirname, '..');
const runtime = join(root, 'runtime');
const bin = join(root, 'node_modules', '.bin');

const majorOf = (version) => Number(version.replace(/^v/, '').split('.')[0]);

/** The Node in runtime/, once npm has installed it there; nothing where the registry has none for this machine. */
function fetched() {
  const npm = process.env.npm_execpath;
  const args = [
    'ci',
    '--prefix',
    runtime,
    '--include=optional',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ];
  const [command, ...first] = npm ? [process.execPath, npm] : ['npm'];
  execFileSync(command, [...first, ...args], { stdio: ['ignore', 'ignore', 'inherit'] });
  const packages = join(runtime, 'node_modules');
  const found = readdirSync(packages).filter((name) => name.startsWith('node-'));
  return found.map((name) => join(packages, name, 'bin', 'node')).find(runs);
}

function runs(node) {
  const { status, stdout } = spawnSync(node, ['--version'], { encoding: 'utf8' });
  return status === 0 && majorOf(stdout) >= newEnough;
}

function node() {
  if (majorOf(process.versions.node) >= newEnough) return process.execPath;
  try {
    return fetched();
  } catch {
    return undefined;
  }
}

const path = node();
if (path) {
  mkdirSync(bin, { recursive: true });
  rmSync(join(bin, 'node'), { force: true });
  symlinkSync(path, join(bin, 'node'));
} else {
  process.stderr.write(
    `Daybook runs on Node ${newEnough} or newer. This is ${process.version}, and npm could fetch no newer one for ${process.platform} ${process.arch}: install Node ${newEnough}, and run npm ci again.\n`,
  );
  process.exitCode = 1;
}
