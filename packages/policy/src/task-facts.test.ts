import { describe, expect, test } from 'vitest'
import { decide } from './decide.ts'
import { factsOf } from './judge.ts'
import { documentOf, mostWrites, taskFactsOf } from './task-facts.ts'
import type { CallInTask } from './task-so-far.ts'
import { autonomies, effect, exec, file, setOf, url } from './testing/calls.ts'
import { newTask, ownCall } from './testing/tasks.ts'

const path = 'research/tyres.md'
const absent = { ...file('write'), path }
const digest = 'a'.repeat(64)
const existing = { ...absent, identity: { device: '1', inode: '2' }, content: digest }
const write: CallInTask = {
  tool: { name: 'write_file' },
  args: { path, content: 'Three places.' },
  effects: [effect({ verb: 'write' })],
  resources: [absent],
  label: { integrity: 'untrusted', confidentiality: 'private', sources: ['web'] },
  ...ownCall,
}
const none = {
  fresh: false,
  named: false,
  look: false,
  question: false,
  listed: null,
  reader: false,
  asked: null,
  unasked: null,
}

describe('a new folder', () => {
  const make = (path: string, change: Partial<CallInTask> = {}): CallInTask => ({
    ...write,
    tool: { name: 'create_folder' },
    args: { path },
    resources: [{ ...absent, path }],
    ...change,
  })

  test('is as good as a new document, and counts as one', () => {
    expect(taskFactsOf(make('lab/out'), newTask)).toEqual({ ...none, fresh: true })
    expect(taskFactsOf(make('lab/out'), { ...newTask, writes: mostWrites }).fresh).toBe(false)
  })

  test.each([
    '.git/hooks',
    'lab/.github',
    'lab/agents',
    'lab/skills/x',
    'node_modules/x',
    'a/a/a/a/a/a/a/a/a',
  ])('is none where somebody looks for it: %s', (path) => {
    expect(taskFactsOf(make(path), newTask).fresh).toBe(false)
  })

  test('is the operator’s own act, and nothing that was there', () => {
    expect(taskFactsOf(make('lab/out', { unattended: true }), newTask).fresh).toBe(false)
    expect(taskFactsOf(make('lab/out', { resources: [existing] }), newTask).fresh).toBe(false)
    expect(taskFactsOf(make('lab/out', { tool: { name: 'copy_file' } }), newTask).fresh).toBe(false)
  })
})

describe('a new document', () => {
  test('is one that was not there, or that this task made and nobody changed since', () => {
    expect(taskFactsOf(write, newTask)).toEqual({ ...none, fresh: true })
    const again = { ...write, resources: [existing] }
    expect(taskFactsOf(again, { ...newTask, made: new Map([[path, digest]]) }).fresh).toBe(true)
    expect(taskFactsOf(again, newTask)).toEqual(none)
    expect(taskFactsOf(again, { ...newTask, made: new Map([[path, 'b'.repeat(64)]]) })).toEqual(none)
    expect(taskFactsOf(again, { ...newTask, made: new Map([['other.md', digest]]) })).toEqual(none)
    const folder = { ...existing, content: null }
    expect(taskFactsOf({ ...write, resources: [folder] }, newTask)).toEqual(none)
  })

  test('is one of at most so many in a task', () => {
    expect(taskFactsOf(write, { ...newTask, writes: mostWrites - 1 }).fresh).toBe(true)
    expect(taskFactsOf(write, { ...newTask, writes: mostWrites })).toEqual(none)
  })

  test.each<[string, Partial<CallInTask>]>([
    ['in a run that nobody watches', { unattended: true }],
    ['in work that was handed on', { firstHand: false }],
    ['that a schedule asked for', { requester: { kind: 'schedule', id: 's' } }],
    ['that a peer asked for', { requester: { kind: 'peer', id: 'p' } }],
    ['that a webhook asked for', { requester: { kind: 'webhook', id: 'w' } }],
    ['that no stranger had a part in', { label: { ...write.label, integrity: 'tool' } }],
    ['by a tool that copies', { tool: { name: 'copy_file' } }],
    ['by a tool that fetches', { tool: { name: 'download_file' } }],
    ['by a tool of somebody else', { tool: { name: 'mcp_write' } }],
    ['without its text', { args: { path } }],
    ['with a text that loads something', { args: { path, content: '![](https://evil.example)' } }],
    ['outside the workspace', { resources: [{ ...absent, root: 'host' }] }],
    ['with another name', { resources: [{ ...absent, path: 'AGENTS.md' }] }],
    ['that is deleted', { resources: [{ ...absent, op: 'delete' }] }],
    ['beside another change', { resources: [absent, { ...absent, path: 'b.md' }] }],
    ['beside a file that is read', { resources: [absent, { ...absent, path: 'b.md', op: 'read' }] }],
    ['by a program', { resources: [absent, exec(false)] }],
    ['of nothing', { resources: [] }],
    ['that cannot be undone', { effects: [effect({ verb: 'write', reversible: false })] }],
    ['that a program runs', { effects: [effect({ verb: 'write', scope: 'host-run' })] }],
    ['that acts outside', { effects: [effect({ verb: 'write', scope: 'boundary' })] }],
    ['that others see', { effects: [effect({ verb: 'write', outward: true })] }],
    ['from which something leaves', { effects: [effect({ verb: 'write', leaves: ['it'] })] }],
    ['beside a fetch', { effects: [effect({ verb: 'write' }), effect({ verb: 'fetch' })] }],
  ])('is none %s', (_why, change) => {
    expect(documentOf({ ...write, ...change })).toBeUndefined()
    expect(taskFactsOf({ ...write, ...change }, { ...newTask, saidNow: [path] })).toEqual(none)
  })

  test('is a picture of a page that is open', () => {
    const shot = { ...absent, path: 'shots/a.png' }
    const call = { ...write, tool: { name: 'browser_screenshot' }, resources: [url('GET'), shot] }
    const effects = [effect({ verb: 'read' }), effect({ verb: 'write' })]
    expect(taskFactsOf({ ...call, effects }, newTask).fresh).toBe(true)
    expect(taskFactsOf({ ...call, effects, tool: { name: 'write_file' } }, newTask)).toEqual(none)
  })
})

describe('a document that was named', () => {
  const overwrite = { ...write, resources: [existing] }
  const isNamed = (...saidNow: string[]) => taskFactsOf(overwrite, { ...newTask, saidNow }).named

  test.each([
    path,
    `Write it into ${path}.`,
    `\`${path}\`, please`,
    `first line\n${path}\nlast`,
    `(${path})`,
  ])('stands in %j', (words) => {
    expect(isNamed('something else', words)).toBe(true)
  })

  test('does not stand in what was said to an earlier run', () => {
    expect(taskFactsOf(overwrite, { ...newTask, said: [path], saidNow: ['And now?'] }).named).toBe(false)
  })

  test.each([
    'Write it down.',
    'tyres.md',
    'Research/tyres.md',
    `old/${path}`,
    `my-${path}`,
    `x${path}`,
    `${path}.bak`,
    `${path}x`,
    `${path}/a`,
    `${path}-2`,
    `../${path}`,
    `~/${path}`,
  ])('does not stand in %j', (words) => {
    expect(isNamed(words)).toBe(false)
  })

  test('counts among the writes of its task', () => {
    expect(taskFactsOf(overwrite, { ...newTask, saidNow: [path], writes: mostWrites })).toEqual(none)
  })
})

describe('policy', () => {
  const judged = (change: Partial<CallInTask> = {}, task = taskFactsOf({ ...write, ...change }, newTask)) => {
    const { args: _args, firstHand: _firstHand, uses: _uses, tool, ...call } = { ...write, ...change }
    const declared = { name: tool.name, category: 'files', floor: 1 as const, declaresEffects: true }
    return factsOf({ ...call, tool: declared, secrets: [], identityFlags: false, task })
  }
  const kindsAt = (facts: ReturnType<typeof judged>) =>
    autonomies.map((autonomy) => {
      const set = setOf(autonomy)
      const { kind } = decide({ ...facts, granted: null }, set)
      set.dispose()
      return kind
    })

  test('lets a new document through where it lets an undoable change through', () => {
    expect(kindsAt(judged())).toEqual(['ask', 'ask', 'allow', 'allow', 'allow'])
    expect(kindsAt(judged({}, { ...none, named: true }))).toEqual(['ask', 'ask', 'allow', 'allow', 'allow'])
    expect(kindsAt(judged({}, none))).toEqual(['ask', 'ask', 'ask', 'ask', 'ask'])
  })

  test('says why, and what was not changed', () => {
    const set = setOf('medium')
    const reason = (task: typeof none) => decide({ ...judged({}, task), granted: null }, set).reason
    expect(reason({ ...none, fresh: true, named: true })).toBe(
      'Allowed: making a new document, with nothing changed that was there before.',
    )
    expect(reason({ ...none, named: true })).toBe(
      'Allowed: writing a document that you named, which can be undone.',
    )
    set.dispose()
  })

  test('asks where a secret was read, whatever the task says', () => {
    const label = { ...write.label, confidentiality: 'secret' as const }
    expect(kindsAt(judged({ label }))[2]).toBe('ask')
  })

  test('asks where something else made it more than an undoable change', () => {
    const facts = judged()
    const { classification: _classification, ...call } = facts
    const tool = { ...call.tool, floor: 1 as const, declaresEffects: true }
    const raised = factsOf({ ...call, tool, identityFlags: true })
    expect(raised.classification.tier).toBe(3)
    expect(kindsAt(raised)).toEqual(['ask', 'ask', 'ask', 'ask', 'ask'])
    const floored = factsOf({ ...call, tool: { ...tool, floor: 2 }, identityFlags: false })
    expect(floored.classification.tier).toBe(3)
    expect(kindsAt(floored)[2]).toBe('ask')
  })

  test('does not take the words for an act that sends', () => {
    const effects = [effect({ verb: 'send', outward: true, reversible: false })]
    const facts = judged({ effects }, { ...none, fresh: true, named: true })
    expect(kindsAt(facts)).toEqual(['ask', 'ask', 'ask', 'ask', 'ask'])
  })
})
