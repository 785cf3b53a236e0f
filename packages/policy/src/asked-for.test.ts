import type { AskedItem, Resource } from '@countersign/contract'
import { AskedAct } from '@countersign/contract'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { askedFact, askedKinds, mayBeAskedFor, mostAsked } from './asked-for.ts'
import { decide } from './decide.ts'
import { factsOf } from './judge.ts'
import { nothingKnown, taskFactsOf } from './task-facts.ts'
import { type CallInTask, type TaskSoFar, withOne } from './task-so-far.ts'
import { effect, exec, file, setOf, shapes } from './testing/calls.ts'
import { newTask, ownCall } from './testing/tasks.ts'

const digest = 'a'.repeat(64)
const existing = (path: string, op: 'write' | 'delete' = 'write') => ({
  ...file(op),
  path,
  identity: { device: '1', inode: '2' },
  content: digest,
})
const path = 'parcel-api/src/fees.ts'
const write: CallInTask = {
  tool: { name: 'write_file' },
  args: { path, content: 'export const fee = 3\n' },
  effects: [effect({ verb: 'write' })],
  resources: [existing(path)],
  label: { integrity: 'untrusted', confidentiality: 'private', sources: ['web'] },
  ...ownCall,
}
const record = (collection: string, op: 'write' | 'delete' = 'write', title?: string): Resource => ({
  type: 'record',
  collection,
  id: 'x',
  op,
  ...(title === undefined ? { version: null } : { version: 1, title }),
})
const recordCall = (tool: string, collection: string, args = {}): CallInTask => ({
  ...write,
  tool: { name: tool },
  args,
  resources: [record(collection)],
})
const gitCall = (tool: string, cwd: string): CallInTask => ({
  ...write,
  tool: { name: tool },
  args: { path: cwd },
  resources: [
    { ...exec(false), cwd },
    { ...existing(`${cwd}/.git/HEAD`), op: 'read' },
  ],
})
const files: AskedItem = { act: 'change_files', target: 'parcel-api/**', count: 3 }

function task(items: readonly AskedItem[], ...said: string[]): TaskSoFar {
  const plan = { id: 'ask_1', items, kinds: null, used: items.map(() => 0), questions: [], questionsLeft: [] }
  return { ...newTask, plan, said, saidNow: said.slice(-1) }
}

const wished = task([files], 'Fix the fees in parcel-api.')

describe('a change that was asked for', () => {
  test('is in a folder that the operator said and the list names', () => {
    expect(taskFactsOf(write, wished).asked).toEqual({
      plan: 'ask_1',
      item: 0,
      count: 1,
      words: 'change files in parcel-api/**',
    })
    const { decision } = judged(write, wished)
    expect(decision).toMatchObject({ kind: 'allow', tier: 1 })
    expect(decision.reason).toBe('Allowed: asked for in your words: change files in parcel-api/**.')
  })

  test('may be an edit of a part, whose words are looked at like those of a whole file', () => {
    const edit = (path: string, newText: string): CallInTask => ({
      ...write,
      tool: { name: 'edit_file' },
      args: { path, oldText: 'one', newText },
      resources: [{ ...existing(path), op: 'read' }, existing(path)],
    })
    expect(taskFactsOf(edit('parcel-api/fees.ts', 'two'), wished).asked).not.toBeNull()
    expect(taskFactsOf(edit('parcel-api/fees.ts', 'two \u0007 owt'), wished).asked).toBeNull()
    expect(taskFactsOf(edit('parcel-api/notes.md', 'two'), wished).asked).toBeNull()
  })

  test('asks where nobody listed it, or the list says something else', () => {
    for (const soFar of [{ ...wished, plan: null }, task([{ ...files, act: 'commit' }], 'in parcel-api')])
      expect(judged(write, soFar).decision).toMatchObject({ kind: 'ask', tier: 2 })
  })

  test.each<[string, string, string | null]>([
    ['a folder that was not said', 'Fix the fees.', 'parcel-api'],
    ['a part of a longer name', 'Look at my-parcel-api-old.', 'parcel-api'],
    ['a folder inside of it', 'Look at parcel-api/docs.', 'parcel-api'],
    ['another case', 'Fix Parcel-API.', 'parcel-api'],
    ['another folder', 'Fix meterd.', 'meterd'],
    ['a folder with the same beginning', 'Fix parcel.', 'parcel'],
    ['everything', 'Fix . and ** and all of it', '**'],
    ['the root', 'Fix . and ./ now', '.'],
    ['a way up', 'Fix parcel-api/x/../ now', 'parcel-api/x/..'],
    ['a pattern', 'Fix parcel-api/*.ts', 'parcel-api/*.ts'],
    ['nothing', 'Fix parcel-api.', null],
  ])('asks where the target is %s', (_what, said, target) => {
    expect(taskFactsOf(write, task([{ ...files, target }], said)).asked).toBeNull()
  })

  test.each(['parcel-api', 'parcel-api/', 'parcel-api/*', 'parcel-api/**'])('may be written %s', (target) => {
    expect(
      taskFactsOf(write, task([{ ...files, target }], 'Fix it in parcel-api/ please')).asked,
    ).not.toBeNull()
  })

  test('may be in a repository that was said by its name, and in no other folder of that name', () => {
    const at = (path: string, repository?: string): CallInTask => ({
      ...write,
      resources: [{ ...existing(path), ...(repository === undefined ? {} : { repository }) }],
    })
    const soFar = task([{ ...files, target: 'meterd' }], 'Fix the fees in meterd.')
    expect(taskFactsOf(at('meterd/fees.ts', 'meterd'), soFar).asked).not.toBeNull()
    expect(taskFactsOf(at('meterd/fees.ts'), soFar).asked).toBeNull()
    expect(taskFactsOf(at('meterd/inner/fees.ts', 'meterd/inner'), soFar).asked).toBeNull()
    expect(taskFactsOf(at('meterd/fees.ts', '.'), soFar).asked).toBeNull()
    const unsaid = task([{ ...files, target: 'meterd' }], 'Fix the fees.')
    expect(taskFactsOf(at('meterd/fees.ts', 'meterd'), unsaid).asked).toBeNull()
    const moved = (from: string, to: string): CallInTask => ({
      ...write,
      tool: { name: 'move_file' },
      resources: [
        { ...existing('meterd/a.ts', 'delete'), repository: from },
        { ...existing('meterd/inner/a.ts'), repository: to },
      ],
    })
    expect(taskFactsOf(moved('meterd', 'meterd'), soFar).asked).not.toBeNull()
    expect(taskFactsOf(moved('meterd', 'meterd/inner'), soFar).asked).toBeNull()
    expect(taskFactsOf(moved('meterd/inner', 'meterd'), soFar).asked).toBeNull()
  })

  describe('where the words name no place', () => {
    const unnamed: AskedItem = { ...files, target: null }
    const at = (path: string, repository?: string): CallInTask => ({
      ...write,
      resources: [{ ...existing(path), ...(repository === undefined ? {} : { repository }) }],
    })
    const inTask = (
      chosen: readonly string[],
      { items = [unnamed], said = 'Make codes live 72 hours.' } = {},
    ) => ({
      ...task(items, said),
      chosen: new Set(chosen),
    })
    const isAsked = (call: CallInTask, soFar: TaskSoFar) => taskFactsOf(call, soFar).asked !== null

    test('may be in a repository that the task was in before strangers spoke', () => {
      for (const chosen of ['shop', 'shop/src/server.ts', 'shop/.git'])
        expect(isAsked(at('shop/src/codes.ts', 'shop'), inTask([chosen]))).toBe(true)
    })

    test('is at a file that the task had open, in a repository or not', () => {
      expect(isAsked(at('lists/menu.ts'), inTask(['lists/menu.ts']))).toBe(true)
      expect(isAsked(at('lists/other.ts'), inTask(['lists/menu.ts', 'lists']))).toBe(false)
    })

    test.each<[string, CallInTask, readonly string[]]>([
      ['nothing was chosen', at('shop/src/codes.ts', 'shop'), []],
      ['another repository was', at('shop/src/codes.ts', 'shop'), ['site/index.ts']],
      ['one with the same beginning was', at('shop/src/codes.ts', 'shop'), ['shop-old/a.ts']],
      ['the file is of one inside of it', at('shop/inner/a.ts', 'shop/inner'), ['shop/src/server.ts']],
      ['the file is of none', at('shop/src/codes.ts'), ['shop/src/server.ts']],
      ['the workspace itself is the repository', at('src/codes.ts', '.'), ['.', 'src/server.ts']],
      ['it is a setting', at('shop/config.json', 'shop'), ['shop/config.json']],
      ['it is obeyed by its name', at('shop/AGENTS.md', 'shop'), ['shop/AGENTS.md']],
    ])('asks where %s', (_what, call, chosen) => {
      expect(isAsked(call, inTask(chosen))).toBe(false)
    })

    test('a setting is the one that the task had open and whose name was said', () => {
      const said = 'Put the sentence into openapi.yaml.'
      const call = at('shop/openapi.yaml', 'shop')
      expect(isAsked(call, inTask(['shop/openapi.yaml'], { said }))).toBe(true)
      expect(isAsked(call, inTask(['shop/src/a.ts'], { said }))).toBe(false)
    })

    test('a place that the words do name is the only one, however the list writes it', () => {
      const inShop = at('shop/src/codes.ts', 'shop')
      for (const target of ['parcel-api', './parcel-api', 'parcel-api/src', 'fees.ts', null])
        for (const said of ['Fix parcel-api.', 'Fix parcel-api/src/fees.ts', 'Fix ./parcel-api/ now'])
          expect(
            isAsked(
              inShop,
              inTask(['shop/src', 'parcel-api/src/fees.ts'], { items: [{ ...files, target }], said }),
            ),
          ).toBe(false)
    })

    test('a list that names a place which nobody said holds nowhere', () => {
      const items = [{ ...files, target: 'shop' }]
      expect(isAsked(at('shop/src/codes.ts', 'shop'), inTask(['shop/src'], { items }))).toBe(false)
    })

    test('git commits there too, and on no branch that nobody said', () => {
      const items: AskedItem[] = [
        { act: 'commit', target: null, count: 3 },
        { act: 'branch', target: null, count: 3 },
      ]
      const soFar = inTask(['shop/src/a.ts'], { items, said: 'Do it on pw-401 and commit.' })
      const branch = (name: string): CallInTask => ({
        ...gitCall('git_branch', 'shop'),
        args: { path: 'shop', name },
      })
      expect(isAsked(gitCall('git_commit', 'shop'), soFar)).toBe(true)
      expect(isAsked(gitCall('git_commit', 'site'), soFar)).toBe(false)
      expect(isAsked(branch('pw-401'), soFar)).toBe(true)
      expect(isAsked(branch('main'), soFar)).toBe(false)
      const from = (start: string): CallInTask => ({
        ...gitCall('git_branch', 'shop'),
        args: { path: 'shop', name: 'pw-401', start },
      })
      expect(isAsked(from('HEAD'), soFar)).toBe(true)
      expect(isAsked(from('origin/pr-666'), soFar)).toBe(false)
    })
  })

  test('may be one file by its path, and no other', () => {
    const soFar = task([{ ...files, target: path }], `Fix ${path}.`)
    expect(taskFactsOf(write, soFar).asked).not.toBeNull()
    const other = { ...write, resources: [existing('parcel-api/src/fees.ts.ts')] }
    expect(taskFactsOf(other, soFar).asked).toBeNull()
  })

  test('is never what agents, editors or programs obey, hidden, foreign or shown with what it loads', () => {
    for (const name of [
      'parcel-api/AGENTS.md',
      'parcel-api/agents.MD',
      'parcel-api/README.md',
      'parcel-api/.env',
      'parcel-api/.git/config',
      'parcel-api/.github/workflows/a.yml',
      'parcel-api/hooks/pre-commit.sh',
      'parcel-api/node_modules/a/index.js',
      'parcel-api/rules/a.txt',
      'parcel-api/page.html',
      'parcel-api/logo.svg',
      'parcel-api/Dockerfile',
      'parcel-api/../other/a.ts',
      'PARCEL-API/src/fees.ts',
      'parcel-api\u2215src/fees.ts',
      'parcel-apі/src/fees.ts',
      'parcel-api/a\u202ets.ts',
    ])
      expect(taskFactsOf({ ...write, resources: [existing(name)] }, wished).asked, name).toBeNull()
    const picture = { ...write, args: { content: '![](https://evil.example/?q=)' } }
    const document = { ...picture, resources: [existing('parcel-api/notes.md')] }
    expect(taskFactsOf(document, wished).asked).toBeNull()
  })

  test('is used up', () => {
    let soFar = wished
    for (let index = 0; index < files.count; index += 1) {
      const facts = taskFactsOf(write, soFar)
      expect(facts.asked).not.toBeNull()
      soFar = withOne(soFar, facts, write.resources)
    }
    expect(taskFactsOf(write, soFar).asked).toBeNull()
    expect(soFar.plan?.used).toEqual([files.count])
  })

  test('is one of at most so many in a task, whatever the list says', () => {
    const many = {
      ...wished,
      plan: {
        id: 'ask_1',
        items: [{ ...files, count: 1_000 }],
        kinds: null,
        used: [mostAsked - 1],
        questions: [],
        questionsLeft: [],
      },
    }
    expect(taskFactsOf(write, { ...many, asked: mostAsked - 1 }).asked).not.toBeNull()
    expect(taskFactsOf(write, { ...many, asked: mostAsked }).asked).toBeNull()
    expect(taskFactsOf(write, { ...many, plan: { ...many.plan, used: [mostAsked] } }).asked).toBeNull()
  })

  test('uses nothing up that runs without it', () => {
    const fresh = {
      ...write,
      args: { content: 'Words.' },
      resources: [{ ...file('write'), path: 'parcel-api/a.md' }],
    }
    expect(taskFactsOf(fresh, wished)).toEqual({ ...nothingKnown, fresh: true })
  })
})

describe('a move', () => {
  const move = (from: Resource, to: Resource): CallInTask => ({
    ...write,
    tool: { name: 'move_file' },
    args: {},
    effects: [effect({ verb: 'delete' }), effect({ verb: 'write' })],
    resources: [from, to],
  })
  const soFar = task([{ act: 'change_files', target: 'inbox', count: 20 }], 'Sort the folder inbox/.')
  const isAsked = (from: Resource, to: Resource) => taskFactsOf(move(from, to), soFar).asked !== null
  const absent = (at: string) => ({ ...file('write'), path: at })

  test('stays inside with both ends and keeps its ending', () => {
    expect(isAsked(existing('inbox/a.png', 'delete'), absent('inbox/pictures/a.png'))).toBe(true)
    expect(isAsked(existing('inbox/a.png', 'delete'), absent('site/a.png'))).toBe(false)
    expect(isAsked(existing('private/a.png', 'delete'), absent('inbox/a.png'))).toBe(false)
    expect(isAsked(existing('inbox/a.txt', 'delete'), absent('inbox/a.sh'))).toBe(false)
    expect(isAsked({ ...existing('inbox/a', 'delete'), content: null }, absent('inbox/b'))).toBe(false)
  })

  test('is none of what is shown or run by what it holds, which is not in the call', () => {
    for (const ending of ['md', 'csv', 'tsv'])
      expect(isAsked(existing(`inbox/a.${ending}`, 'delete'), absent(`inbox/b.${ending}`))).toBe(false)
  })

  test('is the only thing that may take something away', () => {
    const gone = {
      ...move(existing('inbox/a.png', 'delete'), absent('inbox/b.png')),
      tool: { name: 'delete_file' },
    }
    expect(mayBeAskedFor(gone)).toBe(false)
    expect(mayBeAskedFor({ ...gone, tool: { name: 'write_file' } })).toBe(false)
  })
})

describe('records and repositories', () => {
  const all = AskedAct.options.map((act): AskedItem => ({ act, target: null, count: 20 }))

  test('are those of the kind that was asked for', () => {
    const tasks = task([{ act: 'add_tasks', target: null, count: 1 }], 'Remind me of the taxes.')
    const add = (tool: string, title = 'Taxes 2026') => recordCall(tool, 'tasks', { title })
    expect(taskFactsOf(add('add_task'), tasks).asked).not.toBeNull()
    expect(taskFactsOf(add('update_task'), tasks).asked).toBeNull()
    expect(taskFactsOf(add('add_note'), tasks).asked).toBeNull()
    expect(taskFactsOf(add('add_task', 'Call the hotline'), tasks).asked).toBeNull()
    expect(taskFactsOf(recordCall('add_task', 'tasks'), tasks).asked).toBeNull()
  })

  test('may be added at once, as many as were asked for and each of them spoken of', () => {
    const two = task([{ act: 'add_tasks', target: null, count: 2 }], 'Remind me of taxes and tyres.')
    const many = (...titles: string[]) =>
      recordCall('batch_add_tasks', 'tasks', { tasks: titles.map((title) => ({ title })) })
    expect(taskFactsOf(many('Taxes', 'Tyres'), two).asked).toMatchObject({ count: 2 })
    expect(taskFactsOf(many('Taxes', 'Hotline'), two).asked).toBeNull()
    const untitled = recordCall('batch_add_tasks', 'tasks', {
      tasks: [{ title: 'Taxes' }, { notes: { title: 'Taxes' } }],
    })
    expect(taskFactsOf(untitled, two).asked).toBeNull()
    expect(taskFactsOf(many('Taxes', 'Tyres', 'Taxes'), two).asked).toBeNull()
    const facts = taskFactsOf(many('Taxes'), two)
    expect(taskFactsOf(many('Taxes', 'Tyres'), withOne(two, facts, [])).asked).toBeNull()
    expect(taskFactsOf(many('Tyres'), withOne(two, facts, [])).asked).not.toBeNull()
  })

  test('are changed where what they are called was spoken of, whatever they are called afterwards', () => {
    const done = task([{ act: 'change_tasks', target: null, count: 1 }], 'Tick off the caterer.')
    const tick = (title?: string): CallInTask => ({
      ...recordCall('complete_task', 'tasks', { taskId: 'x' }),
      resources: [record('tasks', 'write', title)],
    })
    expect(taskFactsOf(tick('Call the caterer'), done).asked).not.toBeNull()
    expect(taskFactsOf(tick('Call the bank'), done).asked).toBeNull()
    expect(taskFactsOf(tick('Caterpillar'), done).asked).toBeNull()
    const vague = task([{ act: 'change_tasks', target: null, count: 1 }], 'Continue about Friday.')
    for (const title of ['Contingency', 'About the divorce'])
      expect(taskFactsOf(tick(title), vague).asked).toBeNull()
    expect(taskFactsOf(tick(''), done).asked).toBeNull()
    expect(taskFactsOf({ ...tick('Call the bank'), args: { title: 'caterer' } }, done).asked).toBeNull()
    const removed = {
      ...tick('Call the caterer'),
      resources: [record('tasks', 'delete', 'Call the caterer')],
    }
    expect(taskFactsOf(removed, done).asked).toBeNull()
  })

  test('are rows of the table that the list names', () => {
    const wish: AskedItem = { act: 'change_rows', target: 'boxes', count: 2 }
    const rows = task([wish], 'Correct the table boxes.')
    const change = (table: string) => recordCall('update_custom_record', `table:${table}`, { table })
    expect(taskFactsOf(change('boxes'), rows).asked).not.toBeNull()
    expect(taskFactsOf(change('guests'), rows).asked).toBeNull()
    expect(taskFactsOf(change('boxes'), task([wish], 'Correct the table.')).asked).toBeNull()
    expect(taskFactsOf(change('boxes'), task(all, 'Correct the table boxes.')).asked).toBeNull()
  })

  test.each(['memories', 'plans', 'schedules', 'agent_tasks', 'custom_tools', 'budgets', 'settings'])(
    'are never %s, whatever tool writes them',
    (collection) => {
      for (const { tools } of Object.values(askedKinds))
        for (const tool of tools) expect(mayBeAskedFor(recordCall(tool, collection))).toBe(false)
    },
  )

  test('are the repository that the list names; what checks out must have been said', () => {
    const inApi = (act: AskedAct, target: string | null, said: string) =>
      task([{ act, target, count: 5 }], said)
    const commit = gitCall('git_commit', 'parcel-api')
    const said = 'Commit parcel-api.'
    expect(askedFact(commit, inApi('commit', null, said))).not.toBeNull()
    expect(askedFact(commit, inApi('commit', 'parcel-api', said))).not.toBeNull()
    expect(askedFact(commit, inApi('commit', null, 'Commit.'))).toBeNull()
    expect(askedFact(gitCall('git_commit', 'meterd'), inApi('commit', 'parcel-api', said))).toBeNull()
    const inMeterd = gitCall('git_commit', 'meterd')
    expect(askedFact(inMeterd, inApi('commit', 'meterd', 'Commit it in meterd.'))).not.toBeNull()
    expect(askedFact(inMeterd, inApi('commit', 'meterd', 'Commit it.'))).toBeNull()
    const forged = { ...commit, args: { author_name: 'The director' } }
    expect(askedFact(forged, inApi('commit', null, said))).toBeNull()
    const checkout = gitCall('git_checkout', 'parcel-api')
    expect(askedFact(checkout, inApi('branch', 'parcel-api', 'A branch in parcel-api'))).not.toBeNull()
    expect(askedFact(checkout, inApi('branch', 'parcel-api', 'A branch'))).toBeNull()
    expect(askedFact(checkout, inApi('branch', null, 'A branch'))).toBeNull()
    const opaque = {
      ...gitCall('git_commit', 'parcel-api'),
      resources: [{ ...exec(true), cwd: 'parcel-api' }],
    }
    expect(mayBeAskedFor(opaque)).toBe(false)
    const branch = { ...gitCall('git_branch', 'parcel-api'), args: { name: 'pw-401' } }
    expect(askedFact(branch, inApi('branch', null, 'Branch pw-401 in parcel-api.'))).not.toBeNull()
    expect(askedFact(branch, inApi('branch', null, 'Branch pw-4011 in parcel-api.'))).toBeNull()
  })
})

describe('a list that says everything', () => {
  const targets = [null, 'parcel-api', 'parcel-api/**', path, 'boxes', '.', '**', '/']
  const said = `${targets.join(' ')} and everything else`
  const everything = AskedAct.options.flatMap((act) =>
    targets.map((target): AskedItem => ({ act, target, count: 20 })),
  )
  const tools = Object.values(askedKinds).flatMap((kind) => kind.tools)

  test.each<[string, Partial<CallInTask>]>([
    ['in a run that nobody watches', { unattended: true }],
    ['in work that was handed on', { firstHand: false }],
    ['that a schedule asked for', { requester: { kind: 'schedule', id: 's' } }],
    ['that a peer asked for', { requester: { kind: 'peer', id: 'p' } }],
    ['that a webhook asked for', { requester: { kind: 'webhook', id: 'w' } }],
    ['that no stranger had a part in', { label: { ...write.label, integrity: 'tool' } }],
    ['with a secret', { secrets: ['key'] }],
    ['by a tool of somebody else', { tool: { name: 'mcp_write' } }],
    ['by a program', { tool: { name: 'execute_shell' }, ...shapes.command }],
    ['outside the workspace', { resources: [{ ...existing(path), root: 'host' }] }],
    ['that cannot be undone', { effects: [effect({ verb: 'write', reversible: false })] }],
    ['that a program runs', { effects: [effect({ verb: 'write', scope: 'host-run' })] }],
    ['that acts outside', { effects: [effect({ verb: 'write', scope: 'boundary' })] }],
    ['that others see', { effects: [effect({ verb: 'write', outward: true })] }],
    ['from which something leaves', { effects: [effect({ verb: 'write', leaves: ['it'] })] }],
    ['beside a fetch', { effects: [effect({ verb: 'write' }), effect({ verb: 'fetch' })] }],
    ['beside a deletion', { effects: [effect({ verb: 'write' }), effect({ verb: 'delete' })] }],
    ['beside a person', { resources: [existing(path), ...shapes.send.resources] }],
    ['of nothing', { effects: [effect({ verb: 'read' })] }],
  ])('frees no call %s', (_why, change) => {
    expect(taskFactsOf({ ...write, ...change }, task(everything, said)).asked).toBeNull()
  })

  test('frees no shape of call but a change inside that can be undone, by any tool', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...tools, 'send_mail'),
        fc.constantFrom(...Object.values(shapes)),
        (tool, shape) => {
          const call: CallInTask = { ...write, tool: { name: tool }, ...shape, secrets: [], uses: [] }
          const { decision, asked } = judged(call, task(everything, said))
          if (decision.kind === 'allow' && asked) expect(decision.tier).toBe(1)
          if (shape !== shapes.write) expect(asked).toBeNull()
        },
      ),
    )
  })

  test('frees nothing in a run that read a secret', () => {
    const secret = { ...write, label: { ...write.label, confidentiality: 'secret' as const } }
    expect(judged(secret, task(everything, said)).decision.kind).toBe('ask')
  })
})

const set = setOf('medium')

function judged(call: CallInTask, soFar: TaskSoFar) {
  const task = taskFactsOf(call, soFar)
  const tool = { name: call.tool.name, category: 'x', floor: 0 as const, declaresEffects: true }
  const facts = factsOf({ ...call, tool, secrets: call.uses, identityFlags: false, task })
  return { decision: decide({ ...facts, granted: null }, set), asked: task.asked }
}
