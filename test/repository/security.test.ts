import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const text = read('SECURITY.md');

/** By who wants something: the rows of the tables. */
const claims = text
  .split('\n## ')
  .filter((section) => section.startsWith('Who could want something'))
  .flatMap((section) => section.split('\n'))
  .filter((line) => line.startsWith('| ') && !line.startsWith('| Wants') && !line.startsWith('| --'));
const linksIn = (line: string) => [...line.matchAll(/\]\(([^)#]+)/g)].map(([, path = '']) => path);

describe('SECURITY.md', () => {
  it('makes claims', () => expect(claims.length).toBeGreaterThan(30));

  it.each(claims.map((line) => [line.split('|')[1]?.trim(), line]))(
    'has a test against who wants %s',
    (_wish, line) => {
      const [, , holds = '', proof = ''] = line.split('|');
      expect(holds.trim()).not.toBe('');
      const tests = linksIn(proof);
      expect(tests.length).toBeGreaterThan(0);
      for (const path of tests) {
        expect(path).toMatch(/^test\/.+\.test\.ts$/);
        expect([path, existsSync(join(root, path))]).toEqual([path, true]);
      }
    },
  );

  it('links to what is there', () => {
    expect(linksIn(text).filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  it.each(['README.md', 'docs/operations.md', 'docs/architecture.md'])('is linked from %s', (page) => {
    expect(read(page)).toMatch(/\]\((\.\.\/)?SECURITY\.md\)/);
  });
});
