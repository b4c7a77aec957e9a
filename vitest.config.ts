import { defineConfig } from 'vitest/config';

const postgres = {
  globalSetup: './test/support/global-postgres.ts',
  testTimeout: 60_000,
  hookTimeout: 60_000,
};

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
          testTimeout: 60_000,
          hookTimeout: 60_000,
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
          testTimeout: 120_000,
          maxWorkers: 2,
        },
      },
      {
        test: {
          name: 'containers',
          include: ['test/containers/**/*.test.ts'],
          testTimeout: 180_000,
          hookTimeout: 300_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
