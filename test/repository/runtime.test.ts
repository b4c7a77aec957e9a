import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');

/** A Node of this machine that is too old to run the sources. */
const older = (process.env.PATH ?? '')
  .split(':')
  .map((directory) => join(directory, 'node'))
  .find((path) => /^v2[0-3]\./.test(spawnSync(path, ['--version'], { encoding: 'utf8' }).stdout ?? ''));

describe('the Node that the sources run on', () => {
  let directory: string;
  const link = () => readlinkSync(join(directory, 'node_modules/.bin/node'));

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'daybook-runtime-'));
    mkdirSync(join(directory, 'runtime'));
    cpSync(join(root, 'bin/fetch-runtime.js'), join(directory, 'bin/fetch-runtime.js'));
    writeFileSync(join(directory, 'package.json'), '{"type":"module"}');
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  /** With an npm that installs what this script says. */
  function fetchWith(node: string, npm: string) {
    writeFileSync(join(directory, 'npm.cjs'), npm);
    const env = { PATH: process.env.PATH, npm_execpath: join(directory, 'npm.cjs') };
    return spawnSync(node, [join(directory, 'bin/fetch-runtime.js')], { env, encoding: 'utf8' });
  }

  it('is that of the machine where it is new enough: nothing is fetched', () => {
    const { status } = fetchWith(process.execPath, `require('fs').writeFileSync(__dirname + '/asked', '')`);
    expect([status, link()]).toEqual([0, process.execPath]);
    expect(existsSync(join(directory, 'asked'))).toBe(false);
  });

  it.skipIf(!older)('is fetched by the lock file where it is not', () => {
    const npm = `
      const { mkdirSync, symlinkSync, writeFileSync } = require('fs');
      const at = process.argv[process.argv.indexOf('--prefix') + 1] + '/node_modules/node-some-machine/bin';
      mkdirSync(at, { recursive: true });
      symlinkSync('${process.execPath}', at + '/node');
      writeFileSync(__dirname + '/asked', process.argv[2]);`;
    const { status } = fetchWith(older ?? '', npm);
    expect([status, link()]).toEqual([0, join(directory, 'runtime/node_modules/node-some-machine/bin/node')]);
  });

  it.skipIf(!older).each(['process.exit(1)', `require('fs').mkdirSync(process.argv[4] + '/node_modules')`])(
    'is asked for in one line where none can be had: %s',
    (npm) => {
      const { status, stderr } = fetchWith(older ?? '', npm);
      expect([status, existsSync(join(directory, 'node_modules/.bin/node'))]).toEqual([1, false]);
      expect(stderr).toMatch(
        /^Daybook runs on Node 24 or newer\. This is v2\d\..*: install Node 24, and run npm ci again\.\n$/,
      );
    },
  );
});
