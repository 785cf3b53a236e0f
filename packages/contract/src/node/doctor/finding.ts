/** Owns the form of a finding: what was looked at, how it is, what to do, and whether `--fix` can do it. */

/** What `--fix` may do. It changes no content of a file: it tightens a mode, or puts away what nobody uses. */
export type DoctorRepair =
  | { readonly kind: 'chmod'; readonly path: string; readonly mode: number }
  | { readonly kind: 'remove'; readonly path: string }

export interface DoctorFinding {
  readonly id: string
  /** A hint is worth doing, and nothing is wrong without it. */
  readonly severity: 'ok' | 'hint' | 'warning' | 'error'
  readonly evidence: string
  /** What to do; empty when there is nothing to do. */
  readonly fix: string
  /** What `countersign doctor --fix` would do; empty where it can do nothing. */
  readonly repairs: readonly DoctorRepair[]
}

export function ok(id: string, evidence: string): DoctorFinding {
  return made(id, 'ok', evidence, '')
}

export function hint(id: string, evidence: string, fix: string): DoctorFinding {
  return made(id, 'hint', evidence, fix)
}

export function warning(
  id: string,
  evidence: string,
  fix: string,
  repairs: readonly DoctorRepair[] = [],
): DoctorFinding {
  return made(id, 'warning', evidence, fix, repairs)
}

export function bad(
  id: string,
  evidence: string,
  fix: string,
  repairs: readonly DoctorRepair[] = [],
): DoctorFinding {
  return made(id, 'error', evidence, fix, repairs)
}

export function findingText(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function made(
  id: string,
  severity: DoctorFinding['severity'],
  evidence: string,
  fix: string,
  repairs: readonly DoctorRepair[] = [],
): DoctorFinding {
  return { id, severity, evidence, fix, repairs }
}
