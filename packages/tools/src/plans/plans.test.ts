import { type JsonObject, type Label, operatorLabel } from '@countersign/contract'
import { beforeEach, describe, expect, it } from 'vitest'
import { createCatalogue } from '../catalogue.ts'
import { parseArgs, toFacts } from '../definition.ts'
import { restoreRecords } from '../records/restore-records.ts'
import { tasksTools } from '../tasks/index.ts'
import { createRecordToolRunner, type RecordToolRunner } from '../testing/record-tool-runner.ts'
import { addPlanStep } from './add-plan-step.ts'
import { createPlan } from './create-plan.ts'
import { deletePlan } from './delete-plan.ts'
import { executePlan } from './execute-plan.ts'
import { getPlanDetails } from './get-plan-details.ts'
import { plansTools } from './index.ts'
import { listPlans } from './list-plans.ts'
import { pausePlan } from './pause-plan.ts'
import { resumePlan } from './resume-plan.ts'
import { updatePlanStep } from './update-plan-step.ts'

const untrusted: Label = { integrity: 'untrusted', confidentiality: 'public', sources: ['example.org'] }
const shop = { type: 'tool_call', name: 'Note the milk', tool: 'add_task', args: { title: 'Milk' } }
let test: RecordToolRunner
beforeEach(() => {
  test = createRecordToolRunner({ catalogue: createCatalogue([...tasksTools, ...plansTools]) })
})

const idIn = (text: string) => /plan_[0-9a-f]{32}/.exec(text)?.[0] ?? ''
const make = async (steps: readonly JsonObject[] = [shop]) =>
  idIn((await test.use(createPlan, { name: 'Shopping', steps: [...steps] })).result.text)
const planOf = async (id: string) => (await test.records.get('plans', id))?.data

describe('create_plan and its steps', () => {
  it('keep the steps with ids made from their names, and tell what is still wrong', async () => {
    const { result } = await test.use(createPlan, {
      name: 'Shopping',
      goal: 'Eat',
      steps: [shop, { ...shop, dependsOn: ['note_the_milk'] }],
    })
    expect(result.text).toContain('It can begin with execute_plan.')
    expect((await planOf(idIn(result.text)))?.['steps']).toMatchObject([
      { id: 'note_the_milk', onFailure: 'stop' },
      { id: 'note_the_milk_2', dependsOn: ['note_the_milk'] },
    ])
    const empty = await test.use(createPlan, { name: 'Empty' })
    expect(empty.result.text).toContain('The plan has no steps. Add one with add_plan_step.')
    const wrong = await test.use(createPlan, { name: 'Wrong', steps: [{ ...shop, tool: 'fly' }] })
    expect(wrong.result.text).toContain('note_the_milk:')
    expect(wrong.result.text).toContain('It cannot begin yet:')
  })

  it('add a step at its place and raise the version', async () => {
    const planId = await make()
    await test.use(addPlanStep, { planId, order: 1, type: 'user_input', name: 'Ask', question: 'Milk?' })
    expect(await planOf(planId)).toMatchObject({
      version: 2,
      steps: [{ id: 'ask' }, { id: 'note_the_milk' }],
    })
  })

  it('refuse a step that does not fit its type, an id that is taken, and a plan that is not there', async () => {
    const planId = await make()
    const reasonOf = async (args: JsonObject) => {
      const found = await test.resolve(addPlanStep, args)
      return found.kind === 'found' ? '' : found.reason
    }
    expect(await reasonOf({ planId, type: 'tool_call', name: 'x', tool: 'y', prompt: 'z' })).toContain(
      'prompt',
    )
    expect(await reasonOf({ planId, type: 'llm_decision', name: 'x' })).toContain('prompt')
    expect(await reasonOf({ planId, ...shop, id: 'note_the_milk' })).toContain('another id')
    expect(await reasonOf({ planId: 'plan_none', ...shop })).toContain('list_plans')
    expect(parseArgs(addPlanStep, { planId, type: 'dance', name: 'x' }).kind).toBe('invalid')
    expect(parseArgs(addPlanStep, { planId, ...shop, colour: 'red' }).kind).toBe('invalid')
  })

  it('change and take out a step, and put it back', async () => {
    const planId = await make()
    await test.use(updatePlanStep, {
      planId,
      stepId: 'note_the_milk',
      args: { title: 'Oats' },
      onFailure: 'skip',
    })
    expect((await planOf(planId))?.['steps']).toMatchObject([{ args: { title: 'Oats' }, onFailure: 'skip' }])
    await test.use(updatePlanStep, {
      planId,
      stepId: 'note_the_milk',
      type: 'user_input',
      question: 'Really?',
    })
    expect((await planOf(planId))?.['steps']).toMatchObject([{ type: 'user_input', onFailure: 'skip' }])
    const { result } = await test.use(updatePlanStep, { planId, stepId: 'note_the_milk', remove: true })
    expect((await planOf(planId))?.['steps']).toEqual([])
    await test.use(restoreRecords, JSON.parse(result.undo?.args ?? '') as JsonObject)
    expect((await planOf(planId))?.['steps']).toMatchObject([{ question: 'Really?' }])
    expect(await test.resolve(updatePlanStep, { planId, stepId: 'other', remove: true })).toMatchObject({
      reason: 'The plan has no step other. It has note_the_milk.',
    })
    expect(parseArgs(updatePlanStep, { planId, stepId: 'a' }).kind).toBe('invalid')
  })
})

describe('execute_plan', () => {
  it('begins work for the plan, once, and refuses every change from then on', async () => {
    const planId = await make()
    const { result } = await test.use(executePlan, { planId })
    expect(test.assistant.begun).toMatchObject([{ agent: 'plan', about: planId, title: 'Shopping' }])
    expect(result.undo).toEqual({ tool: 'pause_plan', args: `{"planId":"${planId}"}` })
    expect(await planOf(planId)).toMatchObject({ status: 'in_progress', run: null })
    for (const [tool, args] of [
      [executePlan, { planId }],
      [addPlanStep, { planId, ...shop }],
      [updatePlanStep, { planId, stepId: 'note_the_milk', remove: true }],
      [deletePlan, { planId }],
    ] as const)
      expect((await test.resolve(tool, args)).kind, tool.name).toBe('invalid')
  })

  it('refuses a plan with a problem, and names the step', async () => {
    const planId = await make([{ ...shop, args: { title: 7 } }])
    expect(await test.resolve(executePlan, { planId })).toMatchObject({
      kind: 'invalid',
      reason: expect.stringContaining('note_the_milk: The arguments do not fit add_task: title'),
    })
    expect(test.assistant.begun).toEqual([])
  })

  it('is refused for a plan of a goal that the calling work cannot reach, and not for its own', async () => {
    const goal = (title: string, data: JsonObject = {}) =>
      test.records.insert('goals', `goal_${title}`, { title, session: 's', ...data }, null)
    await Promise.all([goal('narrow'), goal('wide'), goal('under', { parentId: 'goal_narrow' })])
    const parsed = async (goalId: string) => {
      const { result } = await test.use(createPlan, { name: 'P', steps: [shop], goalId })
      const args = parseArgs(executePlan, { planId: idIn(result.text) })
      if (executePlan.runs !== 'gateway' || args.kind === 'invalid') throw new Error('not to be run')
      const { cause, ...context } = test.context
      return executePlan.run(args.args, { ...context, cause: cause && { ...cause, goal: 'goal_narrow' } })
    }
    expect(await parsed('goal_wide')).toMatchObject({ ok: false, text: expect.stringContaining('goal_wide') })
    expect(test.assistant.begun).toEqual([])
    expect((await parsed('goal_narrow')).ok).toBe(true)
    expect((await parsed('goal_under')).ok).toBe(true)
  })

  it('is refused inside of a plan', async () => {
    const planId = await make([{ ...shop, tool: 'execute_plan', args: { planId: 'plan_x' } }])
    expect(await test.resolve(executePlan, { planId })).toMatchObject({
      reason: expect.stringContaining('A plan cannot use execute_plan'),
    })
  })
})

describe('what a plan was made from', () => {
  it('stays with it, private things too, for the run that it is carried out by', async () => {
    test.label = { integrity: 'tool', confidentiality: 'private', sources: [] }
    const planId = await make()
    expect((await test.records.get('plans', planId))?.label).toEqual(test.label)
    test.label = operatorLabel
    expect((await test.records.get('plans', await make()))?.label).toBeNull()
  })

  it('taints whoever only holds its work, because its name is told', async () => {
    test.label = untrusted
    const planId = await make()
    await test.use(executePlan, { planId })
    test.label = operatorLabel
    expect((await test.use(pausePlan, { planId })).result.label).toEqual(untrusted)
  })
})

describe('pause_plan and resume_plan', () => {
  it('hold the work and let it go on, and only where that makes sense', async () => {
    const planId = await make()
    expect((await test.resolve(pausePlan, { planId })).kind).toBe('invalid')
    await test.use(executePlan, { planId })
    await test.use(pausePlan, { planId })
    expect([...test.assistant.held]).toEqual([planId])
    expect((await test.resolve(pausePlan, { planId })).kind).toBe('invalid')
    await test.use(resumePlan, { planId })
    expect([...test.assistant.held]).toEqual([])
    expect(await planOf(planId)).toMatchObject({ status: 'in_progress' })
  })
})

describe('list_plans and get_plan_details', () => {
  it('tell of plans, and of what they were made from', async () => {
    const mine = await make()
    test.label = untrusted
    const theirs = await make()
    test.label = operatorLabel
    const list = await test.use(listPlans, {})
    expect(list.result.text).toContain('2 of 2 plans:')
    expect(list.result.label).toEqual(untrusted)
    expect((await test.use(listPlans, { status: 'paused' })).result.text).toContain('create_plan')
    expect((await test.use(getPlanDetails, { planId: mine })).result.label).toBeUndefined()
    const told = await test.use(getPlanDetails, { planId: theirs })
    expect(told.result.label).toEqual(untrusted)
    expect(told.result.text).toContain('"tool":"add_task"')
  })

  it('lose nothing of a deleted plan that is put back', async () => {
    const planId = await make()
    const { result } = await test.use(deletePlan, { planId })
    expect(await planOf(planId)).toBeUndefined()
    await test.use(restoreRecords, JSON.parse(result.undo?.args ?? '') as JsonObject)
    expect(await planOf(planId)).toMatchObject({ name: 'Shopping' })
  })
})

it('describes every tool in few words', () => {
  for (const tool of plansTools) {
    expect(tool.description.length, tool.name).toBeLessThanOrEqual(280)
    expect(tool.tags.length, tool.name).toBeGreaterThanOrEqual(4)
    expect(JSON.stringify(toFacts(tool).schema).length, tool.name).toBeLessThan(4_000)
  }
})
