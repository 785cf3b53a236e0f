/**
 * Gives the calls of a history ids that every provider takes: unique over the whole of it, short, of plain characters.
 * A history can hold replies of several providers, and some of them give no ids.
 */
import type { ProviderKind } from '@countersign/contract'

export interface ReplayedIds {
  /** Called for every call in the order of the history. */
  called(id: string): string
  /** Called for every result; it belongs to the nearest call before it with this id. */
  answered(id: string): string
}

const PLAIN = /^[a-zA-Z0-9_-]{1,40}$/
/** Mistral takes no others. */
const NINE = /^[a-zA-Z0-9]{9}$/

export function replayIds(kind: ProviderKind): ReplayedIds {
  const allowed = kind === 'mistral' ? NINE : PLAIN
  const used = new Set<string>()
  const latest = new Map<string, string>()
  let count = 0

  function fresh(): string {
    for (;;) {
      count += 1
      const candidate = kind === 'mistral' ? `call${String(count).padStart(5, '0')}` : `call_${count}`
      if (!used.has(candidate)) return candidate
    }
  }

  return {
    called(id) {
      const replayed = allowed.test(id) && !used.has(id) ? id : fresh()
      used.add(replayed)
      latest.set(id, replayed)
      return replayed
    },
    answered: (id) => latest.get(id) ?? (allowed.test(id) ? id : fresh()),
  }
}
