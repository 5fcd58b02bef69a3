import { defineConfig } from 'vitest/config';

// Node 20 cannot parse `await using`: it is lowered to try/finally.
const oxc = { target: 'node20' };

export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      {
        oxc,
        test: {
          name: 'unit',
          include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
          exclude: ['test/e2e/**', 'test/exports.test.ts', '**/node_modules/**', '**/dist/**'],
          pool: 'threads',
          testTimeout: 60_000,
        },
      },
      {
        oxc,
        test: {
          name: 'e2e',
          globalSetup: ['test/e2e/support/dist.ts'],
          include: ['test/e2e/**/*.test.ts', 'test/exports.test.ts'],
          pool: 'forks',
          testTimeout: 120_000,
          hookTimeout: 180_000,
        },
      },
    ],
  },
});
