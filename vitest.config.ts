import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

const shared = {
  resolve: { conditions: ['source'] },
  ssr: { resolve: { conditions: ['source'] } },
};

/** Limits that end what hangs, far beyond what any test takes: a slow machine fails none. */
const patient = { testTimeout: 600_000, hookTimeout: 600_000, expect: { poll: { timeout: 120_000 } } };

/** On PostgreSQL, tests use databases one after the other. */
const databases = { globalSetup: ['packages/server/test/reuse-databases.ts'] };

/** The browser tests that measure times. */
const TIMED = 'test/browser/speed.test.ts';

export default defineConfig({
  test: {
    // Workers wait for disks, timers and child processes a fifth of their time; one more than cores uses that time.
    maxWorkers: availableParallelism() + 1,
    projects: [
      {
        ...shared,
        test: {
          name: 'unit',
          // No module keeps state, so files may share them: loading them is a third of the time otherwise.
          isolate: false,
          // Hubs come and go by the thousand, and a larger young generation spares the garbage collector work.
          execArgv: ['--max-semi-space-size=64'],
          include: [
            'packages/*/src/**/*.test.ts',
            'packages/*/test/**/*.test.ts',
            'test/receiver/**/*.test.ts',
            'test/attacks/**/*.test.ts',
          ],
          exclude: ['**/*.fuzz.test.ts'],
          ...databases,
          ...patient,
        },
      },
      { ...shared, test: { name: 'architecture', include: ['test/architecture/**/*.test.ts'], ...patient } },
      { ...shared, test: { name: 'packages', include: ['test/packages/**/*.test.ts'], ...patient } },
      {
        ...shared,
        test: { name: 'fuzz', include: ['packages/*/test/**/*.fuzz.test.ts'], ...databases, ...patient },
      },
      { ...shared, test: { name: 'faults', include: ['test/faults/**/*.test.ts'], ...patient } },
      {
        ...shared,
        test: {
          name: 'browser',
          // Files of a worker share its browser and its modules; each has a hub of its own, and each visitor a profile.
          isolate: false,
          include: ['test/browser/**/*.test.ts'],
          exclude: [TIMED],
          ...patient,
        },
      },
      {
        ...shared,
        // After the others: a second browser and hub would add to the times.
        test: { name: 'browser-times', include: [TIMED], sequence: { groupOrder: 1 }, ...patient },
      },
      { ...shared, test: { name: 'compat', include: ['test/compat/**/*.test.ts'], ...patient } },
      { ...shared, test: { name: 'deploy', include: ['test/deploy/**/*.test.ts'], ...patient } },
      {
        ...shared,
        test: {
          name: 'jobs',
          include: ['test/jobs/**/*.test.ts'],
          globalSetup: ['test/jobs/podman.ts'],
          // One engine, and times are measured.
          fileParallelism: false,
          ...patient,
        },
      },
    ],
  },
});
