import { defineConfig } from 'vitest/config';
import { patienceMs, testMaxMs } from './test/support/patience.ts';

/** The same everywhere: a machine that is busy with other things is no reason to fail. */
const patient = {
  testTimeout: testMaxMs,
  hookTimeout: testMaxMs,
  expect: { poll: { timeout: patienceMs, interval: 20 } },
};

const postgres = { globalSetup: './test/support/global-postgres.ts', ...patient };

/** These tests leave nothing behind in modules, so files share them rather than load them anew. */
const shared = { isolate: false, maxWorkers: '100%' };

/** Three speed classes: pure, over HTTP in process, and what takes several processes or servers. */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          ...shared,
          ...patient,
          include: ['test/**/*.test.ts'],
          exclude: ['test/**/*.int.test.ts', 'test/api/**', 'test/containers/**'],
        },
      },
      { test: { name: 'api', include: ['test/api/**/*.test.ts'], ...postgres, ...shared } },
      {
        test: {
          name: 'integration',
          include: ['test/**/*.int.test.ts'],
          ...postgres,
          maxWorkers: 2,
        },
      },
      {
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
