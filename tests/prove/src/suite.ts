/** What a proof suite is: trials against a real part, and mutants of that part which the trials must catch. */

export interface SuiteOptions {
  /** How large a run; each suite says of what. */
  readonly n: number
  readonly seed: number
  /** One of the suite's mutants. The run must then report failures. */
  readonly mutant?: string
  /** Only the trials whose name holds this, and what must happen before them. */
  readonly only?: string
  log(line: string): void
}

export interface SuiteResult {
  /** Trials made. */
  readonly n: number
  readonly failures: number
  readonly details?: Record<string, unknown>
}

/** So many of all of them, spread over the whole list. */
export function spread<T>(all: readonly T[], count: number): readonly T[] {
  return all.filter(
    (_, at) => Math.floor((at * count) / all.length) !== Math.floor(((at - 1) * count) / all.length),
  )
}

export interface Suite {
  readonly name: string
  readonly defaultSize: number
  readonly mutants: readonly string[]
  run(options: SuiteOptions): Promise<SuiteResult>
}
