import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

type Entry = { readonly link?: boolean; readonly integrity?: string };

const lock = JSON.parse(readFileSync(join(import.meta.dirname, '../../package-lock.json'), 'utf8'));
const entries = Object.entries<Entry>(lock.packages).filter(([path, { link }]) => path !== '' && !link);

describe('the lock file', () => {
  it('has a SHA-512 hash for every package, also of other machines', () => {
    expect(entries.length).toBeGreaterThan(500);
    expect(entries.filter(([, { integrity }]) => !integrity?.startsWith('sha512-'))).toEqual([]);
  });
});
