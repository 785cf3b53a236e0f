/** Owns what all tools for goals have in common, and how they name what they touch. */
import type { EffectsResult } from '../definition.ts'
import { newRecord, recordEffect, recordResource } from '../records/effects.ts'
import { recordLabel } from '../records/kept-label.ts'
import { type GoalRecord, goalsCollection, stepsCollection } from './goal-lookup.ts'

/** Takes a change of goals back, with the holds that follow from it. */
export const restoringGoals = 'restore_goals'

export const reading = {
  version: '1',
  category: 'goals',
  group: 'goals',
  effect: 'pure',
  floor: 0,
  output: recordLabel,
} as const

export const changing = {
  version: '1',
  category: 'goals',
  group: 'goals',
  effect: 'idempotent',
  floor: 1,
  output: recordLabel,
  undo: restoringGoals,
} as const

export function readsGoals(object: string): EffectsResult {
  return {
    kind: 'found',
    resources: [
      recordResource(goalsCollection, '*', 'list', null),
      recordResource(stepsCollection, '*', 'list', null),
    ],
    effects: [recordEffect('list', object)],
  }
}

export function changesGoal({ record, goal }: GoalRecord, more = ''): EffectsResult {
  return {
    kind: 'found',
    resources: [recordResource(goalsCollection, goal.id, 'write', record.version)],
    effects: [recordEffect('write', `the goal “${goal.title}”${more}`)],
  }
}

export function addsTo(collection: string, object: string): Extract<EffectsResult, { kind: 'found' }> {
  return {
    kind: 'found',
    resources: [recordResource(collection, newRecord, 'write', null)],
    effects: [recordEffect('write', object)],
  }
}

export const invalid = (reason: string): EffectsResult => ({ kind: 'invalid', reason })
