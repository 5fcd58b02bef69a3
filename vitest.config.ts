import { defineConfig } from 'vitest/config';

// Node 20 cannot parse `await using`: it is lowered to try/finally.
const oxc = { target: 'node20' };

const PACKAGE = ['test/package/**/*.test.ts', 'test/exports.test.ts'];

// Whoever waits for a condition gives up late: on a busy machine a start of Node may take half a minute.
const waiting = { poll: { timeout: 100_000, interval: 10 } };

/** They change or count what the whole process shares, such as whether it may start programs at all. */
const ALONE = [
  'src/cli/interrupt-twice.test.ts',
  'src/lib/process/live-processes.test.ts',
  'src/sandboxes/namespace.test.ts',
];

const unit = {
  pool: 'threads',
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: waiting,
  maxWorkers: 3,
  sequence: { groupOrder: 1 },
} as const;

/** Much of their time they wait for programs, which wait for leases and for each other: more of them than processors. */
const processes = {
  pool: 'forks',
  testTimeout: 300_000,
  hookTimeout: 300_000,
  expect: waiting,
  maxWorkers: 4,
  sequence: { groupOrder: 0 },
} as const;

export default defineConfig({
  test: {
    projects: [
      {
        oxc,
        test: {
          name: 'unit',
          globalSetup: ['test/support/shared-postgres.ts'],
          include: ['src/**/*.test.ts', 'web/src/**/*.test.ts', 'test/**/*.test.ts'],
          exclude: [
            'test/e2e/**',
            'test/browser/**',
            'test/sandbox/**',
            'test/exploits/**',
            ...PACKAGE,
            ...ALONE,
            '**/node_modules/**',
            '**/dist/**',
          ],
          // Modules are loaded once a thread and not once a file: a third of the time of all unit tests.
          isolate: false,
          ...unit,
        },
      },
      { oxc, test: { name: 'unit alone', include: ALONE, ...unit } },
      {
        oxc,
        test: {
          name: 'e2e',
          globalSetup: ['test/e2e/support/dist.ts', 'test/support/shared-postgres.ts'],
          include: ['test/e2e/**/*.test.ts'],
          // The program as it was built, also where a test runs it in its own process.
          server: { deps: { external: [/\/dist\//] } },
          ...processes,
        },
      },
      {
        oxc,
        test: {
          name: 'sandbox',
          globalSetup: ['test/e2e/support/dist.ts'],
          include: ['test/sandbox/**/*.test.ts', 'test/exploits/**/*.test.ts'],
          server: { deps: { external: [/\/dist\//] } },
          ...processes,
          maxWorkers: 2,
          sequence: { groupOrder: 2 },
        },
      },
      {
        oxc,
        test: {
          name: 'browser',
          globalSetup: [
            'test/e2e/support/dist.ts',
            'test/support/shared-postgres.ts',
            'test/browser/support/unpacked-browser.ts',
          ],
          include: ['test/browser/**/*.test.ts'],
          ...processes,
        },
      },
      {
        oxc,
        test: {
          name: 'package',
          globalSetup: ['test/e2e/support/dist.ts', 'test/package/support/install-once.ts'],
          include: PACKAGE,
          ...processes,
        },
      },
    ],
  },
});
