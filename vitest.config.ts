import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { keepTemporaryInMemory } from './test/support/processes/temporary.ts';
import { LongestFirst } from './test/support/time/longest-first.ts';
import { patienceMs, testMaxMs } from './test/support/time/patience.ts';

keepTemporaryInMemory();

/** The same everywhere: a machine that is busy with other things is no reason to fail. */
const patient = {
  testTimeout: testMaxMs,
  hookTimeout: testMaxMs,
  expect: { poll: { timeout: patienceMs, interval: 20 } },
};

/**
 * Packages of this repository are their sources here, and what tsc makes of them when they are installed. By aliases:
 * vitest does not ask for conditions where it loads what runs before all tests.
 */
const aliases = ['client', 'testing', 'testcontainers'].flatMap((name) => {
  const folder = join(import.meta.dirname, 'packages', name);
  const { exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return Object.entries<Record<string, string>>(exports).map(([path, to]) => ({
    find: new RegExp(`^@daybook/${name}${path.slice(1)}$`),
    replacement: join(folder, to['@daybook/source'] ?? ''),
  }));
});
const sources = { resolve: { alias: aliases } };

const postgres = {
  globalSetup: './test/support/postgres/global-postgres.ts',
  setupFiles: './test/support/postgres/databases-of-a-file.ts',
  ...patient,
};

/** These tests leave nothing behind in modules, so files share them rather than load them anew. */
const shared = { isolate: false, maxWorkers: 3, sequence: { groupOrder: 0 } };

/** These wait for processes and servers more than they compute. */
const waiting = { maxWorkers: 4, sequence: { groupOrder: 1 } };

/** Of the tests over HTTP those that find most, for `npm run check`. */
const first = ['payout', 'http', 'idempotency*', 'tenancy', 'authentication', 'authorization', 'foreign-ids'];

/**
 * Three speed classes: pure, over HTTP in process, and what takes several processes or servers. The examples are tests of
 * who uses the service.
 */
export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        ...sources,
        test: {
          name: 'unit',
          ...shared,
          ...patient,
          include: ['test/**/*.test.ts'],
          exclude: ['test/**/*.int.test.ts', 'test/api/**', 'test/containers/**', 'test/console/pages/**'],
        },
      },
      { ...sources, test: { name: 'api', include: ['test/api/**/*.test.ts'], ...postgres, ...shared } },
      {
        ...sources,
        test: {
          name: 'first',
          include: first.map((name) => `test/api/${name}.test.ts`),
          ...postgres,
          ...shared,
        },
      },
      {
        ...sources,
        test: {
          name: 'integration',
          include: ['test/**/*.int.test.ts'],
          ...postgres,
          ...waiting,
        },
      },
      {
        ...sources,
        test: {
          name: 'examples',
          include: ['examples/**/*.test.ts'],
          globalSetup: './packages/testing/src/global-setup.ts',
          setupFiles: './packages/testing/src/matchers.ts',
          ...patient,
          ...waiting,
        },
      },
      {
        ...sources,
        test: {
          name: 'browser',
          include: ['test/console/pages/**/*.test.ts'],
          ...patient,
          ...waiting,
          maxWorkers: 1,
          sequence: { groupOrder: 2 },
        },
      },
      {
        ...sources,
        test: {
          name: 'containers',
          include: ['test/containers/**/*.test.ts'],
          ...patient,
          fileParallelism: false,
        },
      },
    ],
  },
});
