/**
 * Starts the service, or runs the command that is named. What Node has compiled once it finds again at the next start. In JavaScript: for a first file in
 * TypeScript Node would load its compiler, which takes 12 MB, though all other files come from the cache.
 */
import { lstatSync, mkdirSync } from 'node:fs';
import { enableCompileCache, registerHooks } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';

const isOwnFile = /^\.{1,2}\/.*\.ts$/;

/**
 * What is in the cache is run, whoever has written it: it is in a directory that nobody else can write to. Nothing where
 * there is none; Node's own is by a name that everybody on this machine may take first.
 */
function directoryOfOurs() {
  const uid = process.getuid?.();
  const directory = join(tmpdir(), `daybook-compiled-${uid ?? 'by-this-user'}`);
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const found = lstatSync(directory);
    const isOurs = uid === undefined || (found.uid === uid && (found.mode & 0o022) === 0);
    return found.isDirectory() && isOurs ? directory : undefined;
  } catch {
    return undefined;
  }
}

const compiled = directoryOfOurs();
if (compiled) enableCompileCache(compiled);
// Files name each other as they are called. Node would look for each import whether there is such a file, what it is a link
// to, and what the package that it is in says of its kind: an eighth of a start.
registerHooks({
  resolve(specifier, { parentURL }, next) {
    if (!parentURL || !isOwnFile.test(specifier)) return next(specifier);
    return { url: new URL(specifier, parentURL).href, format: 'module-typescript', shortCircuit: true };
  },
});
// Left to itself the heap grows to several times what is alive before it is collected. With less growth it is collected
// more often, and whoever waits at that moment waits longer.
setFlagsFromString('--heap-growing-percent=30');
// By itself Node would open its debugger to everybody on this machine.
process.on('SIGUSR1', () => undefined);
const [command] = process.argv.slice(2);
// The service has no use for the program that tells commands apart.
await (command === undefined ? import('./app/run.ts') : import('./app/cli/program.ts'));
