import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

type Entry = { readonly link?: boolean; readonly integrity?: string };

function entriesOf(folder: string) {
  const path = join(import.meta.dirname, '../..', folder, 'package-lock.json');
  const { packages } = JSON.parse(readFileSync(path, 'utf8'));
  return Object.entries<Entry>(packages).filter(
    ([name, { link }]) => name !== '' && !link && !name.startsWith('packages/'),
  );
}

describe('a lock file', () => {
  it.each([
    ['.', 500],
    ['runtime', 2],
    ['packages/client/generator', 20],
  ])('has a SHA-512 hash for every package, also of other machines: %s', (folder, atLeast) => {
    const entries = entriesOf(folder);
    expect(entries.length).toBeGreaterThan(atLeast);
    expect(entries.filter(([, { integrity }]) => !integrity?.startsWith('sha512-'))).toEqual([]);
  });
});
