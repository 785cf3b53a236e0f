/** Plays the attacks one after the other and reports a row for each. */
import { type SuiteOptions, type SuiteResult, spread } from '../../suite.ts'
import type { Attack, AttackResult } from './attack.ts'
import { loadAttacks } from './attacks.ts'
import { createStages } from './stage.ts'

export interface HolesOptions extends SuiteOptions {
  /** The file of the mutant, for processes that attacks start. */
  readonly mutation?: string
}

/** With a mutant only its own attacks are played, and of these those that `only` names. `n` is the most attacks that are played. */
export async function runTrials({ n, mutant, mutation, only = '', log }: HolesOptions): Promise<SuiteResult> {
  const all = await loadAttacks()
  const chosen = all.filter(
    (attack) => (mutant === undefined || attack.mutant === mutant) && attack.name.includes(only),
  )
  const stages = createStages(mutation)
  const rows: (AttackResult & { attack: string; promise: string })[] = []
  try {
    for (const attack of spread(chosen, n)) {
      const result = await stages.within((stage) => play(attack, stage))
      rows.push({ attack: attack.name, promise: attack.promise, ...result })
      log(`${attack.name}: ${wordFor(result)}`)
    }
  } finally {
    await stages.close()
  }
  const failures = rows.filter(({ open, control }) => open || !control).length
  return { n: rows.length, failures, details: { open: rows.filter(({ open }) => open).length, rows } }
}

async function play(attack: Attack, stage: Parameters<Attack['run']>[0]): Promise<AttackResult> {
  try {
    return await attack.run(stage)
  } catch (error) {
    return { open: false, control: false, saw: error instanceof Error ? error.message : String(error) }
  }
}

function wordFor({ open, control }: AttackResult): string {
  if (open) return 'OPEN'
  return control ? 'closed' : 'the control failed'
}
