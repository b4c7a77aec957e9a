/** What supervises the service in a container of @daybook/testcontainers, with a `node` that only waits. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  failed,
  isAtWork,
  restoringSnapshot,
  supervisor,
  takingSnapshot,
} from '../../packages/testcontainers/src/supervisor.ts';
import { removeDirectory } from '../support/processes/process.ts';
import { eventually } from '../support/resources/flows.ts';

const waits = '#!/bin/sh\ntrap "exit 0" TERM\nwhile :; do sleep 0.05; done\n';
/** Writes a part, and then has no room. */
const copiesHalf = '#!/bin/sh\nmkdir -p "$3"; echo half >"$3/books"; echo "no space left" >&2; exit 1\n';

/** The same scripts, in a directory in place of a container. */
async function inDirectory() {
  const directory = await mkdtemp(join(tmpdir(), 'supervised-'));
  const here = (script: string) =>
    script
      .replaceAll('/var/lib/daybook', `${directory}/home`)
      .replaceAll('/tmp/daybook', `${directory}/daybook`);
  await mkdir(join(directory, 'bin'));
  await mkdir(join(directory, 'home/current'), { recursive: true });
  const env = { PATH: `${directory}/bin:${process.env.PATH}` };
  const program = async (name: string, text: string) => {
    await writeFile(join(directory, 'bin', name), text);
    await chmod(join(directory, 'bin', name), 0o755);
  };
  await program('node', waits);
  const supervising: ChildProcess = spawn('sh', ['-c', here(supervisor)], { env, stdio: 'ignore' });
  onTestFinished(async () => {
    supervising.kill();
    if (supervising.exitCode === null) await once(supervising, 'exit');
    await removeDirectory(directory);
  });
  const exec = (command: string) => promisify(execFile)('sh', ['-c', here(command)], { env });
  const ended = (command: string) =>
    exec(command).then(
      ({ stdout }) => ({ code: 0, stdout }),
      ({ code, stdout }) => ({ code, stdout }),
    );
  const books = join(directory, 'home/current/books');
  await eventually(
    () => readFile(join(directory, 'daybook.pid'), 'utf8').catch(() => ''),
    (pid) => pid !== '',
  );
  return {
    program,
    write: (text: string) => writeFile(books, text),
    read: () => readFile(books, 'utf8'),
    failure: () => ended(failed),
    async between(command: string) {
      await exec(command);
      await eventually(
        () => ended(isAtWork),
        ({ code }) => code !== 0,
      );
    },
  };
}

describe('a snapshot', () => {
  it('is brought back, whatever was changed since', async () => {
    const { write, read, between, failure } = await inDirectory();
    await write('first');
    await between(takingSnapshot('one'));
    await write('second');
    await between(restoringSnapshot('one'));
    expect(await read()).toBe('first');
    expect((await failure()).code).toBe(0);
  });

  it('that cannot be copied is told once, and the one before stays', async () => {
    const { write, read, between, failure, program } = await inDirectory();
    await write('first');
    await between(takingSnapshot('one'));
    await write('second');
    await program('cp', copiesHalf);
    await between(takingSnapshot('one'));
    expect(await failure()).toMatchObject({ code: 1, stdout: 'no space left\n' });
    expect((await failure()).code).toBe(0);
    await between(restoringSnapshot('one'));
    expect(await failure()).toMatchObject({ code: 1 });
    expect(await read()).toBe('second');
    await program('cp', '#!/bin/sh\nexec /bin/cp "$@"\n');
    await between(restoringSnapshot('one'));
    expect(await read()).toBe('first');
  });
});
