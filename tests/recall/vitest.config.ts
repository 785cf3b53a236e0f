import { defineConfig } from 'vitest/config'

/** Needs the npm registry once, and a real model: kept apart from the tests that need neither. */
export default defineConfig({
  test: {
    name: 'recall',
    root: import.meta.dirname,
    include: ['recall.test.ts', 'content.test.ts', 'search-gateway.test.ts'],
    testTimeout: 120_000,
    hookTimeout: 600_000,
    maxWorkers: 1,
  },
})
