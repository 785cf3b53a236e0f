import { defineConfig } from 'vitest/config'

/** Needs Debian's mirror and a compiler: kept apart from the tests that need neither. */
export default defineConfig({
  test: {
    name: 'pgvector',
    root: import.meta.dirname,
    include: ['pgvector.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 300_000,
    maxWorkers: 1,
  },
})
