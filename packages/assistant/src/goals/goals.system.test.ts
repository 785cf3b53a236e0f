import type { Goal, ToolFacts } from '@countersign/contract'
import type { CallInReview, RecordTransaction } from '@countersign/kernel'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../health/testing/test-database.ts'
import { goalForPrompt, goalLines, taskForPrompt } from './goal-prompts.ts'
import { createGoals, type Goals } from './goals.ts'
import { goalLimits } from './limits.ts'

const actor = { kind: 'operator', id: 'laptop' } as const
let testDatabase: TestDatabase
let goals: Goals
let budgets: (readonly [string, number | null])[]
beforeAll(async () => {
  testDatabase = await openTestDatabase()
})
afterAll(() => testDatabase.close())
beforeEach(async () => {
  await testDatabase.begin()
  budgets = []
  goals = createGoals({
    context: testDatabase.context(),
    hold: testDatabase.hold,
    setBudget: (goal, usd) => Promise.resolve(budgets.push([goal, usd])),
  })
})

const add = async (title: string, more: Partial<Goal> = {}) => {
  const { description, parentId, limits } = more
  const given = { title, ...(description ? { description } : {}), ...(parentId ? { parentId } : {}) }
  return (await goals.add(actor, { ...given, ...(limits ? { limits } : {}) })).goal.id
}
const readFile = {
  name: 'read_file',
  group: 'filesystem',
  category: 'files',
  runs: 'executor',
  hidden: false,
}
const pass = async (goal: string | null, tool: Partial<ToolFacts> = {}, tier: CallInReview['tier'] = 0) => {
  const call = {
    tool: { ...readFile, ...tool },
    run: { goal, unattended: false },
    tier,
    effects: [],
    resources: [],
  } as unknown as CallInReview
  const { value } = await testDatabase.act(async (tx) => goalLimits().before?.(tx as RecordTransaction, call))
  return value
}

describe('limits at the door', () => {
  it('are those of the goal and of every goal above it', async () => {
    const top = await add('Top', { limits: { tierMax: 1 } })
    const middle = await add('Middle', { parentId: top })
    const leaf = await add('Leaf', { parentId: middle, limits: { tools: ['read_file'], tierMax: 3 } })
    expect(await pass(leaf)).toBeUndefined()
    expect(await pass(leaf, {}, 2)).toContain('The goal “Top” allows up to “Undoable”')
    expect(await pass(leaf, { name: 'write_file' })).toContain('The goal “Leaf” does not allow write_file')
    expect(await pass(middle, { name: 'write_file' })).toBeUndefined()
    expect(await pass(null, { name: 'write_file' }, 4)).toBeUndefined()
  })

  it('hold from the moment in which they are set', async () => {
    const id = await add('A')
    expect(await pass(id)).toBeUndefined()
    await goals.set(actor, id, { limits: { tools: [] } })
    expect(await pass(id)).toContain('Allowed: none')
    await goals.set(actor, id, { limits: { tools: null } })
    expect(await pass(id)).toBeUndefined()
  })

  it('refuse work for a goal that is gone, but not what the product does itself', async () => {
    expect(await pass('goal_gone')).toContain('is no longer there')
    expect(await pass('goal_gone', { hidden: true })).toBeUndefined()
    const orphan = await testDatabase.goal({ parentId: 'goal_gone' })
    expect(await pass(orphan)).toContain('its limits are not known')
  })

  it('refuse a circle that somebody made by hand, instead of going round in it', async () => {
    const [a, b] = [await testDatabase.goal(), await testDatabase.goal()]
    await testDatabase.act(async ({ records }) => {
      for (const [id, parentId] of [
        [a, b],
        [b, a],
      ] as const) {
        const record = await records.get('goals', id)
        if (record) await records.replace('goals', id, record.version, { ...record.data, parentId }, null)
      }
    })
    expect(await pass(a)).toContain('its limits are not known')
  })
})

describe('a goal in the operator’s hand', () => {
  it('holds what is under it when it is paused, and only what no other pause holds goes on', async () => {
    const top = await add('Top')
    const middle = await add('Middle', { parentId: top })
    const leaf = await add('Leaf', { parentId: middle })
    expect(await goals.pause(actor, top)).toMatchObject({ goals: 3, goal: { status: 'paused' } })
    await goals.pause(actor, middle)
    expect(await goals.resume(actor, top)).toMatchObject({ goals: 1 })
    expect([...testDatabase.held].toSorted()).toEqual([middle, leaf].toSorted())
    expect(testDatabase.entries.map(({ type }) => type)).toEqual([
      'goal.added',
      'goal.added',
      'goal.added',
      'goal.paused',
      'goal.paused',
      'goal.resumed',
    ])
    await expect(goals.pause(actor, middle)).resolves.toMatchObject({ goals: 0 })
    await goals.done(actor, top)
    await expect(goals.pause(actor, top)).rejects.toMatchObject({ code: 'conflict' })
  })

  it('is moved, is held where it comes under a pause, and never stands under itself', async () => {
    const [top, other] = [await add('Top'), await add('Other')]
    await goals.pause(actor, top)
    await goals.set(actor, other, { parentId: top })
    expect(testDatabase.held.has(other)).toBe(true)
    await expect(goals.set(actor, top, { parentId: other })).rejects.toMatchObject({ code: 'usage' })
    await goals.set(actor, other, { parentId: null })
    expect(testDatabase.held.has(other)).toBe(false)
    await expect(goals.add(actor, { title: 'X', parentId: 'goal_none' })).rejects.toMatchObject({
      code: 'usage',
    })
  })

  it('keeps its money in a budget', async () => {
    const id = await add('A', { limits: { moneyPerDayUsd: 2 } })
    await goals.set(actor, id, { title: 'B' })
    await goals.set(actor, id, { limits: { moneyPerDayUsd: 5 } })
    await goals.set(actor, id, { limits: { moneyPerDayUsd: null } })
    expect(budgets).toEqual([
      [id, 2],
      [id, 5],
      [id, null],
    ])
  })

  it('is removed with its steps, and not while something stands under it or works for it', async () => {
    const top = await add('Top')
    const leaf = await add('Leaf', { parentId: top })
    await expect(goals.remove(actor, top)).rejects.toThrow('A goal stands under it')
    const { step } = await goals.addStep(actor, leaf, { title: 'one' })
    const run = await testDatabase.run({ goal: leaf })
    await expect(goals.remove(actor, leaf)).rejects.toThrow('works for it')
    await testDatabase.setRun(run, 'stopped', 'completed')
    expect(await goals.remove(actor, leaf)).toBeGreaterThan(0)
    expect(await testDatabase.data('goal_steps', step.id)).toBeUndefined()
    await expect(goals.show(leaf)).rejects.toMatchObject({ code: 'not_found' })
    await goals.remove(actor, top)
  })

  it('has steps whose order and progress are kept', async () => {
    const id = await add('A')
    const one = (await goals.addStep(actor, id, { title: 'one' })).step
    const two = (await goals.addStep(actor, id, { title: 'two', dependsOn: [one.id] })).step
    expect(two).toMatchObject({ order: 1, ready: false })
    await expect(goals.setStep(actor, id, two.id, { status: 'completed' })).rejects.toMatchObject({
      code: 'usage',
    })
    await goals.setStep(actor, id, one.id, { status: 'completed' })
    expect((await goals.show(id)).card).toMatchObject({ goal: { progress: 50 }, nextStep: 'two' })
    await goals.removeStep(actor, id, one.id)
    expect((await goals.show(id)).steps).toMatchObject([{ id: two.id, dependsOn: [], ready: true }])
    await expect(goals.setStep(actor, id, one.id, {})).rejects.toMatchObject({ code: 'not_found' })
  })

  it('takes notes and learnings, and gives them up again', async () => {
    const id = await add('A', { description: 'To Japan.' })
    const { entry } = await goals.addEntry(actor, id, 'learnings', { text: 'They close at three.' })
    await goals.addEntry(actor, id, 'notes', { text: 'Asked.' })
    const told = await testDatabase.act((tx) => goalForPrompt(tx, id))
    expect(told.value).toMatchObject({
      description: 'To Japan.',
      notes: [{ text: 'Asked.' }],
      learnings: [{ text: 'They close at three.', label: { integrity: 'tool' } }],
    })
    await goals.removeEntry(actor, id, 'learnings', entry.id)
    await expect(goals.removeEntry(actor, id, 'learnings', entry.id)).rejects.toMatchObject({
      code: 'not_found',
    })
    expect((await testDatabase.act((tx) => goalLines(tx, 5))).value).toMatchObject([{ id, status: 'active' }])
    expect((await testDatabase.act((tx) => taskForPrompt(tx, 'atask_none'))).value).toBeUndefined()
  })
})

describe('the board', () => {
  it('has no words of a server among what agents ask', async () => {
    const id = await add('Booked')
    await testDatabase.ask(
      await testDatabase.run({ goal: id }),
      'Your agent asks: where do you live?',
      'booking',
    )
    expect((await goals.show(id)).card.asks).toMatchObject([
      { kind: 'question', text: 'A question of the server booking.' },
    ])
  })

  it('puts each goal where it belongs', async () => {
    const active = await add('Active', { limits: { moneyPerDayUsd: 3 } })
    const asked = await add('Asked')
    const waiting = await add('Waiting')
    const paused = await add('Paused')
    const under = await add('Under', { parentId: paused })
    const done = await add('Done')
    const archived = await add('Archived')
    await goals.set(actor, waiting, { status: 'waiting' })
    await goals.pause(actor, paused)
    await goals.done(actor, done)
    await goals.set(actor, archived, { status: 'archived' })
    await testDatabase.ask(await testDatabase.run({ goal: asked, state: 'parked' }), 'Which hotel?')
    await testDatabase.run({ goal: active, at: new Date(testDatabase.now.getTime() - 31 * 60_000) })
    const board = await goals.board()
    const titles = Object.fromEntries(
      board.columns.map(({ column, cards }) => [column, cards.map(({ goal }) => goal.id)]),
    )
    expect(titles).toEqual({
      active: [active],
      'waiting-on-you': [asked],
      'waiting-on-world': [waiting],
      paused: [paused, under].toSorted(),
      done: [done],
    })
    const card = (id: string) =>
      board.columns.flatMap(({ cards }) => cards).find(({ goal }) => goal.id === id)
    expect(card(active)).toMatchObject({
      agentsRunning: 1,
      moneyPerDayUsd: 3,
      stuckSince: expect.any(String),
    })
    expect(card(asked)).toMatchObject({
      asks: [{ kind: 'question', text: 'Which hotel?' }],
      stuckSince: null,
    })
    expect(card(under)).toMatchObject({ heldBy: 'Paused', path: ['Paused'] })
    expect((await goals.list()).map(({ id }) => id)).not.toContain(done)
    expect((await goals.list({ all: true })).length).toBe(7)
    expect((await goals.list({ status: 'archived' })).map(({ id }) => id)).toEqual([archived])
  })
})
