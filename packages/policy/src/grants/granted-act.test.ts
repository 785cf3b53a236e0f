import type { Effect, Label, Resource } from '@countersign/contract'
import { afterAll, describe, expect, it } from 'vitest'
import { factsOf, judgeBare, judgeGranted, mayBeGranted } from '../judge.ts'
import type { CallInTask } from '../task-so-far.ts'
import { effect, file, setOf, url } from '../testing/calls.ts'
import { grantedActOf } from './granted-act.ts'

type Call = Omit<CallInTask, 'label'>

const look = (address = 'https://example.org/a', change: Partial<Call> = {}): Call => ({
  tool: { name: 'fetch_web_page' },
  args: { url: address },
  effects: [effect({ verb: 'fetch', scope: 'boundary', leaves: ['the address'] })],
  resources: [url('GET')],
  requester: { kind: 'operator', id: 'me' },
  unattended: false,
  firstHand: false,
  inReader: false,
  secrets: [],
  uses: [],
  ...change,
})
const there = { device: '1', inode: '2' }
const write = (path: string, change: Partial<Call> = {}, isThere = false, content = 'Clay.'): Call =>
  look('', {
    tool: { name: 'write_file' },
    args: { path, content },
    effects: [effect({ verb: 'write' })],
    resources: [{ ...file('write'), path, identity: isThere ? there : 'absent' }],
    ...change,
  })

describe('what a grant can answer after untrusted content', () => {
  it('is a plain look, a new document and a changed one', () => {
    expect(grantedActOf(look())).toBe('look')
    expect(grantedActOf(look('https://example.org/', { tool: { name: 'json_api' } }))).toBe('look')
    expect(grantedActOf(write('notes/a.md'))).toBe('create')
    expect(grantedActOf(write('notes/a.md', {}, true))).toBe('change')
  })

  const other = (change: Partial<Resource & { type: 'url' }>): Resource[] => [{ ...url('GET'), ...change }]
  const hostRun = [effect({ verb: 'write', scope: 'host-run' })]
  const strange: readonly [string, Call][] = [
    ['a request with a body', look(undefined, { resources: other({ method: 'POST' }) })],
    ['words beside the address', look(undefined, { resources: other({ carries: 'more' }) })],
    ['an address with a query', look('https://example.org/log?u=mira')],
    ['a long address', look(`https://example.org/${'a'.repeat(80)}`)],
    ['an inner address', look(undefined, { resources: [url('GET', 'private')] })],
    ['an unusual port', look(undefined, { resources: other({ port: 8443 }) })],
    ['a name before the host', look('https://user@example.org/')],
    ['a host that stands for a name', look('https://example.org@evil.example/')],
    ['another host than the one that is reached', look('https://evil.example/')],
    ['a host with a dot at its end', look('https://example.org./')],
    ['a host that only looks alike', look('https://exаmple.org/')],
    [
      'a search',
      look('', {
        tool: { name: 'search_web' },
        args: { query: 'salary of Mira' },
        secrets: ['search key'],
      }),
    ],
    ['a page that lives on', look(undefined, { tool: { name: 'browser_navigate' } })],
    ['a secret that goes along', look(undefined, { secrets: ['key'], uses: ['key'] })],
    ['a look of a peer', look(undefined, { requester: { kind: 'peer', id: 'p' } })],
    ['a look of a webhook', look(undefined, { requester: { kind: 'webhook', id: 'w' } })],
    ['a look of a reader', look(undefined, { inReader: true })],
    ['what agents obey', write('notes/AGENTS.md')],
    ['what git keeps', write('.git/a.md')],
    ['a script', write('notes/a.sh')],
    ['a document that loads an address', write('notes/a.md', {}, false, '![a](https://evil.example/?b)')],
    ['a file that programs run', write('notes/a.md', { effects: hostRun })],
    [
      'what cannot be undone',
      write('notes/a.md', { effects: [effect({ verb: 'write', reversible: false })] }),
    ],
    ['what is deleted', write('notes/a.md', { resources: [{ ...file('delete'), path: 'notes/a.md' }] })],
  ]
  it.each(strange)('is not %s', (_what, call) => {
    expect(grantedActOf(call)).toBeNull()
  })
})

describe('a grant that holds after untrusted content', () => {
  const sets = (['low', 'medium', 'high', 'full'] as const).map((level) => setOf(level))
  const none = setOf('none')
  afterAll(() => {
    for (const set of [...sets, none]) set.dispose()
  })
  const read: Label = { integrity: 'untrusted', confidentiality: 'private', sources: [] }
  const judged = (call: Call, label = read) =>
    factsOf({
      ...call,
      tool: { ...call.tool, category: 'any', floor: 0, declaresEffects: true },
      secrets: call.uses,
      label,
      identityFlags: false,
      act: grantedActOf(call),
    })
  const open = { id: 'grant_1', untrusted: true }

  it('answers what it says at every level that takes grants, and keeps the tier of the act', () => {
    const acts = [
      [look(), 2],
      [write('notes/a.md'), 1],
      [write('notes/a.md', {}, true), 1],
    ] as const
    for (const set of sets)
      for (const [call, tier] of acts)
        expect(judgeGranted(judged(call), open, set)).toMatchObject({ kind: 'allow', tier, grant: 'grant_1' })
  })

  it('answers nothing without saying so, and nothing at the level none', () => {
    for (const call of [look(), write('notes/a.md'), write('notes/a.md', {}, true)]) {
      const facts = judged(call)
      for (const set of sets)
        expect(judgeGranted(facts, { id: 'grant_1' }, set)).toEqual(judgeBare(facts, set).decision)
      expect(judgeGranted(facts, open, none).kind).toBe('ask')
    }
  })

  const acts: readonly [string, Effect, Resource[]][] = [
    ['sends', effect({ verb: 'send', outward: true, reversible: false }), []],
    ['spends', effect({ verb: 'spend', reversible: false }), []],
    ['opens authority', effect({ verb: 'authority', reversible: false }), []],
    ['deletes for good', effect({ verb: 'delete', reversible: false }), [file('delete')]],
    ['runs', effect({ verb: 'execute', reversible: false }), []],
  ]
  it.each(acts)('answers nothing that %s', (_what, does, resources) => {
    const facts = judged(look('', { effects: [does], resources, args: {} }))
    expect(mayBeGranted(facts)).toBe(false)
    for (const set of sets) expect(judgeGranted(facts, open, set).kind).toBe('ask')
  })

  it('answers nothing of a run that has seen a secret', () => {
    const seen: Label = { ...read, confidentiality: 'secret' }
    for (const call of [look(), write('notes/a.md')])
      for (const set of sets) expect(judgeGranted(judged(call, seen), open, set).kind).toBe('ask')
  })
})
