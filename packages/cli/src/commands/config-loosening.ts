/**
 * Owns what a setting may not become by `countersign config`: whatever lets the assistant do more, or asks less. Doubt
 * refuses. What is taken away from the assistant may be taken away here.
 */
import { AutomaticMemory } from '@countersign/contract'
import type { Settings } from '@countersign/contract/node'
import { valueAt } from './config-file.ts'

const byHand = 'Edit the file yourself (`countersign config path`), then restart the gateway.'

/** Where the change is made instead; nothing where it is no loosening. */
export function loosening(name: string, before: Settings, after: Settings): string | undefined {
  if (name === 'autonomy') return 'Choose the level with `countersign policy level`, which seals it.'
  if (name === 'passkeyTools') return 'Change it with `countersign policy edit`, which seals it.'
  if (name === 'codingAgents')
    return 'Use `countersign coding-agent add` and `countersign coding-agent remove`.'
  if (name.startsWith('tools.')) return 'Use `countersign tool enable` and `countersign tool disable`.'
  if (name.startsWith('rates.')) return raises(name, before, after) ? byHand : undefined
  if (name === 'localTargets') return adds(name, before, after) ? byHand : undefined
  if (name === 'sandbox')
    return valueAt(after, name) === 'bubblewrap' && isOther(name, before, after) ? byHand : undefined
  if (name === 'memory.automatic') {
    const order: readonly unknown[] = AutomaticMemory.options
    return order.indexOf(valueAt(after, name)) > order.indexOf(valueAt(before, name)) ? byHand : undefined
  }
  return undefined
}

function isOther(name: string, before: Settings, after: Settings): boolean {
  return JSON.stringify(valueAt(before, name)) !== JSON.stringify(valueAt(after, name))
}

/** A rate that is named for the first time may be above the tool's own. */
function raises(name: string, before: Settings, after: Settings): boolean {
  const [had, has] = [valueAt(before, name), valueAt(after, name)]
  if (typeof has === 'number') return typeof had !== 'number' || has > had
  return isOther(name, before, after)
}

function adds(name: string, before: Settings, after: Settings): boolean {
  const had = new Set(entriesOf(valueAt(before, name)))
  return entriesOf(valueAt(after, name)).some((entry) => !had.has(entry))
}

function entriesOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map((entry) => JSON.stringify(entry)) : []
}
