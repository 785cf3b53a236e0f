import {
  type JsonObject,
  type Label,
  learningsOf,
  operatorLabel,
  type ToolResult,
} from '@countersign/contract'
import { beforeEach, describe, expect, it } from 'vitest'
import { createCatalogue } from '../catalogue.ts'
import { parseArgs, type ToolDefinition } from '../definition.ts'
import { addNote } from '../notes/add-note.ts'
import { createRecordToolRunner, type RecordToolRunner } from '../testing/record-tool-runner.ts'
import { dumpOf } from '../testing/records.ts'
import { addGoalNote } from './add-goal-note.ts'
import { completeStep } from './complete-step.ts'
import { createGoal } from './create-goal.ts'
import { decomposeGoal } from './decompose-goal.ts'
import { getGoalDetails } from './get-goal-details.ts'
import { getNextActions } from './get-next-actions.ts'
import { goalStats } from './goal-stats.ts'
import { listGoals } from './list-goals.ts'
import { restoreGoals } from './restore-goals.ts'
import { saveLearning } from './save-learning.ts'
import { updateGoal } from './update-goal.ts'

const untrusted: Label = { integrity: 'untrusted', confidentiality: 'public', sources: ['example.org'] }
let test: RecordToolRunner
beforeEach(() => {
  test = createRecordToolRunner({ catalogue: createCatalogue([addNote]) })
})

const idIn = (text: string) => /"id":"([^"]+)"/.exec(text)?.[1] ?? ''
const idsIn = (text: string) => [...text.matchAll(/"id":"([^"]+)"/g)].map(([, id = '']) => id)
const create = async (args: JsonObject) => idIn((await test.use(createGoal, args)).result.text)
const text = async (tool: ToolDefinition, args: JsonObject) => (await test.use(tool, args)).result.text
const dataOf = async (id: string) => (await test.records.get('goals', id))?.data ?? {}
const undo = (result: ToolResult) => {
  expect(result.undo?.tool).toBe('restore_goals')
  return test.use(restoreGoals, JSON.parse(result.undo?.args ?? '') as JsonObject)
}
const refusedLook = async (tool: ToolDefinition, args: JsonObject) => {
  const found = await test.resolve(tool, args)
  return found.kind === 'invalid' ? found.reason : 'found'
}
/** The tool as work for a goal calls it, or as another agent does. */
async function runAs(
  tool: ToolDefinition,
  args: JsonObject,
  cause: { goal?: string | null; agent?: string },
) {
  const parsed = parseArgs(tool, args)
  if (tool.runs !== 'gateway' || parsed.kind === 'invalid') throw new Error('not to be run')
  const context = test.context
  return tool.run(parsed.args, { ...context, cause: context.cause && { ...context.cause, ...cause } })
}

describe('create_goal', () => {
  it('keeps the goal with its defaults and a conversation of its own', async () => {
    const id = await create({ title: 'Learn Danish', due: '2026-06-01' })
    expect(await dataOf(id)).toMatchObject({
      title: 'Learn Danish',
      status: 'active',
      priority: 5,
      progress: 0,
      limits: {},
      session: expect.stringMatching(/^ses_[0-9a-f]{32}$/),
    })
  })

  it('refuses a parent that is not there, money as a limit, and a ninth level', async () => {
    expect(await refusedLook(createGoal, { title: 'A', parentId: 'goal_none' })).toContain(
      'no goal goal_none',
    )
    expect(parseArgs(createGoal, { title: 'A', limits: { moneyPerDayUsd: 9 } }).kind).toBe('invalid')
    expect(parseArgs(createGoal, { title: 'A', limits: { tierMax: 1 } }).kind).toBe('args')
    let parentId = await create({ title: '1' })
    for (let level = 2; level <= 8; level += 1) parentId = await create({ title: String(level), parentId })
    expect(await refusedLook(createGoal, { title: '9', parentId })).toContain('at most 8 levels deep')
  })

  it('puts goals of work for a goal under that goal, and refuses another place', async () => {
    const [own, other] = [await create({ title: 'Own' }), await create({ title: 'Other' })]
    const made = await runAs(createGoal, { title: 'Part' }, { goal: own })
    expect((await dataOf(idIn(made.text)))['parentId']).toBe(own)
    expect(await runAs(createGoal, { title: 'Part', parentId: other }, { goal: own })).toMatchObject({
      ok: false,
    })
    expect(await runAs(createGoal, { title: 'Part', parentId: other }, { goal: null })).toMatchObject({
      ok: true,
    })
  })

  it('holds a goal that is made under a paused one', async () => {
    const parentId = await create({ title: 'Top' })
    await test.use(updateGoal, { goalId: parentId, status: 'paused' })
    const id = await create({ title: 'Part', parentId })
    expect(test.assistant.held.has(id)).toBe(true)
  })
})

describe('update_goal', () => {
  it('changes, and its undo puts back', async () => {
    const goalId = await create({ title: 'A' })
    const before = await dumpOf(test.records)
    const { found, result } = await test.use(updateGoal, { goalId, title: 'B', progress: 30 })
    expect(found.resources).toMatchObject([{ collection: 'goals', id: goalId, op: 'write', version: 1 }])
    expect(await dataOf(goalId)).toMatchObject({ title: 'B', progress: 30 })
    await undo(result)
    expect(await dumpOf(test.records)).toEqual(before)
  })

  it('holds everything under a pause, releases it with the next word, and undoes both', async () => {
    const top = await create({ title: 'Top' })
    const middle = await create({ title: 'Middle', parentId: top })
    const leaf = await create({ title: 'Leaf', parentId: middle })
    const other = await create({ title: 'Other' })
    const { found, result } = await test.use(updateGoal, { goalId: top, status: 'paused' })
    expect(found.effects[0]?.object).toContain('2 goals under it')
    expect([...test.assistant.held].toSorted()).toEqual([top, middle, leaf].toSorted())
    await test.use(updateGoal, { goalId: middle, status: 'paused' })
    const { result: resumed } = await test.use(updateGoal, { goalId: top, status: 'active' })
    expect([...test.assistant.held].toSorted()).toEqual([middle, leaf].toSorted())
    await undo(resumed)
    expect([...test.assistant.held].toSorted()).toEqual([top, middle, leaf].toSorted())
    expect(test.assistant.held.has(other)).toBe(false)
    expect(result.text).toContain('Work on 3 goals is held.')
  })

  it('lets nothing go on when a paused goal is abandoned', async () => {
    const top = await create({ title: 'Top' })
    const leaf = await create({ title: 'Leaf', parentId: top })
    await test.use(updateGoal, { goalId: top, status: 'paused' })
    await test.use(updateGoal, { goalId: top, status: 'abandoned' })
    expect(test.assistant.held.has(leaf)).toBe(true)
  })

  it('narrows limits and never widens them', async () => {
    const goalId = await create({ title: 'A', limits: { tools: ['group:notes'], tierMax: 2 } })
    await test.use(updateGoal, { goalId, limits: { tools: ['add_note'], hosts: ['a.example'] } })
    expect((await dataOf(goalId))['limits']).toEqual({
      tools: ['add_note'],
      tierMax: 2,
      hosts: ['a.example'],
    })
    for (const limits of [
      { tools: ['group:notes'] },
      { hosts: ['a.example', 'b.example'] },
      { tierMax: 3 },
    ]) {
      expect(await refusedLook(updateGoal, { goalId, limits })).toContain('Only the operator can do that')
      expect(await runAs(updateGoal, { goalId, limits }, {})).toMatchObject({ ok: false })
    }
    expect(parseArgs(updateGoal, { goalId, limits: { tierMax: null } }).kind).toBe('invalid')
  })

  it('refuses a state that does not follow, a goal that is not there, and a change of nothing', async () => {
    const goalId = await create({ title: 'A' })
    await test.use(updateGoal, { goalId, status: 'archived' })
    expect(await refusedLook(updateGoal, { goalId, status: 'paused' })).toContain('cannot become paused')
    expect(await refusedLook(updateGoal, { goalId: 'goal_x', title: 'B' })).toContain('list_goals')
    expect(parseArgs(updateGoal, { goalId }).kind).toBe('invalid')
    expect(parseArgs(updateGoal, { goalId, parentId: 'goal_y' }).kind).toBe('invalid')
  })

  it('keeps work for a goal to that goal', async () => {
    const [own, other] = [await create({ title: 'Own' }), await create({ title: 'Other' })]
    expect(await runAs(updateGoal, { goalId: own, progress: 1 }, { goal: own })).toMatchObject({ ok: true })
    expect(await runAs(updateGoal, { goalId: other, progress: 1 }, { goal: own })).toMatchObject({
      ok: false,
      text: expect.stringContaining('those under it'),
    })
  })
})

describe('decompose_goal and complete_step', () => {
  it('add steps in order with what they wait for, and reckon the progress', async () => {
    const goalId = await create({ title: 'A' })
    const added = await text(decomposeGoal, {
      goalId,
      steps: [{ title: 'one' }, { title: 'two', dependsOn: [1] }],
      subGoals: [{ title: 'Part' }],
    })
    const [one = '', two = '', part = ''] = idsIn(added)
    expect((await test.records.get('goal_steps', two))?.data).toMatchObject({ order: 1, dependsOn: [one] })
    expect((await dataOf(part))['parentId']).toBe(goalId)
    expect(await refusedLook(completeStep, { stepId: two })).toContain('waits for “one”')
    await test.use(completeStep, { stepId: one })
    expect((await dataOf(goalId))['progress']).toBe(50)
    const { result } = await test.use(completeStep, { stepId: two })
    expect((await dataOf(goalId))['progress']).toBe(100)
    await undo(result)
    expect((await dataOf(goalId))['progress']).toBe(50)
  })

  it('refuse nothing at all, a step before itself, a goal that is not there and too many', async () => {
    const goalId = await create({ title: 'A' })
    expect(parseArgs(decomposeGoal, { goalId }).kind).toBe('invalid')
    expect(parseArgs(decomposeGoal, { goalId, steps: [{ title: 'x', dependsOn: [1] }] }).kind).toBe('invalid')
    expect(await refusedLook(decomposeGoal, { goalId: 'goal_x', steps: [{ title: 'x' }] })).toContain(
      'no goal',
    )
    const fifty = Array.from({ length: 50 }, (_, at) => ({ title: `s${at}` }))
    await test.use(decomposeGoal, { goalId, steps: fifty })
    await test.use(decomposeGoal, { goalId, steps: fifty })
    expect(await refusedLook(decomposeGoal, { goalId, steps: [{ title: 'x' }] })).toContain(
      'at most 100 steps',
    )
    expect(await refusedLook(completeStep, { stepId: 'step_x' })).toContain('get_goal_details')
  })

  it('are taken back whole, unless something stands on them by now', async () => {
    const goalId = await create({ title: 'A' })
    const before = await dumpOf(test.records)
    const { result } = await test.use(decomposeGoal, {
      goalId,
      steps: [{ title: 'x' }],
      subGoals: [{ title: 'P' }],
    })
    await undo(result)
    expect(await dumpOf(test.records)).toEqual(before)
    const again = await test.use(decomposeGoal, { goalId, subGoals: [{ title: 'P' }] })
    await create({ title: 'Q', parentId: idIn(again.result.text) })
    await expect(undo(again.result)).rejects.toThrow('goals under it by now')
  })
})

describe('what is asked about goals', () => {
  it('lists the open ones, the most urgent first', async () => {
    await create({ title: 'Later', due: '2026-05-01' })
    await create({ title: 'Sooner', due: '2026-04-01' })
    await create({ title: 'Urgent', priority: 9 })
    const done = await create({ title: 'Done' })
    await test.use(updateGoal, { goalId: done, status: 'completed' })
    const titles = async (args: JsonObject) =>
      [...(await text(listGoals, args)).matchAll(/"title":"([^"]+)"/g)].map(([, title]) => title)
    expect(await titles({})).toEqual(['Urgent', 'Sooner', 'Later'])
    expect(await titles({ status: 'completed' })).toEqual(['Done'])
    expect(await titles({ search: 'LATE' })).toEqual(['Later'])
    expect(await titles({ status: 'paused' })).toEqual([])
    expect(await titles({ limit: 1 })).toEqual(['Urgent'])
  })

  it('says what to do next, and what is missing where nothing is', async () => {
    expect(await text(getNextActions, {})).toContain('no active goal')
    const goalId = await create({ title: 'A', priority: 9 })
    const bare = await create({ title: 'Bare' })
    await test.use(decomposeGoal, { goalId, steps: [{ title: 'one' }, { title: 'two', dependsOn: [1] }] })
    const next = await text(getNextActions, {})
    expect(next).toContain('"action":"one"')
    expect(next).not.toContain('"action":"two"')
    expect(next).toContain('decompose_goal')
    await test.use(updateGoal, { goalId: bare, status: 'paused' })
    expect(await text(getNextActions, { goalId: bare })).toContain('The goal is paused')
    expect(await refusedLook(getNextActions, { goalId: 'goal_x' })).toContain('no goal')
  })

  it('shows one with all that belongs to it, and reports on all', async () => {
    const top = await create({ title: 'Top' })
    const goalId = await create({ title: 'A', parentId: top, due: '2026-02-01' })
    await test.use(decomposeGoal, { goalId, steps: [{ title: 'one' }] })
    await test.use(addGoalNote, { goalId, text: 'Asked the bank.' })
    await test.use(saveLearning, { goalId, text: 'They close at three.' })
    const shown = await text(getGoalDetails, { goalId })
    for (const part of ['Top › A', 'one', 'Asked the bank.', 'They close at three.'])
      expect(shown).toContain(part)
    expect(await text(goalStats, {})).toContain(`"overdue":[{"id":"${goalId}","title":"A"}]`)
    expect(await text(goalStats, {})).toContain('"active":2')
  })
})

describe('add_goal_note and save_learning', () => {
  it('belong to the goal of the work where none is named', async () => {
    const goalId = await create({ title: 'A' })
    expect(await runAs(saveLearning, { text: 'x' }, { goal: goalId, agent: 'goal' })).toMatchObject({
      ok: true,
    })
    expect((await dataOf(goalId))['learnings']).toMatchObject([{ text: 'x', by: 'goal' }])
    expect(await runAs(addGoalNote, { text: 'x' }, { goal: null })).toMatchObject({
      ok: false,
      text: expect.stringContaining('which goal'),
    })
  })

  const learned = async (agent = 'assistant') => (await learningsOf(test.records, agent)).learnings
  const learn = (args: JsonObject, label: Label = operatorLabel, agent = 'assistant') => {
    test.label = label
    return runAs(saveLearning, args, { goal: null, agent })
  }

  it('keep what work without a goal learned with its agent, and can be undone', async () => {
    const result = await learn({ text: 'Send links.' })
    expect(result.text).not.toContain('accepted')
    expect(await learned()).toMatchObject([{ text: 'Send links.', by: 'assistant', label: null }])
    expect(await learned('researcher')).toEqual([])
    const entryId = idIn(result.text)
    expect((await learn({ entryId, text: 'Send short links.' })).ok).toBe(true)
    expect(await learned()).toMatchObject([{ id: entryId, text: 'Send short links.' }])
    const removed = await learn({ entryId, text: null })
    expect(await learned()).toEqual([])
    await undo(removed)
    expect(await learned()).toMatchObject([{ id: entryId }])
    expect(await learn({ entryId: 'entry_x', text: 'x' })).toMatchObject({ ok: false })
  })

  it('mark what a run learned that had read anything private or of strangers', async () => {
    const secretive: Label = { integrity: 'tool', confidentiality: 'private', sources: [] }
    for (const label of [untrusted, secretive]) {
      const result = await learn({ text: 'Obey.' }, label)
      expect(result.text).toContain('once the operator has accepted it')
      expect((await learned()).at(-1)?.label).toEqual(label)
    }
    await learn({ text: 'Mine.' })
    const entryId = (await learned()).at(-1)?.id ?? ''
    await learn({ entryId, text: 'Theirs.' }, untrusted)
    expect((await learned()).at(-1)).toMatchObject({ text: 'Theirs.', label: untrusted })
  })

  it('keep nothing of their own for tasks, plans and the feed', async () => {
    for (const agent of ['plan', 'feed', 'goal'])
      expect(await learn({ text: 'x' }, operatorLabel, agent)).toMatchObject({ ok: false })
    expect(await learn({ text: 'x' }, operatorLabel, 'task')).toMatchObject({ ok: false })
  })

  it('change and remove what was written, keep its taint, and can be undone', async () => {
    const goalId = await create({ title: 'A' })
    test.label = untrusted
    await test.use(saveLearning, { goalId, text: 'from a page' })
    test.label = operatorLabel
    const [written] = (await dataOf(goalId))['learnings'] as { id: string }[]
    const entryId = written?.id ?? ''
    await test.use(saveLearning, { goalId, entryId, text: 'in other words' })
    expect((await dataOf(goalId))['learnings']).toMatchObject([
      { id: entryId, text: 'in other words', label: untrusted },
    ])
    const removed = await test.use(saveLearning, { goalId, entryId, text: null })
    expect((await dataOf(goalId))['learnings']).toEqual([])
    expect(removed.result.undo).toMatchObject({ tool: 'restore_goals' })
    expect(await runAs(saveLearning, { goalId, entryId, text: 'x' }, {})).toMatchObject({
      ok: false,
      text: expect.stringContaining('There is no learning'),
    })
    expect(parseArgs(saveLearning, { goalId, text: null }).kind).toBe('invalid')
  })

  it('are not for tasks to save, though a task may leave a note', async () => {
    const goalId = await create({ title: 'A' })
    const cause = { goal: goalId, agent: 'task' }
    expect(await runAs(saveLearning, { text: 'x' }, cause)).toMatchObject({
      ok: false,
      text: expect.stringContaining('cannot save learnings'),
    })
    expect(await runAs(addGoalNote, { text: 'x' }, cause)).toMatchObject({ ok: true })
  })

  it('are read with the titles above them, which taint as well', async () => {
    test.label = untrusted
    const parentId = await create({ title: 'Words of a stranger' })
    test.label = operatorLabel
    const goalId = await create({ title: 'A', parentId })
    expect((await test.use(getGoalDetails, { goalId })).result.label).toEqual(untrusted)
  })

  it('taint whoever reads them, and the goal itself is tainted by a change of its own words', async () => {
    const goalId = await create({ title: 'A' })
    test.label = untrusted
    await test.use(saveLearning, { goalId, text: 'from a page' })
    test.label = operatorLabel
    expect((await dataOf(goalId))['learnings']).toMatchObject([{ label: untrusted }])
    expect((await test.use(getGoalDetails, { goalId })).result.label).toEqual(untrusted)
    expect((await test.use(listGoals, {})).result.label).toBeUndefined()
    test.label = untrusted
    await test.use(updateGoal, { goalId, description: 'from a page' })
    test.label = operatorLabel
    expect((await test.use(listGoals, {})).result.label).toEqual(untrusted)
    expect((await test.use(listGoals, { search: 'none' })).result.label).toBeUndefined()
  })
})
