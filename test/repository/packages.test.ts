/** What the packages and examples may import, and that they say what they need. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { requireNode } from '../../packages/testing/src/node-24.ts';
import { importsOf } from '../support/repository/source-rules.ts';

const root = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const service = JSON.parse(read('package.json'));
const packageOf = (name: string) => name.split('/', name.startsWith('@') ? 2 : 1).join('/');

/** The service as `@daybook/testing` may know it. */
const entries = [
  'src/app/config.ts',
  'src/app/service.ts',
  'src/infrastructure/observe/log.ts',
  'src/infrastructure/postgres/data-directory.ts',
  'src/infrastructure/postgres/embedded.ts',
  'src/infrastructure/postgres/pool.ts',
  'src/infrastructure/postgres/running.ts',
];

const importsIn = (folder: string) =>
  globSync(`${folder}/**/*.ts`, { cwd: root, exclude: ['**/dist/**', '**/node_modules/**'] }).flatMap(
    (path) =>
      importsOf({ path, text: read(path) })
        .filter((name) => !name.startsWith(`${folder}/`))
        .map((name) => ({ path, name })),
  );
const isOwn = (name: string) => /^(src|projections|test|packages|examples)\//.test(name);

describe.each([
  ['packages/client/src', []],
  ['packages/testcontainers/src', []],
  ['packages/testing/src', entries],
  ['examples', []],
] as const)('%s', (folder, allowed) => {
  it('imports nothing of the service beyond what it is given', () => {
    const imported = importsIn(folder).filter(({ name }) => isOwn(name));
    expect(imported.filter(({ name }) => !allowed.some((entry) => entry === name))).toEqual([]);
  });
});

describe('the package testing', () => {
  it('says which Node it needs, before it uses any of it', () => {
    const { exports } = JSON.parse(read('packages/testing/package.json'));
    for (const { '@daybook/source': source } of Object.values<Record<string, string>>(exports))
      expect(/^import .*$/m.exec(read(join('packages/testing', source ?? '')))?.[0]).toBe(
        "import './node-24.ts';",
      );
    expect(() => requireNode('20.20.2')).toThrow(/needs Node 24 or newer, and this is Node 20\.20\.2/);
    expect(() => requireNode('24.0.0')).not.toThrow();
  });
});

describe.each(['client', 'testing', 'testcontainers'])('the package %s', (name) => {
  const own = JSON.parse(read(`packages/${name}/package.json`));
  const needed = { ...own.dependencies, ...own.peerDependencies };

  it('needs what it imports', () => {
    const imported = importsIn(`packages/${name}/src`)
      .map(({ name: from }) => from)
      .filter((from) => !isOwn(from) && !from.startsWith('node:'));
    expect(imported.map(packageOf).filter((from) => !(from in needed))).toEqual([]);
  });

  it('has the files of its exports', () => {
    const sources = Object.values<Record<string, string>>(own.exports).map(
      (to) => to['@daybook/source'] ?? '',
    );
    for (const source of sources) expect(globSync(join(root, 'packages', name, source))).toHaveLength(1);
  });

  it('has files of at most 300 lines, but for what is generated', () => {
    const files = globSync(`packages/${name}/src/*.ts`, { cwd: root });
    expect(files.filter((path) => read(path).split('\n').length > 301)).toEqual([]);
  });
});

describe('the package testing', () => {
  const { dependencies } = JSON.parse(read('packages/testing/package.json'));
  const ofService = Object.fromEntries(
    Object.entries(dependencies).filter(([name]) => !name.startsWith('@daybook/')),
  );

  it('has the packages of the service, in the same versions, but for those of its commands', () => {
    const { commander: _commands, 'pino-pretty': _terminals, ...needed } = service.dependencies;
    expect(ofService).toEqual(needed);
  });
});
