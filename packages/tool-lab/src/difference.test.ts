import type { Effect, Resource } from '@countersign/contract'
import { describe, expect, it } from 'vitest'
import { type CallTrace, differenceOf, names } from './difference.ts'
import { emptyObservation, type Observation } from './observation.ts'
import { recordDifferenceOf } from './record-difference.ts'
import type { Change } from './snapshot.ts'

const file = (path: string, op: 'read' | 'list' | 'write' | 'delete'): Resource => ({
  type: 'file',
  root: 'workspace',
  path,
  op,
  identity: 'absent',
  content: null,
})
const effect = (verb: Effect['verb'], object: string): Effect => ({
  verb,
  object,
  scope: 'inside',
  reversible: true,
  outward: false,
  leaves: [],
})
const git: Resource = {
  type: 'exec',
  path: '/usr/bin/git',
  content: '0'.repeat(64),
  argv: ['git', 'add', 'a'],
  cwd: '.',
  environment: '0'.repeat(64),
  uninspectable: false,
  view: null,
}
const created = (path: string, isFolder = false): Change => ({ path, what: 'created', isFolder })

function problemsOf(trace: {
  resources?: Resource[]
  effects?: Effect[]
  changes?: Change[]
  observed?: Partial<Observation>
}): string[] {
  const whole: CallTrace = {
    resolution: { resources: trace.resources ?? [], effects: trace.effects ?? [] },
    observed: { ...emptyObservation(), ...trace.observed },
    changes: trace.changes ?? [],
    succeeded: true,
  }
  return differenceOf(whole).problems.map(({ sentence }) => sentence)
}

describe('what a call did', () => {
  it('is as it was declared, folders on the way included', () => {
    const resources = [file('notes/x.txt', 'write')]
    const effects = [effect('write', 'notes/x.txt')]
    expect(
      problemsOf({ resources, effects, changes: [created('notes', true), created('notes/x.txt')] }),
    ).toEqual([])
    expect(problemsOf({ resources, effects, changes: [created('notes/y.txt')] })).toEqual([
      'wrote notes/y.txt without its capabilities, which effects does not name',
    ])
  })

  it('includes all that lies below a folder that is moved', () => {
    const resources = [file('old', 'delete'), file('new', 'write')]
    const effects = [effect('delete', 'old'), effect('write', 'new')]
    const changes: Change[] = [
      { path: 'old', what: 'deleted', isFolder: true },
      { path: 'old/a', what: 'deleted', isFolder: false },
      created('new', true),
      created('new/a'),
    ]
    expect(problemsOf({ resources, effects, changes })).toEqual([])
    expect(problemsOf({ resources, effects: [effect('write', 'new')], changes })).toEqual([
      'deleted old, which only its resources name',
      'deleted old/a, which only its resources name',
    ])
  })

  it('is not excused by an effect with another verb', () => {
    const resources = [file('a', 'delete')]
    const changes: Change[] = [{ path: 'a', what: 'deleted', isFolder: false }]
    expect(problemsOf({ resources, effects: [effect('write', 'a')], changes })).toEqual([
      'deleted a, which only its resources name',
    ])
  })

  it('may change what a declared program changes, if the effects speak of a change', () => {
    const programs = [{ argv: ['/usr/bin/git', 'add', 'a'], cwd: '.', refused: [] }]
    const changes = [created('.git/index')]
    const observed = { programs }
    expect(
      problemsOf({ resources: [git], effects: [effect('write', 'the index')], changes, observed }),
    ).toEqual([])
    expect(
      problemsOf({ resources: [git], effects: [effect('read', 'the index')], changes, observed }),
    ).toEqual(['wrote .git/index, which effects does not name'])
    expect(problemsOf({ resources: [git], effects: [], observed })).toEqual([
      'ran /usr/bin/git add a, which only its resources name',
    ])
    const other = { programs: [{ argv: ['git', 'push'], cwd: '.', refused: ['evil.test:443'] }] }
    expect(problemsOf({ resources: [git], effects: [effect('execute', 'git')], observed: other })).toEqual([
      'let a program ask for evil.test:443, which effects does not name',
      'ran git push, which effects does not name',
    ])
  })
})

describe('an effect', () => {
  it('names a thing that stands in its words by itself', () => {
    expect(names('notes/x.txt', 'notes/x.txt')).toBe(true)
    expect(names('the file “notes/x.txt”', 'notes/x.txt')).toBe(true)
    expect(names('https://example.com:443', 'example.com')).toBe(true)
    expect(names('notes/x.txt2', 'notes/x.txt')).toBe(false)
    expect(names('https://notexample.com:443', 'example.com')).toBe(false)
    expect(names('a new task', 'new-task')).toBe(false)
  })
})

describe('what a call did to records', () => {
  const resource: Resource = { type: 'record', collection: 'lines', id: 'new', op: 'write', version: null }
  const effects = [effect('write', 'a new line')]
  const use = { collection: 'lines', id: 'line_1', op: 'write', isNew: true } as const

  it('is as it was declared', () => {
    expect(recordDifferenceOf({ resources: [resource], effects }, [use]).problems).toEqual([])
  })

  it('is told when it is another collection, another record or another deed', () => {
    const sentences = (change: object, given = effects) =>
      recordDifferenceOf({ resources: [resource], effects: given }, [{ ...use, ...change }]).problems.map(
        ({ sentence }) => sentence,
      )
    expect(sentences({ collection: 'tasks' })).toEqual([
      'wrote a new record of tasks, which effects does not name',
    ])
    expect(sentences({ isNew: false })).toEqual(['wrote line_1 of lines, which effects does not name'])
    expect(sentences({ op: 'delete' })).toEqual([
      'deleted a new record of lines, which effects does not name',
    ])
    expect(sentences({}, [])).toEqual(['wrote a new record of lines, which only its resources name'])
  })
})
