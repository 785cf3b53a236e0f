/** Says which files are mutated, in which part they count, and which tests decide about them. */
import { globSync } from 'node:fs'
import { basename } from 'node:path'

export interface Part {
  readonly name: string
  /** Patterns from the root of the repository. */
  readonly files: readonly string[]
  /** In the order in which they are run, the quickest first. */
  readonly tests: readonly string[]
}

const kernelTests = [
  'packages/kernel/src/{dispatch,approvals,permits}/!(*.system|child-calls).test.ts',
  'packages/kernel/src/kernel.test.ts',
  'packages/kernel/src/dispatch/child-calls.test.ts',
  'packages/kernel/src/approvals/*.system.test.ts',
  'packages/kernel/src/dispatch/*.system.test.ts',
]

export const parts: readonly Part[] = [
  {
    name: 'policy',
    files: ['packages/policy/src/**/*.ts'],
    tests: [
      'packages/policy/src/**/!(golden|properties).test.ts',
      'packages/policy/src/{golden,properties}.test.ts',
    ],
  },
  {
    name: 'verify',
    files: ['packages/executor/src/verify.ts'],
    tests: ['packages/executor/src/{verify,verify-subject,seal,passkey}.test.ts'],
  },
  { name: 'dispatch', files: ['packages/kernel/src/dispatch/*.ts'], tests: kernelTests },
  { name: 'approvals', files: ['packages/kernel/src/approvals/*.ts'], tests: kernelTests },
  { name: 'permits', files: ['packages/kernel/src/permits/*.ts'], tests: kernelTests },
]

export function filesOf(part: Part, repository: string): string[] {
  return globSync([...part.files], { cwd: repository })
    .filter((file) => !/\.test\.ts$|\/testing\//.test(file))
    .toSorted()
}

/** Of this moment: a test that somebody adds while mutants run has not passed without one. */
export function testsOf(part: Part, repository: string): string[] {
  return [...new Set(part.tests.flatMap((pattern) => globSync(pattern, { cwd: repository }).toSorted()))]
}

/** The test that stands beside the file comes first: it most likely finds the fault. */
export function besideFirst(tests: readonly string[], file: string): string[] {
  const beside = `${basename(file, '.ts')}.`
  const isBeside = (test: string) => Number(basename(test).startsWith(beside))
  return tests.toSorted((one, other) => isBeside(other) - isBeside(one))
}
