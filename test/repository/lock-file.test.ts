import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

type Entry = {
  readonly link?: boolean;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly optional?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
};

const lock = JSON.parse(readFileSync(join(import.meta.dirname, '../../package-lock.json'), 'utf8'));
const entries = Object.entries<Entry>(lock.packages).filter(([path, { link }]) => path !== '' && !link);

/** Where the image and the checks run: Linux with glibc, on these processors. */
const runsHere = ({ os = ['linux'], cpu = ['x64'], libc = ['glibc'] }: Entry) =>
  os.includes('linux') && cpu.some((one) => one === 'x64' || one === 'arm64') && libc.includes('glibc');

describe('the lock file', () => {
  it('has SHA-512 hashes', () => {
    const hashes = entries.flatMap(([, { integrity }]) => (integrity === undefined ? [] : [integrity]));
    expect(hashes.length).toBeGreaterThan(500);
    expect(hashes.filter((hash) => !hash.startsWith('sha512-'))).toEqual([]);
  });

  it('names no place for a package without its hash', () => {
    expect(entries.filter(([, { resolved, integrity }]) => resolved && !integrity)).toEqual([]);
  });

  it('leaves open only optional builds for machines that the service is not run on', () => {
    const open = entries.filter(([, { integrity }]) => !integrity);
    expect(open.filter(([, entry]) => !entry.optional || runsHere(entry))).toEqual([]);
  });
});
