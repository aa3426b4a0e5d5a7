import { defineConfig } from 'vitest/config';

const shared = {
  resolve: { conditions: ['source'] },
  ssr: { resolve: { conditions: ['source'] } },
};

export default defineConfig({
  test: {
    projects: [
      {
        ...shared,
        test: {
          name: 'unit',
          include: ['packages/*/src/**/*.test.ts', 'packages/*/test/**/*.test.ts'],
          exclude: ['**/*.fuzz.test.ts'],
        },
      },
      { ...shared, test: { name: 'architecture', include: ['test/architecture/**/*.test.ts'] } },
      { ...shared, test: { name: 'fuzz', include: ['packages/*/test/**/*.fuzz.test.ts'], testTimeout: 600_000 } },
      { ...shared, test: { name: 'faults', include: ['test/faults/**/*.test.ts'], testTimeout: 300_000 } },
    ],
  },
});
