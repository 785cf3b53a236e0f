import { changesTaker, type Effect, type JsonObject, type Label, type Resource } from '@countersign/contract'
import { describe, expect, it } from 'vitest'
import { classify } from './classify.ts'
import { mostWrites, taskFactsOf } from './task-facts.ts'
import { type CallInTask, withOne } from './task-so-far.ts'
import { newTask } from './testing/tasks.ts'

const effect = (verb: Effect['verb'], more: Partial<Effect> = {}): Effect => ({
  verb,
  object: 'a',
  scope: 'inside',
  reversible: true,
  outward: false,
  leaves: [],
  ...more,
})
const clean: Label = { integrity: 'operator', confidentiality: 'private', sources: [] }
const tainted: Label = { ...clean, integrity: 'untrusted' }

const tierOf = (effects: Effect[], more: { unattended?: boolean; label?: Label } = {}, name = changesTaker) =>
  classify({
    tool: { name, category: 'files', floor: 1, declaresEffects: true },
    effects,
    resources: [],
    label: clean,
    requester: { kind: 'operator', id: 'op' },
    identityFlags: false,
    ...more,
  })

describe('what a program changed', () => {
  it('counts like any change that can be undone where it only made and changed files', () => {
    expect(tierOf([effect('write'), effect('write')])).toEqual({ tier: 1, base: 1, raised: [] })
  })

  it('counts for more where something that was there is gone, or where nobody was watching', () => {
    expect(tierOf([effect('write'), effect('delete')])).toMatchObject({ tier: 2, base: 1 })
    expect(tierOf([effect('write')], { unattended: true })).toMatchObject({ tier: 2, base: 1 })
    expect(tierOf([effect('delete')], {}, 'delete_file')).toMatchObject({ tier: 1 })
    expect(tierOf([effect('write', { scope: 'opened' })])).toMatchObject({ tier: 2, base: 2 })
  })

  it('counts for more where programs run it, where it leads out, and where strangers led to it', () => {
    expect(tierOf([effect('write', { scope: 'host-run' })]).tier).toBe(2)
    expect(tierOf([effect('write', { scope: 'boundary' })]).tier).toBe(3)
    expect(tierOf([effect('write', { reversible: false })]).tier).toBe(3)
    expect(tierOf([effect('write')], { label: tainted }).tier).toBe(2)
  })
})

describe('new documents of a program after strangers spoke', () => {
  const file = (path: string, more: JsonObject = {}): JsonObject => ({
    path,
    change: 'made',
    kind: 'file',
    runs: false,
    text: '# Hello\n',
    ...more,
  })
  const absent = (path: string): Resource => ({
    type: 'file',
    root: 'workspace',
    path,
    op: 'write',
    identity: 'absent',
    content: null,
  })
  const call = (files: JsonObject[], resources: Resource[], more: Partial<CallInTask> = {}): CallInTask => ({
    tool: { name: changesTaker },
    args: { files, more: 0 },
    effects: [effect('write')],
    resources,
    label: tainted,
    requester: { kind: 'operator', id: 'op' },
    unattended: false,
    firstHand: true,
    inReader: false,
    secrets: [],
    uses: [],
    ...more,
  })
  const fresh = (...given: Parameters<typeof call>) => taskFactsOf(call(...given), newTask).fresh

  it('are expected, each of them plain and new', () => {
    expect(
      fresh([file('a.md'), file('b.csv', { text: 'a,b\n1,2\n' })], [absent('a.md'), absent('b.csv')]),
    ).toBe(true)
  })

  it.each<[string, Parameters<typeof call>]>([
    [
      'one that was there',
      [[file('a.md')], [{ ...absent('a.md'), identity: { device: '1', inode: '1' } } as Resource]],
    ],
    ['one that is removed', [[file('a.md')], [{ ...absent('a.md'), op: 'delete' } as Resource]]],
    ['one that changed', [[file('a.md', { change: 'changed' })], [absent('a.md')]]],
    ['a program', [[file('a.md', { runs: true })], [absent('a.md')]]],
    ['another kind of file', [[file('a.py')], [absent('a.py')]]],
    [
      'one beside another',
      [
        [file('a.md'), file('a.py')],
        [absent('a.md'), absent('a.py')],
      ],
    ],
    ['one whose text is not shown', [[file('a.md', { text: null })], [absent('a.md')]]],
    ['one that loads a picture', [[file('a.md', { text: '![](https://a.example/x)' })], [absent('a.md')]]],
    ['one that the list leaves out', [[file('a.md')], [absent('a.md'), absent('b.md')]]],
    ['more than are shown', [[file('a.md')], [absent('a.md')], { args: { files: [file('a.md')], more: 1 } }]],
    [
      'what programs run',
      [[file('a.md')], [absent('a.md')], { effects: [effect('write', { scope: 'host-run' })] }],
    ],
    ['work that nobody watches', [[file('a.md')], [absent('a.md')], { unattended: true }]],
    ['work that was handed on', [[file('a.md')], [absent('a.md')], { firstHand: false }]],
  ])('are not: %s', (_, given) => {
    expect(fresh(...given)).toBe(false)
  })

  it('are as many as one by one', () => {
    const names = ['a.md', 'b.md']
    const facts = (writes: number) =>
      taskFactsOf(
        call(
          names.map((name) => file(name)),
          names.map(absent),
        ),
        { ...newTask, writes },
      ).fresh
    expect(facts(mostWrites - 2)).toBe(true)
    expect(facts(mostWrites - 1)).toBe(false)
  })

  it('count one by one in a batch of calls', () => {
    const taken = call([file('a.md'), file('b.md')], [absent('a.md'), absent('b.md')])
    expect(withOne(newTask, taskFactsOf(taken, newTask), taken.resources).writes).toBe(2)
  })
})
