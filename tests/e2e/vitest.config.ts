import { defineConfig } from 'vitest/config'
import { sized } from '../size.ts'
import { secondTry, unsteadyTests } from '../unsteady-tests.ts'
import { patienceMs } from './src/until.ts'

/** What every change is tried with: getting in, talking, deciding, and every screen once. */
const small = ['src/{a11y,approvals,chat,keyboard,live,onboarding,palette,speed}.e2e.ts', 'src/jobs/*.e2e.ts']

/** A browser, a gateway, an executor and a database for each file: one at a time, apart from the tests that need no browser. */
export default defineConfig({
  test: {
    name: 'e2e',
    root: import.meta.dirname,
    include: sized(['src/**/*.e2e.ts'], small),
    globalSetup: ['src/built-pages.ts'],
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: patienceMs } },
    maxWorkers: 1,
    retry: secondTry,
    reporters: ['default', unsteadyTests()],
  },
})
