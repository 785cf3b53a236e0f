import { type JsonObject, type Label, operatorLabel } from '@countersign/contract'
import { beforeEach, describe, expect, it } from 'vitest'
import { parseArgs } from '../definition.ts'
import { restoreRecords } from '../records/restore-records.ts'
import { createRecordToolRunner, type RecordToolRunner } from '../testing/record-tool-runner.ts'
import { addTask } from './add-task.ts'
import { batchAddTasks } from './batch-add-tasks.ts'
import { completeTask } from './complete-task.ts'
import { deleteTask } from './delete-task.ts'
import { listTasks } from './list-tasks.ts'
import { updateTask } from './update-task.ts'

const untrusted: Label = { integrity: 'untrusted', confidentiality: 'public', sources: ['example.org'] }
let test: RecordToolRunner
beforeEach(() => {
  test = createRecordToolRunner()
})

const idIn = (text: string) => /task_[0-9a-f]{32}/.exec(text)?.[0] ?? ''
const add = async (args: JsonObject) => idIn((await test.use(addTask, args)).result.text)
const titles = async (args: JsonObject) =>
  [...(await test.use(listTasks, args)).result.text.matchAll(/"title":"([^"]+)"/g)].map(([, title]) => title)

describe('add_task', () => {
  it('keeps the task with its defaults and tells its id', async () => {
    const { found, result } = await test.use(addTask, { title: 'Milk', dueDate: '2026-03-02T10:00+01:00' })
    expect(found.resources).toEqual([
      { type: 'record', collection: 'tasks', id: 'new', op: 'write', version: null },
    ])
    expect((await test.records.get('tasks', idIn(result.text)))?.data).toEqual({
      title: 'Milk',
      dueDate: '2026-03-02T09:00:00Z',
      priority: 'normal',
      status: 'pending',
    })
  })

  it('refuses an empty title, a day that no calendar has, and fields that it does not take', () => {
    for (const args of [
      {},
      { title: ' ' },
      { title: 'two\nlines' },
      { title: 'x'.repeat(501) },
      { title: 'A', dueDate: '2026-02-29' },
      { title: 'A', dueDate: 'tomorrow' },
      { title: 'A', dueDate: '2026-03-01T24:00:00' },
      { title: 'A', priority: 'highest' },
      { title: 'A', status: 'completed' },
      { title: 'A', id: 'task_1' },
    ]) {
      expect(parseArgs(addTask, args).kind, JSON.stringify(args)).toBe('invalid')
    }
    expect(parseArgs(addTask, { title: 'A', dueDate: '2028-02-29' }).kind).toBe('args')
  })
})

describe('batch_add_tasks', () => {
  it('adds up to a hundred, shown as a table, and no more', async () => {
    const tasks = Array.from({ length: 100 }, (_, location) => ({ title: `T${location}`, category: 'work' }))
    expect(batchAddTasks.preview({ tasks: tasks.slice(0, 2) })).toEqual({
      kind: 'table',
      title: 'New tasks',
      columns: ['title', 'category'],
      rows: [
        ['T0', 'work'],
        ['T1', 'work'],
      ],
    })
    await test.use(batchAddTasks, { tasks })
    expect((await test.records.count('')).get('tasks')).toBe(100)
    expect(parseArgs(batchAddTasks, { tasks: [...tasks, { title: 'one more' }] }).kind).toBe('invalid')
    expect(parseArgs(batchAddTasks, { tasks: [] }).kind).toBe('invalid')
  })
})

describe('list_tasks', () => {
  it('shows the earliest due first and narrows down by state, priority, category and words', async () => {
    await add({ title: 'Later', dueDate: '2026-05-01', priority: 'high' })
    await add({ title: 'Sooner', dueDate: '2026-04-01', category: 'work' })
    const done = await add({ title: 'Some day' })
    await test.use(completeTask, { taskId: done })
    expect(await titles({})).toEqual(['Sooner', 'Later', 'Some day'])
    expect(await titles({ status: 'completed' })).toEqual(['Some day'])
    expect(await titles({ priority: 'high' })).toEqual(['Later'])
    expect(await titles({ category: 'work', search: 'SOON' })).toEqual(['Sooner'])
    expect(await titles({ category: 'play' })).toEqual([])
  })

  it('gives twenty unless told, and fifty at most', async () => {
    await test.use(batchAddTasks, {
      tasks: Array.from({ length: 60 }, (_, location) => ({ title: `T${location}` })),
    })
    expect((await titles({})).length).toBe(20)
    expect((await titles({ limit: 1000 })).length).toBe(50)
    expect((await test.use(listTasks, { limit: 3 })).result.text).toContain('3 of 60 tasks')
  })
})

describe('complete_task and update_task', () => {
  it('say when a task was completed, and forget it when the task goes on', async () => {
    const taskId = await add({ title: 'A' })
    await test.use(completeTask, { taskId })
    expect((await test.records.get('tasks', taskId))?.data['completedAt']).toBe('2026-03-01T12:00:00.000Z')
    await test.use(updateTask, { taskId, status: 'pending' })
    expect((await test.records.get('tasks', taskId))?.data).not.toHaveProperty('completedAt')
  })

  it('change only what is named, remove what is null, and bind the version that was looked at', async () => {
    const taskId = await add({ title: 'A', notes: 'n', dueDate: '2026-03-03' })
    const { found } = await test.use(updateTask, { taskId, dueDate: null, title: 'B' })
    expect(found.resources).toMatchObject([{ id: taskId, op: 'write', version: 1 }])
    expect((await test.records.get('tasks', taskId))?.data).toEqual({
      title: 'B',
      notes: 'n',
      priority: 'normal',
      status: 'pending',
    })
    expect(updateTask.preview({ taskId, dueDate: null })).toMatchObject({ rows: [['dueDate', '(removed)']] })
  })

  it('refuse a task that is not there, a change of nothing, and the removal of what must be', async () => {
    const taskId = await add({ title: 'A' })
    expect(await test.resolve(completeTask, { taskId: 'task_none' })).toMatchObject({
      kind: 'invalid',
      reason: expect.stringContaining('list_tasks'),
    })
    expect(parseArgs(updateTask, { taskId }).kind).toBe('invalid')
    expect(parseArgs(updateTask, { taskId, title: null }).kind).toBe('invalid')
    expect(parseArgs(updateTask, { taskId, completedAt: 'x' }).kind).toBe('invalid')
  })
})

describe('what was made from untrusted content', () => {
  it('taints whoever reads it back, and nobody else', async () => {
    await add({ title: 'Mine' })
    test.label = untrusted
    const theirs = await add({ title: 'Theirs', category: 'web' })
    test.label = operatorLabel
    expect((await test.use(listTasks, { search: 'mine' })).result.label).toBeUndefined()
    expect((await test.use(listTasks, {})).result.label).toEqual(untrusted)
    const { result } = await test.use(updateTask, { taskId: theirs, title: 'Renamed' })
    expect(result.label).toEqual(untrusted)
    expect((await test.records.get('tasks', theirs))?.label).toEqual(untrusted)
    const deleted = await test.use(deleteTask, { taskId: theirs })
    expect(deleted.result.label).toEqual(untrusted)
    await test.use(restoreRecords, JSON.parse(deleted.result.undo?.args ?? '') as JsonObject)
    expect((await test.records.get('tasks', theirs))?.label).toEqual(untrusted)
  })

  it('taints a record of the operator that it changes', async () => {
    const taskId = await add({ title: 'Mine' })
    test.label = untrusted
    await test.use(updateTask, { taskId, notes: 'from a page' })
    expect((await test.records.get('tasks', taskId))?.label).toEqual(untrusted)
  })
})
