import { type JsonObject, type Label, taskFrom } from '@countersign/contract'
import { beforeEach, describe, expect, it } from 'vitest'
import { parseArgs, type ToolDefinition } from '../definition.ts'
import { createGoal } from '../goals/create-goal.ts'
import { createRecordToolRunner, type RecordToolRunner } from '../testing/record-tool-runner.ts'
import { cancelAgentTask } from './cancel-agent-task.ts'
import { getAgentTask } from './get-agent-task.ts'
import { listAgentTasks } from './list-agent-tasks.ts'
import { restartAgentTask } from './restart-agent-task.ts'
import { startAgentTask } from './start-agent-task.ts'

const untrusted: Label = { integrity: 'untrusted', confidentiality: 'public', sources: ['example.org'] }
let test: RecordToolRunner
beforeEach(() => {
  test = createRecordToolRunner()
})

const idIn = (text: string) => /"id":"([^"]+)"/.exec(text)?.[1] ?? ''
const work = { title: 'Hotels', instructions: 'Find three hotels in Tokyo.' }
const start = async (args: JsonObject = work) => idIn((await test.use(startAgentTask, args)).result.text)
const task = async (id: string) => {
  const record = await test.records.get('agent_tasks', id)
  if (!record) throw new Error('gone')
  return taskFrom(record)
}
async function runAs(tool: ToolDefinition, args: JsonObject, cause: Record<string, unknown>) {
  const parsed = parseArgs(tool, args)
  if (tool.runs !== 'gateway' || parsed.kind === 'invalid') throw new Error('not to be run')
  const context = test.context
  return tool.run(parsed.args, { ...context, cause: context.cause && { ...context.cause, ...cause } })
}

describe('start_agent_task', () => {
  it('begins work for the goal with nothing but the instructions', async () => {
    const goal = idIn((await test.use(createGoal, { title: 'Japan', description: 'In <May>.' })).result.text)
    const id = await start({ ...work, instructions: 'Find three hotels, <b>cheap</b>.', goalId: goal })
    expect(test.assistant.begun).toEqual([
      {
        key: `task/${id}`,
        title: 'Hotels',
        agent: 'task',
        goal,
        about: id,
        text: '<task>\n<title>Hotels</title>\n<instructions>\nFind three hotels, &lt;b&gt;cheap&lt;/b&gt;.\n</instructions>\n</task>',
      },
    ])
    expect(await task(id)).toMatchObject({ status: 'active', goal, attempts: 1, reported: false, run: null })
  })

  it('remembers what led to it', async () => {
    test.label = untrusted
    await start()
    expect((await test.records.list('agent_tasks', { limit: 1 })).records[0]?.label).toEqual(untrusted)
  })

  it('refuses tasks and plans, and begins nothing for them', async () => {
    for (const agent of ['task', 'plan'])
      expect(await runAs(startAgentTask, work, { agent })).toMatchObject({
        ok: false,
        text: expect.stringContaining('cannot start tasks'),
      })
    expect(await runAs(startAgentTask, work, { agent: 'goal' })).toMatchObject({ ok: true })
    expect(test.assistant.begun).toHaveLength(1)
  })

  it('starts five for one run and not six, and twenty in all', async () => {
    for (let number = 0; number < 5; number += 1) await start()
    expect((await test.use(startAgentTask, work)).result).toMatchObject({
      ok: false,
      text: expect.stringContaining('5 tasks of this run'),
    })
    await test.use(cancelAgentTask, { taskId: await firstId() })
    expect((await test.use(startAgentTask, work)).result.ok).toBe(true)
    for (let number = 0; number < 15; number += 1)
      expect(await runAs(startAgentTask, work, { run: `run_${number}` })).toMatchObject({ ok: true })
    expect(await runAs(startAgentTask, work, { run: 'run_other' })).toMatchObject({
      ok: false,
      text: expect.stringContaining('20 tasks are under way'),
    })
  })

  it('keeps work for a goal to that goal', async () => {
    const own = idIn((await test.use(createGoal, { title: 'Own' })).result.text)
    const other = idIn((await test.use(createGoal, { title: 'Other' })).result.text)
    const cause = { goal: own, agent: 'goal' }
    expect(await runAs(startAgentTask, { ...work, goalId: other }, cause)).toMatchObject({ ok: false })
    expect(await runAs(startAgentTask, work, cause)).toMatchObject({ ok: true })
    expect(test.assistant.begun[0]).toMatchObject({ goal: own })
    expect(await test.resolve(startAgentTask, { ...work, goalId: 'goal_none' })).toMatchObject({
      kind: 'invalid',
    })
  })

  it('has calls of one turn decided one after the other', async () => {
    const { found } = await test.use(startAgentTask, work)
    expect(found.resources).toEqual([
      { type: 'record', collection: 'agent_tasks', id: '*', op: 'write', version: null },
    ])
  })
})

const firstId = async () => (await test.records.list('agent_tasks', { limit: 1 })).records[0]?.id ?? ''

describe('tasks of agents', () => {
  it('are listed and shown, tainted as they are', async () => {
    test.label = untrusted
    const id = await start()
    test.label = { integrity: 'operator', confidentiality: 'public', sources: [] }
    const listed = await test.use(listAgentTasks, { status: 'active' })
    expect(listed.result.text).toContain(id)
    expect(listed.result.label).toEqual(untrusted)
    expect((await test.use(listAgentTasks, { status: 'failed' })).result).toMatchObject({
      text: 'No tasks of agents found.',
    })
    expect((await test.use(getAgentTask, { taskId: id })).result.text).toContain('Find three hotels')
    expect(await test.resolve(getAgentTask, { taskId: 'atask_none' })).toMatchObject({
      reason: expect.stringContaining('list_agent_tasks'),
    })
  })

  it('are cancelled and held, and go on when that is taken back', async () => {
    const id = await start()
    const { result } = await test.use(cancelAgentTask, { taskId: id })
    expect(await task(id)).toMatchObject({ status: 'cancelled', endedAt: '2026-03-01T12:00:00.000Z' })
    expect(test.assistant.held.has(id)).toBe(true)
    expect((await test.use(cancelAgentTask, { taskId: id })).result.text).toContain('cancelled already')
    await test.use(restartAgentTask, JSON.parse(result.undo?.args ?? '') as JsonObject)
    expect(await task(id)).toMatchObject({ status: 'active', attempts: 2, endedAt: null })
    expect(test.assistant.held.has(id)).toBe(false)
    expect(test.assistant.begun[1]).toMatchObject({
      key: `task/${id}/2`,
      session: (await task(id)).session,
      about: id,
    })
    expect(await test.resolve(restartAgentTask, { taskId: id })).toMatchObject({ kind: 'invalid' })
  })

  it('of another goal are not cancelled by work for this one', async () => {
    const own = idIn((await test.use(createGoal, { title: 'Own' })).result.text)
    const id = await start()
    expect(await runAs(cancelAgentTask, { taskId: id }, { goal: own })).toMatchObject({ ok: false })
    expect((await task(id)).status).toBe('active')
  })
})
