/** What the README lists is what the repository has. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const readme = readFileSync(join(root, 'README.md'), 'utf8');
const all = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, found = '']) => found);

/** What is neither written here nor kept in the repository. */
const notOurs = ['node_modules', 'dist', 'seen', 'scratch'];

const entriesOf = (folder: string) =>
  readdirSync(join(root, folder), { withFileTypes: true }).filter(
    ({ name }) => !name.startsWith('.') && !notOurs.includes(name),
  );

/** A folder and all below it. */
const foldersIn = (folder: string): readonly string[] => [
  folder,
  ...entriesOf(folder)
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) => foldersIn(join(folder, name))),
];

describe('the README', () => {
  const [, table = ''] = /^Folders with many entries.*\n\n((?:\|.*\n)+)/m.exec(readme) ?? [];
  const listed = all(table, /`([^`]+)`/g);

  it('has every folder with more than twenty entries', () => {
    const crowded = entriesOf('.')
      .filter((entry) => entry.isDirectory())
      .flatMap(({ name }) => foldersIn(name))
      .filter((folder) => entriesOf(folder).length > 20);
    expect(crowded.filter((folder) => !listed.includes(folder))).toEqual([]);
  });

  it('lists no folder that has few', () => {
    expect(listed.filter((folder) => entriesOf(folder).length <= 10)).toEqual([]);
  });

  it('has the folders that there are', () => {
    const [, tree = ''] = /^## Folders\n[^`]*```\n([\s\S]*?)```/m.exec(readme) ?? [];
    const shown = all(tree, /^([a-z]+)\/ /gm);
    const there = entriesOf('.').flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
    const known = new Set([...shown, ...all(tree, /^(src)\/$/gm)]);
    expect(there.filter((name) => existsSync(join(root, name)) && !known.has(name))).toEqual([]);
    const wings = entriesOf('src').flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
    expect(wings.filter((name) => !tree.includes(`\n  ${name}/ `))).toEqual([]);
  });

  it('has every npm script', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const ofNpm = ['postinstall'];
    const named = all(readme, /`npm (?:run )?([a-z:]+)`/g);
    const lacking = Object.keys(scripts).filter((name) => !named.includes(name) && !ofNpm.includes(name));
    expect(lacking).toEqual([]);
    expect(named.filter((name) => !(name in scripts) && name !== 'ci')).toEqual([]);
  });
});
