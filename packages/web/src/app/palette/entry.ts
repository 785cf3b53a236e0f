/** Owns what an entry of the palette is, and which are shown for what was typed. Pure. */
import type { LucideIcon } from 'lucide-react'
import { matchScore } from './match.ts'

export interface PaletteEntry {
  readonly id: string
  readonly group: PaletteGroup
  readonly label: string
  readonly detail?: string
  /** Other words that people look for it by. Never shown. */
  readonly also?: string
  readonly keys?: string
  readonly icon: LucideIcon
  readonly run: () => void
}

export const entryGroups = [
  'approvals',
  'goTo',
  'screen',
  'actions',
  'conversations',
  'goals',
  'plans',
  'automations',
  'agents',
  'notes',
  'files',
  'memories',
  'tools',
  'models',
  'runs',
  'grants',
] as const

/** What was typed, as a message, comes after everything that was found. */
export type PaletteGroup = (typeof entryGroups)[number] | 'ask'

/** The best of each group, groups in their order; without a query only a few of each. */
export function foundEntries(entries: readonly PaletteEntry[], query: string): readonly PaletteEntry[] {
  const isAsked = query.trim() !== ''
  const scored = entries
    .map((entry) => ({ entry, score: scoreOf(entry, query) }))
    .filter(({ score }) => score > 0)
  const best = (group: PaletteGroup) =>
    scored
      .filter(({ entry }) => entry.group === group)
      .toSorted((a, b) => b.score - a.score)
      .slice(0, isAsked ? 8 : group === 'goTo' ? 20 : 4)
  const groups = entryGroups
    .map((group) => ({ group, rows: best(group) }))
    .filter(({ rows }) => rows.length > 0)
  const ordered = isAsked
    ? groups.toSorted((a, b) => (b.rows[0]?.score ?? 0) - (a.rows[0]?.score ?? 0))
    : groups
  return ordered.flatMap(({ rows }) => rows.map(({ entry }) => entry))
}

/** There are many of these, and they come a moment later: they do not push aside what is about to be chosen. */
const later: readonly PaletteGroup[] = ['plans', 'agents', 'notes', 'files', 'memories', 'tools', 'models']

/** What a thing is called counts more than what else is known of it. */
function scoreOf({ group, label, detail = '', also = '' }: PaletteEntry, query: string): number {
  const score = Math.max(matchScore(query, label), matchScore(query, `${label} ${detail} ${also}`) * 0.8)
  return later.includes(group) ? score * 0.6 : score
}
