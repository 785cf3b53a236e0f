import {
  idFrom,
  type JsonObject,
  type Label,
  type OccurrenceView,
  operatorLabel,
  type ScheduleServices,
} from '@countersign/contract'
import { beforeEach, describe, expect, it } from 'vitest'
import { createCatalogue } from '../catalogue.ts'
import { parseArgs, type ToolDefinition } from '../definition.ts'
import { recordsTools } from '../records/index.ts'
import { restoreRecords } from '../records/restore-records.ts'
import { createRecordToolRunner, type RecordToolRunner } from '../testing/record-tool-runner.ts'
import { createScheduledTask } from './create-scheduled-task.ts'
import { deleteScheduledTask } from './delete-scheduled-task.ts'
import { getTaskHistory } from './get-task-history.ts'
import { schedulerTools } from './index.ts'
import { listScheduledTasks } from './list-scheduled-tasks.ts'
import { triggerTask } from './trigger-task.ts'
import { updateScheduledTask } from './update-scheduled-task.ts'

const untrusted: Label = { integrity: 'untrusted', confidentiality: 'public', sources: ['example.org'] }
const occurrence: OccurrenceView = {
  id: 'occ_1',
  schedule: 'sched_1',
  version: 1,
  cause: 'manual',
  dueAt: '2026-03-01T12:00:00.000Z',
  state: 'queued',
  reason: 'none',
  because: 'It waits for its turn.',
  session: null,
  run: null,
  endedAt: null,
  message: '',
  costUsd: null,
}

let test: RecordToolRunner
let fired: [string, Label][]
let changes: number
beforeEach(() => {
  test = createRecordToolRunner()
  fired = []
  changes = 0
  const schedules: ScheduleServices = {
    zone: 'Europe/Zagreb',
    upcoming: (_trigger, count) =>
      ['2026-03-02T07:00:00.000Z', '2026-03-03T07:00:00.000Z', '2026-03-04T07:00:00.000Z'].slice(0, count),
    history: () =>
      Promise.resolve([{ ...occurrence, state: 'skipped', because: 'The run before it had not ended.' }]),
    fire: (schedule, label) => {
      fired.push([schedule, label])
      return Promise.resolve(occurrence)
    },
    changed: () => {
      changes += 1
    },
  }
  Object.assign(test.assistant, { schedules })
})

const idIn = (text: string) => /sched_[0-9a-f]{32}/.exec(text)?.[0] ?? ''
const brief = { name: 'Brief', schedule: 'every weekday 8:00', prompt: 'Send me a brief' }
const create = async (args: JsonObject = brief) =>
  idIn((await test.use(createScheduledTask, args)).result.text)

describe('create_scheduled_task', () => {
  it('keeps the schedule with its defaults, its maker and a conversation of its own', async () => {
    const id = await create({ ...brief, goalId: await goal() })
    expect((await test.records.get('schedules', id))?.data).toMatchObject({
      name: 'Brief',
      trigger: { kind: 'cron', expression: '0 8 * * 1-5', zone: 'Europe/Zagreb' },
      does: { kind: 'prompt', text: 'Send me a brief' },
      goal: 'goal_1',
      missed: 'once',
      overlap: 'skip',
      onFailure: { feed: true, session: null },
      version: 1,
      session: expect.stringMatching(/^ses_/),
      creator: { kind: 'operator', id: 'the operator' },
    })
    expect(changes).toBe(1)
  })

  it('keeps who made it and who changed it, each once', async () => {
    const origin = (agent: string) => ({ agent, goal: null, session: idFrom('ses', '1'.repeat(32)) })
    const by = (...agents: string[]) =>
      Object.assign(test.assistant, { origins: () => Promise.resolve(agents.map(origin)) })
    by('coder')
    const id = await create()
    const kept = async () => (await test.records.get('schedules', id))?.data['origins']
    expect(await kept()).toEqual([origin('coder')])
    by('helper', 'coder')
    await test.use(updateScheduledTask, { taskId: id, status: 'paused' })
    expect(await kept()).toEqual([origin('coder'), origin('helper')])
  })

  it('shows in words when it runs, the next three times and what it does', async () => {
    const { found } = await test.use(createScheduledTask, brief)
    expect(found.effects.map(({ object }) => object)).toEqual([
      'the scheduled task “Brief”: Weekdays 08:00 Europe/Zagreb; next 2026-03-02 08:00, 2026-03-03 08:00, 2026-03-04 08:00',
      'each time, with nobody there: Send me a brief',
    ])
    expect(createScheduledTask.floor).toBe(2)
  })

  it('takes a zone, an event and a moment', async () => {
    const triggers: [JsonObject, JsonObject][] = [
      [
        { schedule: 'every day at 7:00', timezone: 'America/New_York' },
        { kind: 'cron', zone: 'America/New_York' },
      ],
      [{ schedule: 'when inbox/a.pdf changes' }, { kind: 'watch', path: 'inbox/a.pdf' }],
      [{ schedule: '2026-03-05T10:00:00+01:00' }, { kind: 'once', at: '2026-03-05T09:00:00.000Z' }],
      [{ schedule: '*/20 * * * *' }, { kind: 'cron', expression: '*/20 * * * *' }],
    ]
    for (const [index, [given, trigger]] of triggers.entries()) {
      const id = await create({ ...brief, name: `n${index}`, ...given })
      expect((await test.records.get('schedules', id))?.data).toMatchObject({ trigger })
    }
  })

  it('refuses what is unclear, over, without work, or there already', async () => {
    await create()
    const refused: [JsonObject, string][] = [
      [{ ...brief, name: 'a', schedule: 'now and then' }, 'every weekday 8:00'],
      [{ ...brief, name: 'a', schedule: 'every day at 8:00 and tell me' }, 'Put that into the prompt'],
      [{ ...brief, name: 'a', schedule: '2020-01-01 at 8:00' }, 'over'],
      [{ name: 'a', schedule: 'every day at 8:00' }, 'a prompt, or the id of a plan'],
      [{ ...brief, name: 'a', planId: 'plan_1' }, 'not both'],
      [{ name: 'a', schedule: 'hourly', planId: 'plan_none' }, 'plan_none'],
      [{ ...brief, name: 'BRIEF' }, 'already'],
      [{ ...brief, name: 'a', schedule: 'every 10 seconds' }, 'not clear'],
      [{ ...brief, name: 'a', schedule: 'when ../secret changes' }, 'not clear'],
    ]
    for (const [args, reason] of refused)
      expect(await test.resolve(createScheduledTask, args), JSON.stringify(args)).toMatchObject({
        kind: 'invalid',
        reason: expect.stringContaining(reason),
      })
    expect(parseArgs(createScheduledTask, { ...brief, status: 'paused' }).kind).toBe('invalid')
    expect(parseArgs(createScheduledTask, { name: 'a' }).kind).toBe('invalid')
  })

  it('keeps what it was made from, and whoever reads it is told so', async () => {
    test.label = untrusted
    await create()
    test.label = operatorLabel
    expect((await test.use(listScheduledTasks, {})).result.label).toEqual(untrusted)
  })
})

describe('update_scheduled_task', () => {
  it('makes a new version with a new conversation of what does something else', async () => {
    const taskId = await create()
    const before = (await test.records.get('schedules', taskId))?.data
    await test.use(updateScheduledTask, { taskId, prompt: 'Send two' })
    const after = (await test.records.get('schedules', taskId))?.data
    expect(after).toMatchObject({ version: 2, does: { text: 'Send two' }, trigger: before?.['trigger'] })
    expect(after?.['session']).not.toBe(before?.['session'])
    await test.use(updateScheduledTask, { taskId, status: 'paused' })
    expect((await test.records.get('schedules', taskId))?.data).toMatchObject({
      version: 2,
      status: 'paused',
      session: after?.['session'],
    })
  })

  it('refuses a task that is not there and a change of nothing', async () => {
    expect(await test.resolve(updateScheduledTask, { taskId: 'sched_none', status: 'paused' })).toMatchObject(
      {
        kind: 'invalid',
        reason: expect.stringContaining('list_scheduled_tasks'),
      },
    )
    expect(parseArgs(updateScheduledTask, { taskId: 'sched_1' }).kind).toBe('invalid')
  })
})

describe('the tools for scheduled tasks', () => {
  it('take creating, changing and deleting back', async () => {
    const made = await test.use(createScheduledTask, brief)
    const taskId = idIn(made.result.text)
    const states = [await test.records.get('schedules', taskId)]
    const steps = [
      await test.use(updateScheduledTask, { taskId, schedule: 'hourly' }),
      await test.use(deleteScheduledTask, { taskId }),
    ]
    const undo = (text: string | undefined) => test.use(restoreRecords, JSON.parse(text ?? '') as JsonObject)
    await undo(steps[1]?.result.undo?.args)
    await undo(steps[0]?.result.undo?.args)
    expect((await test.records.get('schedules', taskId))?.data).toEqual(states[0]?.data)
    await undo(made.result.undo?.args)
    expect(await test.records.get('schedules', taskId)).toBeUndefined()
  })

  it('list, tell what happened and set off with the taint of whoever asks', async () => {
    const taskId = await create()
    expect((await test.use(listScheduledTasks, { status: 'active' })).result.text).toContain(
      '"schedule":"Weekdays 08:00 Europe/Zagreb"',
    )
    expect((await test.use(listScheduledTasks, { status: 'paused' })).result.text).toContain(
      'create_scheduled_task',
    )
    expect((await test.use(getTaskHistory, { taskId })).result.text).toContain(
      'The run before it had not ended.',
    )
    test.label = untrusted
    expect((await test.use(triggerTask, { taskId })).result.ok).toBe(true)
    expect(fired).toEqual([[taskId, untrusted]])
    for (const tool of [getTaskHistory, triggerTask, deleteScheduledTask])
      expect(await test.resolve(tool, { taskId: 'sched_none' })).toMatchObject({ kind: 'invalid' })
  })

  it('are offered with words to find them by and schemas of a bearable size', () => {
    for (const facts of createCatalogue([...schedulerTools, ...recordsTools]).list()) {
      expect(facts.tags.length, facts.name).toBeGreaterThanOrEqual(4)
      expect(facts.description.length, facts.name).toBeLessThanOrEqual(280)
      expect(JSON.stringify(facts.schema).length, facts.name).toBeLessThan(1_900)
    }
  })
})

async function goal(): Promise<string> {
  await test.records.insert('goals', 'goal_1', { title: 'Read more' }, null)
  return 'goal_1'
}

describe('work that has a goal or few tools', () => {
  const goalNamed = (id: string, data: JsonObject = {}) =>
    test.records.insert('goals', id, { title: id, session: 's', ...data }, null)

  async function runAs(
    tool: ToolDefinition,
    args: JsonObject,
    cause: { readonly goal?: string; readonly agent?: string },
  ) {
    const parsed = parseArgs(tool, args)
    if (tool.runs !== 'gateway' || parsed.kind === 'invalid') throw new Error('not to be run')
    const { context } = test
    return tool.run(parsed.args, { ...context, cause: context.cause && { ...context.cause, ...cause } })
  }

  it('makes scheduled tasks for its own goal and those under it, and for no other', async () => {
    await Promise.all([goalNamed('goal_a'), goalNamed('goal_b'), goalNamed('goal_c', { parentId: 'goal_a' })])
    const own = await runAs(createScheduledTask, brief, { goal: 'goal_a' })
    const id = idIn(own.text)
    expect((await test.records.get('schedules', id))?.data['goal']).toBe('goal_a')
    const under = { ...brief, name: 'Under', goalId: 'goal_c' }
    expect((await runAs(createScheduledTask, under, { goal: 'goal_a' })).ok).toBe(true)
    const other = { ...brief, name: 'Other', goalId: 'goal_b' }
    expect((await runAs(createScheduledTask, other, { goal: 'goal_a' })).ok).toBe(false)
    const moved = { taskId: id, goalId: 'goal_b' }
    expect((await runAs(updateScheduledTask, moved, { goal: 'goal_a' })).ok).toBe(false)
    const free = await create({ ...brief, name: 'Free' })
    expect((await runAs(updateScheduledTask, { taskId: free, prompt: 'x' }, { goal: 'goal_a' })).ok).toBe(
      false,
    )
  })

  it('makes them for an agent of its own to do, and not for one with other tools', async () => {
    const made = await runAs(createScheduledTask, brief, { agent: 'researcher' })
    const id = idIn(made.text)
    expect((await test.records.get('schedules', id))?.data['agent']).toBe('researcher')
    const other = { ...brief, name: 'Other', agent: 'assistant' }
    expect((await runAs(createScheduledTask, other, { agent: 'researcher' })).ok).toBe(false)
    const given = { taskId: id, agent: 'coder' }
    expect((await runAs(updateScheduledTask, given, { agent: 'researcher' })).ok).toBe(false)
    expect((await runAs(createScheduledTask, { ...other, agent: 'coder' }, {})).ok).toBe(true)
  })
})
