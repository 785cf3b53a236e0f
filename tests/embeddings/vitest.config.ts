import { defineConfig } from 'vitest/config'

/** Needs the npm registry once, and a real model: kept apart from the tests that need neither. */
export default defineConfig({
  test: {
    name: 'embeddings',
    root: import.meta.dirname,
    include: ['*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 50_000 } },
    maxWorkers: 1,
  },
})
