/** Tells what is true of effects taken together, so that every surface says the same about undoing and about reading. */
import type { Effect } from '../effect.ts'

export type Reversal = 'nothing to undo' | 'possible' | 'impossible'

const looks: ReadonlySet<Effect['verb']> = new Set(['read', 'list', 'fetch', 'ask'])

export function reversalOf(effects: readonly Effect[]): Reversal {
  if (!effects.every(({ reversible }) => reversible)) return 'impossible'
  return effects.every(({ verb }) => looks.has(verb)) ? 'nothing to undo' : 'possible'
}

/** What is read becomes part of the conversation, so the model that goes on with it gets it. */
export function readsForModel(effects: readonly Effect[]): boolean {
  return effects.some(
    ({ verb }) => verb === 'read' || verb === 'list' || verb === 'fetch' || verb === 'execute',
  )
}
