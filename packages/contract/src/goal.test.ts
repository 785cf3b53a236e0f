import { describe, expect, it } from 'vitest'
import {
  changedGoal,
  changedStep,
  type Goal,
  GoalStatus,
  type GoalStep,
  goalTransitions,
  isGoalOverdue,
  mostGoalEntries,
  NewGoal,
  newGoal,
  readySteps,
  stepProgress,
  type WithId,
  withEntry,
} from './goal.ts'
import { changedLimits, GoalLimits, goalQuietUntil, isInFolders, widenedLimits } from './goal-limits.ts'
import {
  changedHolds,
  deepestGoal,
  type GoalNode,
  goalParentProblem,
  goalsUnder,
  heldGoals,
} from './goal-tree.ts'

const now = new Date('2026-03-01T12:00:00.000Z')
const goal = (more: Partial<Goal> = {}): Goal => ({ ...newGoal({ title: 'A' }, 'ses_1'), ...more })
const step = (id: string, more: Partial<GoalStep> = {}): WithId<GoalStep> => ({
  id,
  goalId: 'goal_1',
  title: id,
  status: 'pending',
  order: 0,
  dependsOn: [],
  ...more,
})
const statusAfter = (before: Goal, status: GoalStatus) => changedGoal(before, { status }, now)

describe('a goal', () => {
  it('comes only into the states that the table has', () => {
    for (const from of GoalStatus.options) {
      for (const to of GoalStatus.options) {
        const made = statusAfter(goal({ status: from }), to)
        const allowed = from === to || goalTransitions[from].includes(to)
        expect(made.kind, `${from} to ${to}`).toBe(allowed ? 'made' : 'invalid')
      }
    }
    expect(statusAfter(goal({ status: 'archived' }), 'completed')).toMatchObject({
      reason: 'A goal that is archived cannot become completed. It can become active.',
    })
  })

  it('is held from its pause until it is active again, also when it is abandoned meanwhile', () => {
    const paused = statusAfter(goal(), 'paused')
    if (paused.kind !== 'made') throw new Error(paused.reason)
    expect(paused.data.held).toBe(true)
    expect(statusAfter(paused.data, 'abandoned')).toMatchObject({ data: { held: true } })
    expect(statusAfter(paused.data, 'active')).toMatchObject({ data: { held: false } })
    expect(statusAfter(goal(), 'abandoned')).toMatchObject({ data: { held: false } })
  })

  it('is at a hundred per cent when it is completed, and forgets its end when it goes on', () => {
    const done = statusAfter(goal({ progress: 40 }), 'completed')
    if (done.kind !== 'made') throw new Error(done.reason)
    expect(done.data).toMatchObject({ progress: 100, endedAt: now.toISOString() })
    expect(statusAfter(done.data, 'active')).not.toHaveProperty('data.endedAt')
  })

  it('loses a field that is set to null, and keeps the others', () => {
    const before = goal({ due: '2026-04-01', description: 'x' })
    expect(changedGoal(before, { due: null, title: 'B' }, now)).toMatchObject({
      data: { title: 'B', description: 'x' },
    })
    expect(changedGoal(before, { due: null }, now)).not.toHaveProperty('data.due')
  })

  it('takes no empty title, no impossible day and no priority beyond ten', () => {
    for (const wrong of [
      { title: ' ' },
      { title: 'a\nb' },
      { title: 'a', due: '2026-02-30' },
      { title: 'a', priority: 11 },
    ])
      expect(NewGoal.safeParse(wrong).success, JSON.stringify(wrong)).toBe(false)
    expect(NewGoal.safeParse({ title: 'a', due: '2026-02-28', priority: 10 }).success).toBe(true)
  })

  it('keeps the newest of too many notes', () => {
    let full = goal()
    for (let number = 0; number <= mostGoalEntries; number += 1)
      full = withEntry(full, 'notes', { id: `n${number}`, text: 'x', at: '', by: 'goal', label: null })
    expect(full.notes).toHaveLength(mostGoalEntries)
    expect(full.notes[0]?.id).toBe('n1')
  })

  it('is overdue the day after, and never once it has ended', () => {
    expect(isGoalOverdue(goal({ due: '2026-03-01' }), now)).toBe(false)
    expect(isGoalOverdue(goal({ due: '2026-02-28' }), now)).toBe(true)
    expect(isGoalOverdue(goal({ due: '2026-02-28', status: 'completed' }), now)).toBe(false)
  })
})

describe('steps', () => {
  it('are ready when nothing stands before them', () => {
    const steps = [
      step('c', { order: 2, dependsOn: ['a', 'b'] }),
      step('a', { status: 'completed' }),
      step('b', { order: 1, status: 'skipped' }),
      step('d', { order: 3, dependsOn: ['c'] }),
    ]
    expect(readySteps(steps).map(({ id }) => id)).toEqual(['c'])
    expect(stepProgress(steps)).toBe(33)
    expect(stepProgress([step('a', { status: 'skipped' })])).toBeUndefined()
  })

  it('refuse to begin before others, to wait for strangers, and to wait in a circle', () => {
    const [a, b] = [step('a'), step('b', { dependsOn: ['a'] })]
    expect(changedStep(b, { status: 'completed' }, [a, b], now)).toMatchObject({ kind: 'invalid' })
    expect(changedStep(b, { status: 'skipped' }, [a, b], now)).toMatchObject({ kind: 'made' })
    expect(changedStep(a, { dependsOn: ['b'] }, [a, b], now)).toMatchObject({
      reason: 'The steps would wait for each other in a circle.',
    })
    for (const other of ['a', 'z'])
      expect(changedStep(a, { dependsOn: [other] }, [a, b], now).kind).toBe('invalid')
  })
})

describe('limits', () => {
  const groupOf = (tool: string) => (tool === 'read_file' ? 'filesystem' : undefined)
  const wider = (before: GoalLimits, after: GoalLimits) => widenedLimits(before, after, groupOf)

  it('can be narrowed in every part, and every widening is named', () => {
    const before: GoalLimits = {
      tools: ['group:filesystem', 'add_note'],
      hosts: ['a.example', 'b.example'],
      folders: ['reports'],
      moneyPerDayUsd: 2,
      tierMax: 2,
      quietHours: { from: '22:00', to: '07:00', zone: 'Europe/Vienna' },
    }
    const narrower: GoalLimits = {
      tools: ['read_file'],
      hosts: ['a.example'],
      folders: ['reports/2026'],
      moneyPerDayUsd: 1,
      tierMax: 1,
      quietHours: { from: '21:00', to: '08:00', zone: 'Europe/Vienna' },
    }
    expect(wider(before, narrower)).toEqual([])
    expect(wider(before, {})).toEqual(Object.keys(before))
    expect(wider({}, narrower)).toEqual([])
    expect(wider(before, { ...before, tools: ['group:notes'] })).toEqual(['tools'])
    expect(wider(before, { ...before, tools: ['delete_note'] })).toEqual(['tools'])
    expect(wider(before, { ...before, hosts: ['x.a.example'] })).toEqual(['hosts'])
    expect(wider(before, { ...before, folders: ['reports-old'] })).toEqual(['folders'])
    expect(wider(before, { ...before, folders: ['.'] })).toEqual(['folders'])
    expect(wider(before, { ...before, tierMax: 3 })).toEqual(['tierMax'])
    expect(
      wider(before, { ...before, quietHours: { from: '22:00', to: '06:59', zone: 'Europe/Vienna' } }),
    ).toEqual(['quietHours'])
    expect(
      wider(before, { ...before, quietHours: { from: '22:00', to: '07:00', zone: 'Asia/Tokyo' } }),
    ).toEqual(['quietHours'])
    expect(wider({ tools: [] }, { tools: ['add_note'] })).toEqual(['tools'])
  })

  it('lose what is set to null', () => {
    expect(changedLimits({ tierMax: 1, hosts: ['a.example'] }, { hosts: null, folders: ['x'] })).toEqual({
      tierMax: 1,
      folders: ['x'],
    })
  })

  it('take exact names only', () => {
    for (const wrong of [
      { hosts: ['*.example'] },
      { hosts: ['a.example:80'] },
      { hosts: ['A.example'] },
      { folders: ['../etc'] },
      { folders: ['/etc'] },
      { folders: ['a//b'] },
      { tools: ['*'] },
      { tierMax: 5 },
      { moneyPerDayUsd: -1 },
      { quietHours: { from: '22:00', to: '22:00', zone: 'UTC' } },
      { quietHours: { from: '24:00', to: '07:00', zone: 'UTC' } },
      { quietHours: { from: '22:00', to: '07:00', zone: 'Mars' } },
    ])
      expect(GoalLimits.safeParse(wrong).success, JSON.stringify(wrong)).toBe(false)
    expect(
      GoalLimits.safeParse({ hosts: ['a.example', '::1'], folders: ['.', 'a/b'], tools: ['group:notes'] })
        .success,
    ).toBe(true)
  })

  it('know the quiet of a zone, over midnight too', () => {
    const night = { from: '22:00', to: '07:00', zone: 'Europe/Vienna' }
    expect(goalQuietUntil(night, new Date('2026-03-01T21:00:00Z'))).toBe('07:00')
    expect(goalQuietUntil(night, new Date('2026-03-01T20:59:00Z'))).toBeUndefined()
    expect(goalQuietUntil(night, new Date('2026-03-01T06:00:00Z'))).toBeUndefined()
    expect(goalQuietUntil({ ...night, from: '12:00', to: '13:00' }, new Date('2026-03-01T11:30:00Z'))).toBe(
      '13:00',
    )
  })

  it('keep a folder with what is below it, and not its namesake', () => {
    expect(isInFolders('a/b', ['a'])).toBe(true)
    expect(isInFolders('a', ['a'])).toBe(true)
    expect(isInFolders('ab', ['a'])).toBe(false)
    expect(isInFolders('anything', ['.'])).toBe(true)
    expect(isInFolders('a', [])).toBe(false)
  })
})

describe('the tree of goals', () => {
  const node = (id: string, parentId: string | null = null, held = false): GoalNode => ({
    id,
    parentId,
    held,
  })
  const chain = (length: number) =>
    Array.from({ length }, (_, at) => node(`g${at}`, at === 0 ? null : `g${at - 1}`))

  it('is eight deep and no deeper', () => {
    expect(goalParentProblem(null, 'g6', chain(7))).toBeUndefined()
    expect(goalParentProblem(null, 'g7', chain(deepestGoal))).toContain('at most 8 levels deep')
    const nodes = [...chain(6), node('x'), node('y', 'x')]
    expect(goalParentProblem('x', 'g5', nodes)).toBeUndefined()
    expect(goalParentProblem('x', 'g5', [...nodes, node('z', 'y')])).toContain('at most 8 levels deep')
  })

  it('has no circle and no place under what is not there', () => {
    expect(goalParentProblem('g0', 'g2', chain(3))).toContain('cannot be its own parent')
    expect(goalParentProblem('g0', 'g0', chain(1))).toContain('cannot be its own parent')
    expect(goalParentProblem(null, 'none', chain(1))).toContain('There is no goal none')
  })

  it('ends also where somebody made a circle by hand', () => {
    const circle = [node('a', 'b'), node('b', 'a')]
    expect(goalsUnder('a', circle).map(({ id }) => id)).toEqual(['b'])
    expect([...heldGoals(circle)]).toEqual([])
  })

  it('holds all that stands under a pause, and lets go of what no other pause holds', () => {
    const nodes = [
      node('top', null, true),
      node('middle', 'top', true),
      node('leaf', 'middle'),
      node('other'),
    ]
    expect([...heldGoals(nodes)]).toEqual(['top', 'middle', 'leaf'])
    const resumed = nodes.map((each) => (each.id === 'top' ? { ...each, held: false } : each))
    expect(changedHolds(nodes, resumed)).toEqual({ hold: [], release: ['top'] })
    const free = resumed.map((each) => ({ ...each, held: false }))
    expect(changedHolds(resumed, free)).toEqual({ hold: [], release: ['middle', 'leaf'] })
    expect(changedHolds(free, nodes)).toEqual({ hold: ['top', 'middle', 'leaf'], release: [] })
  })
})
