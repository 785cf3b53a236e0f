/**
 * Owns how much a memory still weighs. Facts, preferences and skills hardly fade, events do; what is important or was
 * told lately holds longer, and what is pinned holds. Pure.
 */
import type { MemoryType } from '@countersign/contract'

export interface MemoryStrength {
  readonly type: MemoryType
  /** From nothing to one; raising it is how a memory is boosted. */
  readonly importance: number
  readonly pinned: boolean
  readonly toldAt: Date
  /** When it was last of use. */
  readonly usedAt: Date | null
}

/** After how many days half of what can fade is gone, for a memory of middling importance. */
const halfLifeDays: Readonly<Record<MemoryType, number>> = {
  fact: 1_460,
  preference: 1_460,
  skill: 2_190,
  event: 120,
}

/** The share that never fades. */
const lasting = 0.25
const dayMs = 86_400_000

/** From nothing to one, and never more than its importance. */
export function strengthOf(memory: MemoryStrength, now: Date): number {
  const importance = Math.min(1, Math.max(0, memory.importance))
  if (memory.pinned) return importance
  const days = ageDays(memory, now)
  const halfLife = halfLifeDays[memory.type] * (0.25 + 1.5 * importance)
  return importance * (lasting + (1 - lasting) * 2 ** (-days / halfLife))
}

/** One for what was told or used just now, half after a month, then less and less. */
export function recencyOf(memory: Pick<MemoryStrength, 'toldAt' | 'usedAt'>, now: Date): number {
  return 1 / (1 + ageDays(memory, now) / 30)
}

function ageDays({ toldAt, usedAt }: Pick<MemoryStrength, 'toldAt' | 'usedAt'>, now: Date): number {
  const since = Math.max(toldAt.getTime(), usedAt?.getTime() ?? Number.NEGATIVE_INFINITY)
  return Math.max(0, now.getTime() - since) / dayMs
}
