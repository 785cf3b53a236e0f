import { type Label, operatorLabel, type StopReason } from '@countersign/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type MadeRun, openTestDatabase, type TestDatabase } from '../health/testing/test-database.ts'
import { createTasks, type Tasks } from './tasks.ts'

const untrusted: Label = { integrity: 'untrusted', confidentiality: 'private', sources: ['example.org'] }
const actor = { kind: 'operator', id: 'laptop' } as const

let testDatabase: TestDatabase
let tasks: Tasks
beforeAll(async () => {
  testDatabase = await openTestDatabase()
})
afterAll(() => testDatabase.close())
beforeEach(async () => {
  await testDatabase.begin()
  tasks = createTasks({
    context: testDatabase.context(),
    post: testDatabase.post,
    stopRun: testDatabase.stopRun,
    hold: testDatabase.hold,
  })
})

/** What the kernel does when a run ends: its row first, then the assistant. */
async function end(run: MadeRun, reason: StopReason = 'completed', message = 'so it was') {
  await testDatabase.setRun(run, 'stopped', reason)
  await testDatabase.act(async (tx) => {
    const row = await tx.db.selectFrom('runs').selectAll().where('id', '=', run.id).executeTakeFirstOrThrow()
    await tasks.ended(tx, row, { reason, message })
  })
}
/** A task with a run that works on it and has said something. */
async function begun(parent: MadeRun, reply: string, label: Label = operatorLabel) {
  const id = await testDatabase.task({ parent: parent.id, title: reply })
  const run = await testDatabase.run({ agent: 'task', about: id, parent: parent.id, label })
  if (reply !== '') await testDatabase.reply(run, reply)
  return { id, run }
}

describe('the end of a task', () => {
  it('keeps the last reply as its result, with what it was made from', async () => {
    const parent = await testDatabase.run()
    const { id, run } = await begun(parent, 'Three hotels: A, B, C.', untrusted)
    await end(run)
    expect(await tasks.show(id)).toMatchObject({
      status: 'completed',
      result: 'Three hotels: A, B, C.',
      run: run.id,
      label: untrusted,
    })
    expect(testDatabase.entries.map(({ type }) => type)).toEqual(['task.completed'])
  })

  it.each([
    ['limit', 'completed'],
    ['manual', 'cancelled'],
    ['budget', 'failed'],
    ['denied', 'failed'],
  ] as const)('that comes by %s makes it %s', async (reason, status) => {
    const { id, run } = await begun(await testDatabase.run(), 'As far as I came.')
    await end(run, reason, 'why')
    expect(await tasks.show(id)).toMatchObject({ status, problem: 'why', nextRetryAt: null })
  })

  it('by an error pauses it with a time to try again, twice at most, and then it has failed', async () => {
    const parent = await testDatabase.run()
    const { id, run } = await begun(parent, '')
    await end(run, 'error', 'no network')
    expect(await tasks.show(id)).toMatchObject({
      status: 'paused',
      problem: 'no network',
      nextRetryAt: '2026-03-01T12:00:10.000Z',
      endedAt: null,
    })
    const session = (await tasks.show(id)).session
    await tasks.retry(actor, id)
    expect(testDatabase.posted).toMatchObject([
      {
        key: `task/${id}/2`,
        session: null,
        opens: session,
        requester: { kind: 'operator', id: 'laptop' },
        work: { agent: 'task', parent: parent.id, about: id, unattended: false },
      },
    ])
    await end(await testDatabase.run({ agent: 'task', about: id }), 'error', 'no network')
    expect(await tasks.show(id)).toMatchObject({ status: 'paused', nextRetryAt: '2026-03-01T12:00:20.000Z' })
    await tasks.retry(actor, id)
    await end(await testDatabase.run({ agent: 'task', about: id }), 'error', 'no network')
    expect(await tasks.show(id)).toMatchObject({ status: 'failed', attempts: 3, nextRetryAt: null })
  })

  it('leaves alone what ended before, and tasks that are gone', async () => {
    const parent = await testDatabase.run()
    const { id, run } = await begun(parent, 'First.')
    await end(run)
    const later = await testDatabase.run({ agent: 'task', about: id })
    await testDatabase.reply(later, 'Words of a later conversation.')
    await end(later)
    expect(await tasks.show(id)).toMatchObject({ result: 'First.', run: run.id })
    await end(await testDatabase.run({ agent: 'task', about: 'atask_gone' }))
    expect(testDatabase.posted).toEqual([])
  })
})

describe('the report', () => {
  it('goes to the conversation of the run that began them, once all and the run itself have ended', async () => {
    const parent = await testDatabase.run({ agent: 'goal', goal: 'goal_1', unattended: true })
    const first = await begun(parent, 'One & <two>')
    const second = await begun(parent, 'x'.repeat(5_000), untrusted)
    await end(first.run)
    await end(second.run)
    expect(testDatabase.posted).toEqual([])
    await end(parent)
    const [report] = testDatabase.posted
    expect(testDatabase.posted).toHaveLength(1)
    expect(report).toMatchObject({
      key: `report/${parent.id}`,
      session: parent.session,
      mode: 'queue',
      requester: { kind: 'operator', id: 'laptop' },
      label: untrusted,
      work: {
        agent: 'goal',
        goal: 'goal_1',
        schedule: null,
        unattended: true,
        parent: parent.id,
        about: null,
      },
    })
    expect(report?.text).toContain('<result>\nOne &amp; &lt;two&gt;\n</result>')
    expect(report?.text.match(/x+…/)?.[0]).toHaveLength(4_000)
    expect(report?.text.startsWith('<task_results>\n<task>')).toBe(true)
    expect((await tasks.list()).every(({ reported }) => reported)).toBe(true)
  })

  it('waits for the last task when the run ended first', async () => {
    const parent = await testDatabase.run()
    const [first, second] = [await begun(parent, 'One'), await begun(parent, 'Two')]
    await end(parent)
    await end(first.run)
    expect(testDatabase.posted).toEqual([])
    await end(second.run)
    expect(testDatabase.posted).toHaveLength(1)
  })

  it('is made once when everything ends at the same moment', async () => {
    for (let round = 0; round < 5; round += 1) {
      await testDatabase.begin()
      tasks = createTasks({
        context: testDatabase.context(),
        post: testDatabase.post,
        stopRun: testDatabase.stopRun,
        hold: testDatabase.hold,
      })
      const parent = await testDatabase.run()
      const all = await Promise.all([1, 2, 3, 4].map((number) => begun(parent, `Result ${number}`)))
      const runs = [...all.map(({ run }) => run), parent]
      await Promise.all(runs.map((run) => end(run)))
      expect(testDatabase.entries.filter(({ type }) => type === 'task.reported')).toHaveLength(1)
      expect(testDatabase.posted).toHaveLength(1)
      for (const number of [1, 2, 3, 4]) expect(testDatabase.posted[0]?.text).toContain(`Result ${number}`)
    }
  })

  it('is not made while a task is paused or a run goes on, nor for a run that was stopped by hand', async () => {
    const parent = await testDatabase.run()
    const { id, run } = await begun(parent, '')
    await end(parent)
    await end(run, 'error', 'no network')
    expect(testDatabase.posted).toEqual([])
    await tasks.cancel(actor, id)
    expect(testDatabase.posted.map(({ key }) => key)).toEqual([`report/${parent.id}`])
    const stopped = await testDatabase.run()
    const task = await begun(stopped, 'One')
    await end(stopped, 'manual')
    await end(task.run)
    expect(testDatabase.posted).toHaveLength(1)
    expect(await tasks.show(task.id)).toMatchObject({ status: 'completed', reported: true })
  })

  it('is made again for a task that the operator had tried again', async () => {
    const parent = await testDatabase.run()
    const { id, run } = await begun(parent, '')
    await end(parent)
    await end(run, 'budget', 'no money')
    expect(testDatabase.posted).toHaveLength(1)
    await tasks.retry(actor, id)
    const again = await testDatabase.run({ agent: 'task', about: id })
    await testDatabase.reply(again, 'Now it worked.')
    await end(again)
    const keys = testDatabase.posted.map(({ key }) => key)
    expect(keys).toEqual([`report/${parent.id}`, `task/${id}/2`, `report/${parent.id}/1`])
    expect(testDatabase.posted[2]?.text).toContain('Now it worked.')
  })
})

describe('the operator', () => {
  it('cancels a task: its run is stopped and held, and it stays cancelled', async () => {
    const { id, run } = await begun(await testDatabase.run(), 'Half')
    const { task, ledger } = await tasks.cancel(actor, id)
    expect(task).toMatchObject({ status: 'cancelled', problem: 'Cancelled by the operator.' })
    expect(ledger).toBeGreaterThan(0)
    expect(testDatabase.stopped).toEqual([run.id])
    expect(testDatabase.held.has(id)).toBe(true)
    await end(run, 'manual')
    expect(await tasks.show(id)).toMatchObject({ status: 'cancelled', run: run.id })
    await expect(tasks.cancel(actor, id)).rejects.toMatchObject({ code: 'conflict' })
    await tasks.retry(actor, id)
    expect(testDatabase.held.has(id)).toBe(false)
  })

  it('cannot try again what works or has worked, nor what is not there', async () => {
    const { id, run } = await begun(await testDatabase.run(), 'Done')
    await expect(tasks.retry(actor, id)).rejects.toMatchObject({ code: 'conflict' })
    await end(run)
    await expect(tasks.retry(actor, id)).rejects.toMatchObject({ code: 'conflict' })
    await expect(tasks.show('atask_none')).rejects.toMatchObject({ code: 'not_found' })
    expect(await tasks.list({ status: 'completed' })).toHaveLength(1)
    expect(await tasks.list({ status: 'failed' })).toEqual([])
  })
})
