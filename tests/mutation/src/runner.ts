/**
 * A process that keeps vitest and its transformed modules warm, and runs test files against one mutant after another.
 * The mutant exists only in what vitest loads: no file of the repository changes. Its parent ends it when a mutant
 * does not come to an end.
 */
import { join } from 'node:path'
import { createVitest } from 'vitest/node'
import type { TestConnection } from '../../harness/src/postgres.ts'

export interface RunnerSettings {
  readonly repository: string
  readonly database: TestConnection | null
}

export interface Trial {
  /** Absent for a run of the code as it is. */
  readonly mutant?: { readonly file: string; readonly source: string }
  readonly tests: readonly string[]
}

export interface TrialEnd {
  readonly passed: boolean
  /** Whether any test came by the mutated file. */
  readonly loaded: boolean
  /** The first test that failed. */
  readonly failed?: { readonly test: string; readonly title: string }
}

const { repository, database } = JSON.parse(process.argv[2] ?? '{}') as RunnerSettings
const postgres = join(repository, 'tests/harness/src/postgres.ts')
const warm = join(import.meta.dirname, 'warm-postgres.ts')
let loaded = false
let mutated: { readonly path: string; readonly source: string } | undefined

const vitest = await createVitest(
  'test',
  {
    root: repository,
    config: false,
    watch: false,
    include: ['packages/*/src/**/*.test.ts'],
    reporters: [{}],
    silent: true,
    // Its key is the text on disk, where no mutant is.
    fsModuleCache: false,
    bail: 1,
    maxWorkers: 1,
    testTimeout: 20_000,
    hookTimeout: 60_000,
    teardownTimeout: 5_000,
    ...(database ? { provide: { warmDatabase: database } } : {}),
  },
  {
    plugins: [
      {
        name: 'mutant',
        enforce: 'pre',
        load(id) {
          if (database && id === postgres) return `export * from ${JSON.stringify(warm)}`
          if (id !== mutated?.path) return null
          loaded = true
          return mutated.source
        },
      },
    ],
  },
)
await vitest.standalone()

process.on('message', (trial: Trial) => {
  void run(trial).then((end) => process.send?.(end))
})
process.on('disconnect', () => process.exit())
process.send?.('ready')

async function run({ mutant, tests }: Trial): Promise<TrialEnd> {
  mutated = mutant && { path: join(repository, mutant.file), source: mutant.source }
  loaded = false
  if (mutated) vitest.invalidateFile(mutated.path)
  try {
    for (const test of tests) {
      forgetResults()
      const specification = vitest.getRootProject().createSpecification(join(repository, test))
      const { testModules, unhandledErrors } = await vitest.runTestSpecifications([specification])
      const failed = testModules.find((one) => !one.ok())
      if (failed || unhandledErrors.length > 0)
        return { passed: false, loaded, failed: { test, title: titleOf(failed) } }
    }
    return { passed: true, loaded }
  } finally {
    if (mutated) vitest.invalidateFile(mutated.path)
    mutated = undefined
  }
}

/** Vitest keeps the results of every run; a failure of an earlier mutant must not count for this one. */
function forgetResults(): void {
  vitest.state.filesMap.clear()
  vitest.state.idMap.clear()
  vitest.state.errorsSet.clear()
}

function titleOf(
  failed: { children: { allTests(state: 'failed'): Iterable<{ name: string }> } } | undefined,
) {
  for (const { name } of failed?.children.allTests('failed') ?? []) return name
  return 'did not load, or an error was thrown outside of a test'
}
