/**
 * Gives a test a second try in CI, and names every test that needed it. Such a test is a bug, of the product or of its own,
 * but no reason to refuse the change at which it showed. Everywhere else a test that fails once has failed.
 */
import type { Reporter, TestCase } from 'vitest/node'

export const secondTry = process.env['CI'] === undefined ? 0 : 1

export function unsteadyTests(): Reporter {
  const unsteady: string[] = []
  return {
    onTestCaseResult(test: TestCase) {
      if (!test.diagnostic()?.flaky) return
      const [first] = test.result().errors ?? []
      unsteady.push(`unsteady: ${test.module.relativeModuleId} > ${test.fullName}: ${first?.message ?? ''}`)
    },
    onTestRunEnd() {
      for (const line of unsteady) process.stdout.write(`${line.replaceAll(/\s+/g, ' ')}\n`)
    },
  }
}
