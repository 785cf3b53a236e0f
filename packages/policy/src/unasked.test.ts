import { ActKind, type AskedItem, type Effect, type Resource } from '@countersign/contract'
import { describe, expect, test } from 'vitest'
import { taskFactsOf } from './task-facts.ts'
import type { CallInTask, TaskSoFar } from './task-so-far.ts'
import { newTask, ownCall } from './testing/tasks.ts'
import { actKinds, heldBy, kindsOf, mayBeHeld } from './unasked.ts'

const effect = (change: Partial<Effect>): Effect => ({
  verb: 'send',
  object: 'a person',
  scope: 'boundary',
  reversible: false,
  outward: true,
  leaves: ['words'],
  ...change,
})
const inside = { scope: 'inside' as const, reversible: true, outward: false, leaves: [] }
const record = (collection: string, op: 'write' | 'delete' = 'write'): Resource => ({
  type: 'record',
  collection,
  id: 'one',
  op,
  version: null,
})
const file = (op: 'read' | 'write' | 'delete'): Resource => ({
  type: 'file',
  root: 'workspace',
  path: 'notes/a.ts',
  op,
  identity: 'absent',
  content: null,
})
const sends: CallInTask = {
  tool: { name: 'send_mail' },
  args: {},
  effects: [effect({})],
  resources: [],
  label: { integrity: 'untrusted', confidentiality: 'private', sources: ['web'] },
  ...ownCall,
}
const call = (name: string, effects: readonly Effect[], resources: readonly Resource[] = []): CallInTask => ({
  ...sends,
  tool: { name },
  effects,
  resources,
})
const task = (kinds: readonly ActKind[] | null, items: readonly AskedItem[] = []): TaskSoFar => ({
  ...newTask,
  plan: { id: 'ask_1', items, kinds, used: items.map(() => 0), questions: [], questionsLeft: [] },
})

describe('what nobody asked for', () => {
  test('is of a kind that no reading of the words names', () => {
    expect(taskFactsOf(sends, task([])).unasked).toBe('ask_1')
    expect(taskFactsOf(sends, task(['change_files', 'pay'])).unasked).toBe('ask_1')
    expect(taskFactsOf(sends, task(['send'])).unasked).toBeNull()
  })

  test('is not what a wish names, though the kinds forgot it', () => {
    const add = call('add_task', [effect({ ...inside, verb: 'write' })], [record('tasks')])
    expect(taskFactsOf(add, task([])).unasked).toBe('ask_1')
    expect(taskFactsOf(add, task([], [{ act: 'add_notes', target: null, count: 1 }])).unasked).toBeNull()
  })

  test('is nothing where the words could not be read or were taken back', () => {
    expect(taskFactsOf(sends, task(null)).unasked).toBeNull()
    expect(taskFactsOf(sends, { ...task([]), plan: null }).unasked).toBeNull()
  })

  test.each<[string, Partial<CallInTask>]>([
    ['before strangers’ words', { label: { ...sends.label, integrity: 'tool' } }],
    ['for another requester', { requester: { kind: 'peer', id: 'p' } }],
    ['where nobody is there', { unattended: true }],
    ['in work that was handed on', { firstHand: false }],
    ['in a reader', { inReader: true }],
    ['where nothing is changed or sent', { effects: [effect({ ...inside, verb: 'fetch' })] }],
    ['where the kind is not known', { effects: [effect({ ...inside, verb: 'write' })] }],
  ])('is nothing %s', (_where, change) => {
    expect(mayBeHeld({ ...sends, ...change })).toBe(false)
    expect(taskFactsOf({ ...sends, ...change }, task([])).unasked).toBeNull()
  })

  test('is held only where it would ask', () => {
    const { unasked } = taskFactsOf(sends, task([]))
    const facts = { ...taskFactsOf(sends, task(null)), unasked }
    expect(heldBy({ kind: 'ask' }, facts)).toBe('ask_1')
    expect(heldBy({ kind: 'allow' }, facts)).toBeNull()
    expect(heldBy({ kind: 'deny' }, facts)).toBeNull()
    expect(heldBy({ kind: 'ask' }, undefined)).toBeNull()
  })
})

test.each<[string, CallInTask, readonly ActKind[]]>([
  ['a mail', sends, ['send']],
  ['a payment', call('pay_invoice', [effect({ verb: 'spend' })]), ['pay']],
  [
    'a forwarding',
    call('set_forwarding', [effect({ verb: 'authority' })], [record('mails')]),
    ['change_settings'],
  ],
  ['a click', call('browser_click', [effect({})]), ['use_pages', 'send']],
  ['a package', call('package_manager', [effect({ verb: 'execute' })]), ['install']],
  ['a program', call('execute_shell', [effect({ ...inside, verb: 'execute' })]), ['run_programs']],
  ['a commit', call('git_commit', [effect({ ...inside, verb: 'write' })]), ['use_git']],
  ['a file', call('write_file', [effect({ ...inside, verb: 'write' })], [file('write')]), ['change_files']],
  [
    'a file that goes',
    call('delete_file', [effect({ ...inside, verb: 'delete' })], [file('delete')]),
    ['delete', 'change_files'],
  ],
  [
    'what a program changed',
    call('take_over_changes', [effect({ ...inside, verb: 'write' })], [file('write')]),
    [],
  ],
  ['a memory', call('remember', [effect({ ...inside, verb: 'write' })], [record('memories')]), ['remember']],
  ['a goal', call('create_goal', [effect({ ...inside, verb: 'write' })], [record('goals')]), ['plan_work']],
  [
    'a row',
    call('add_custom_record', [effect({ ...inside, verb: 'write' })], [record('table:a')]),
    ['change_records'],
  ],
  ['a key that is read', call('read_file', [effect({ ...inside, verb: 'authority' })], [file('read')]), []],
  ['more money for the run', call('allow_spending', [effect({ ...inside, verb: 'spend' })]), []],
  ['a look', call('fetch_web_page', [effect({ verb: 'fetch', outward: false })]), []],
])('%s is of the kinds that people could mean by it', (_what, one, kinds) => {
  expect(kindsOf(one)).toEqual(kinds)
})

test('every kind is explained', () => {
  expect(Object.keys(actKinds)).toEqual([...ActKind.options])
})
