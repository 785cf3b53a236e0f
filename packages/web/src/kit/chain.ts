/** Owns the words for one link of the chain that leads to a call: who made whom ask. */
import type { ChainLink } from '@countersign/contract'
import { words } from '../words/common.ts'

export function chainWords({ kind, name }: ChainLink): string {
  const { chain } = words
  switch (kind) {
    case 'operator':
      return name === '' ? chain.you : chain.youNamed(name)
    case 'undo':
      return name === '' ? chain.undo : chain.undoOf(name)
    case 'manual':
    case 'held':
    case 'edit':
    case 'batch':
      return chain[kind]
    case 'schedule':
    case 'webhook':
    case 'goal':
    case 'plan':
    case 'step':
    case 'task':
    case 'custom':
      return chain[kind](name)
    case 'peer':
    case 'trigger':
    case 'agent':
    case 'run':
    case 'tool':
      return name
  }
}
