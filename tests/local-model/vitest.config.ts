import { defineConfig } from 'vitest/config'

/** Needs the npm registry once, half a gigabyte and a patient processor: kept apart from the tests that need none of it. */
export default defineConfig({
  test: {
    name: 'local-model',
    root: import.meta.dirname,
    include: ['*.test.ts'],
    testTimeout: 1_500_000,
    hookTimeout: 900_000,
    maxWorkers: 1,
  },
})
