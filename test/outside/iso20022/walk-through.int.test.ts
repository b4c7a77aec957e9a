import { execFile } from 'node:child_process';
import { readFileSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { reasonsUnmatched } from '../../../src/outside/iso20022/files/entries.ts';
import { orderVersions } from '../../../src/outside/iso20022/messages/pain-001.ts';
import { readable } from '../../../src/outside/iso20022/messages/read.ts';
import { reasonRows } from '../../../src/outside/iso20022/values/reasons.ts';
import { nodePath, spawnDaybook, stopsCleanly, temporaryDirectory } from '../../support/processes/process.ts';

const root = resolve(import.meta.dirname, '../../..');
const page = readFileSync(join(root, 'docs/how-to/connect-a-bank.md'), 'utf8');
const [settings = '', start = '', ...steps] = [...page.matchAll(/```sh\n([\s\S]*?)```/g)].map(
  ([, text]) => text,
);

const run = async (script: string, cwd: string): Promise<string> => {
  const env = { PATH: `${join(nodePath, '..')}:${process.env.PATH}` };
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], { cwd, env });
  return stdout;
};

/** The variables in front of the command that starts the service. */
const variables = Object.fromEntries(
  [...start.matchAll(/(DAYBOOK_\w+)=(\S+)/g)].map(([, name, value]) => [name, value]),
);

/** Where the page waits for some seconds, the test waits until the rail has done what is there: longer under load. */
const patience = `sleep() {
  command sleep 3
  for turn in {1..120}; do
    [ -z "$(ls bank/in; ls bank/state/waiting)" ] && break
    command sleep 1
  done
  command sleep 1
}`;

describe('the page on connecting a bank', () => {
  it('is a way that can be walked', async () => {
    const cwd = await temporaryDirectory();
    symlinkSync(join(root, 'docs'), join(cwd, 'docs'));
    await run(settings, cwd);
    const startIt = () => spawnDaybook({ cwd, variables });
    const daybook = startIt();
    const url = await daybook.ready;
    const script = [patience, ...steps].join('\n').replace(/BASE=\S+/, `BASE=${url}`);
    const shown = await run(script, cwd);
    const stopped = stopsCleanly(daybook, startIt);
    expect(shown).toContain('balance 10000');
    expect(shown).toContain('<InstdAmt Ccy="EUR">25.00</InstdAmt>');
    expect(shown).toContain('booked: COMPLETED');
    expect(shown).toContain('returned: FAILED');
    await stopped;
  });

  it.each([
    [[], 'Usage: node play-bank.mjs FOLDER ACTION …'],
    [['.', 'rob'], 'Usage: node play-bank.mjs FOLDER ACTION …'],
    [['none', 'book'], 'none is no folder of the rail'],
  ])('has a bank to play with that says in one line what it needs: %j', async (args, told) => {
    const bank = promisify(execFile)(nodePath, [join(root, 'docs/examples/play-bank.mjs'), ...args]);
    await expect(bank).rejects.toMatchObject({ code: 2, stderr: expect.stringMatching(/^.+\n$/) });
    await expect(bank).rejects.toMatchObject({ stderr: expect.stringContaining(told) });
  });

  it.each([
    ['message that is read', Object.keys(readable)],
    ['version of orders', orderVersions],
    ['case for an operator', reasonsUnmatched],
    ['beginning of a code', reasonRows.flatMap(({ begin }) => begin)],
    ['failure reason', reasonRows.map(({ reason }) => reason)],
  ])('names every %s', (_what, names) => {
    for (const name of names) expect(page).toContain(`\`${name}\``);
  });
});
