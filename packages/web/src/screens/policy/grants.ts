/** Owns what is asked of standing grants: which are unused, which have ended, which reach farthest. Pure. */

import type { GrantView } from '@countersign/contract'
import { allowedPart } from '../../deciding/grant-sentence.ts'
import { words } from '../../words/policy.tsx'

/** Half of the time after which it ends by itself. */
export const unusedDays = 15
const day = 86_400_000

export const presets = ['active', 'unused', 'broadest', 'ended'] as const
export type Preset = (typeof presets)[number]

export function presetOf(text: string | undefined): Preset {
  return presets.find((preset) => preset === text) ?? 'active'
}

export function chosenGrants(grants: readonly GrantView[], preset: Preset, now: Date): readonly GrantView[] {
  const active = grants.filter(isActive)
  switch (preset) {
    case 'active':
      return active
    case 'unused':
      return active.filter((grant) => isUnused(grant, now))
    case 'broadest':
      return active.toSorted((a, b) => breadth(b).score - breadth(a).score)
    case 'ended':
      return grants.filter((grant) => !isActive(grant))
  }
}

export function grantCounts(
  grants: readonly GrantView[],
  now: Date,
): { readonly active: number; readonly unused: number; readonly ended: number } {
  const count = (preset: Preset) => chosenGrants(grants, preset, now).length
  return {
    active: count('active'),
    unused: count('unused'),
    ended: count('ended'),
  }
}

/** Nothing used it for so long; one that was never used counts from when it was given. */
export function isUnused({ lastUsedAt, createdAt }: GrantView, now: Date, days = unusedDays): boolean {
  return now.getTime() - Date.parse(lastUsedAt ?? createdAt) >= days * day
}

export interface Breadth {
  readonly score: number
  readonly word: 'narrow' | 'middling' | 'broad'
  /** What it covers, in a few words. */
  readonly covers: string
}

/** How much it lets through, told from what it covers, where it holds and how long. */
export function breadth(grant: GrantView): Breadth {
  const covers = coverRank(grant)
  const where = whereRank(grant)
  const open = Number(grant.maxUses === null)
  const score = covers * 10 + where * 3 + open
  const word = score >= 30 ? 'broad' : score >= 20 ? 'middling' : 'narrow'
  return { score, word, covers: words.row.coverage[covers] }
}

/** Where it holds. */
export function whereWords({ run, session, goal, agent }: GrantView): string {
  if (run !== null) return words.row.run
  if (session !== null) return words.row.session
  if (goal !== null) return words.row.goal
  return agent === null ? words.row.everywhere : words.row.agent(agent)
}

/** Those that hold and were picked; where none is picked, all that hold. */
export function pickedGrants(
  grants: readonly GrantView[],
  picked: ReadonlySet<string>,
): readonly GrantView[] {
  return grants.filter((grant) => isActive(grant) && (picked.size === 0 || picked.has(grant.id)))
}

export const levelNames = ['none', 'low', 'medium', 'high', 'full'] as const

export function levelWords(level: string): string {
  const known = levelNames.find((name) => name === level)
  return known === undefined ? words.ownLevel : words.levels[known]
}

const isActive = ({ state }: GrantView) => state === 'active'

function coverRank({ sentence }: GrantView): 0 | 1 | 2 | 3 {
  const said = allowedPart(sentence)
  if (said.includes(': whatever it touches')) return 3
  if (/ any address of \S+ with GET or HEAD$/.test(said) || / in [^,]*$/.test(said)) return 2
  return said.includes(': this exact call') ? 0 : 1
}

function whereRank({ run, session, goal, agent }: GrantView): number {
  if (run !== null) return 0
  if (session !== null) return 1
  return goal !== null || agent !== null ? 2 : 3
}
