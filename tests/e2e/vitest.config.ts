import { defineConfig } from 'vitest/config'
import { secondTry, unsteadyTests } from '../unsteady-tests.ts'

/** A browser, a gateway, an executor and a database for each file: one at a time, apart from the tests that need no browser. */
export default defineConfig({
  test: {
    name: 'e2e',
    root: import.meta.dirname,
    include: ['src/**/*.e2e.ts'],
    globalSetup: ['src/built-pages.ts'],
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 120_000 } },
    maxWorkers: 1,
    retry: secondTry,
    reporters: ['default', unsteadyTests()],
  },
})
