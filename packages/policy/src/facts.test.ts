import type { Effect, Resource } from '@countersign/contract'
import { describe, expect, it } from 'vitest'
import { type CallFacts, isGrantable, isGranted, requestOf } from './facts.ts'
import { callOf, effect, setOf } from './testing/calls.ts'

/** Rules of the operator's that look at everything, so that nothing is left out of the question. */
const everything = setOf('medium', {
  name: 'all.cedar',
  text: 'forbid (principal, action, resource) when { context != context || principal == Requester::"x" || resource == Tool::"x" };',
})

function contextFor(change: Partial<CallFacts>) {
  return requestOf({ ...callOf('question'), effects: [], resources: [], ...change }, everything).context
}

const flags = (effects: Effect[]) => {
  const { reads, changes, egress, outward, irreversible } = contextFor({ effects })
  return Object.entries({ reads, changes, egress, outward, irreversible }).flatMap(([name, is]) =>
    is ? name : [],
  )
}

describe('what a rule is told of an effect', () => {
  it.each<[Parameters<typeof effect>[0], string[]]>([
    [{ verb: 'read' }, ['reads']],
    [{ verb: 'list' }, ['reads']],
    [{ verb: 'fetch' }, ['reads', 'egress']],
    [{ verb: 'send' }, ['egress', 'outward']],
    [{ verb: 'write' }, ['changes']],
    [{ verb: 'delete' }, ['changes']],
    [{ verb: 'execute' }, ['changes']],
    [{ verb: 'spend' }, ['changes']],
    [{ verb: 'authority' }, ['changes']],
    [{ verb: 'ask' }, []],
    [{ verb: 'ask', reversible: false }, []],
    [{ verb: 'read', leaves: ['a name'] }, ['reads', 'egress']],
    [{ verb: 'write', outward: true }, ['changes', 'egress', 'outward']],
    [{ verb: 'write', reversible: false }, ['changes', 'irreversible']],
  ])('%j', (change, expected) => {
    expect(flags([effect(change)])).toEqual(expected)
  })

  it('is that something leaves with a call of a server that may reach others, also where it only looks', () => {
    const hash = '0'.repeat(64)
    const call = (reaches: boolean): Resource => ({
      type: 'server-tool',
      server: 'far',
      launch: hash,
      tool: 'search',
      definition: hash,
      tier: 0,
      reaches,
    })
    const effects = [effect({ verb: 'read' })]
    expect(contextFor({ effects, resources: [call(true)] })).toMatchObject({ egress: true, changes: false })
    expect(contextFor({ effects, resources: [call(false)] })).toMatchObject({ egress: false })
  })

  it('is the server and its tool, as each is named, and of one call only one', () => {
    const hash = '0'.repeat(64)
    const call = (server: string, tool: string): Resource => ({
      type: 'server-tool',
      server,
      launch: hash,
      tool,
      definition: hash,
      tier: 2,
      reaches: true,
    })
    expect(contextFor({ resources: [call('home', 'HassLightSet')] })).toMatchObject({
      server: 'home',
      serverTool: 'HassLightSet',
    })
    expect(contextFor({})).toMatchObject({ server: '', serverTool: '' })
    const refused = [
      [call('home', 'HassLightSet'), call('far', 'search')],
      [call('', 'HassLightSet')],
      [call('home', '')],
      [call('home', '\ud800')],
    ]
    for (const resources of refused) expect(() => contextFor({ resources })).toThrow('unknown')
  })

  it('is what all of its effects are together', () => {
    expect(flags([effect({ verb: 'read' }), effect({ verb: 'send' }), effect({ verb: 'write' })])).toEqual([
      'reads',
      'changes',
      'egress',
      'outward',
    ])
  })
})

describe('what a rule is told of a resource', () => {
  const file = (path: string, change: object = {}) =>
    ({
      type: 'file',
      root: 'workspace',
      path,
      op: 'write',
      identity: 'absent',
      content: null,
      ...change,
    }) as Resource
  const exec = (path: string, uninspectable: boolean) =>
    ({
      type: 'exec',
      path,
      content: '',
      argv: [],
      cwd: '.',
      environment: '',
      uninspectable,
      view: null,
    }) as Resource
  const seen = (...resources: Resource[]) => contextFor({ resources })

  it('is its path with every folder above it, up to the root', () => {
    expect(seen(file('/a/b/c.txt', { root: 'host' }))).toMatchObject({
      paths: ['/a/b/c.txt'],
      folders: ['/a/b', '/a', '/'],
    })
    expect(seen(file('a/b/c.txt'))).toMatchObject({ paths: ['a/b/c.txt'], folders: ['a/b', 'a'] })
    expect(seen(file('c.txt')).folders).toEqual([])
    expect(seen(file('/c', { root: 'host' })).folders).toEqual(['/'])
  })

  it('is whether it is read outside the workspace', () => {
    expect(seen(file('/a', { root: 'host', op: 'read' })).outside).toBe(true)
    expect(seen(file('/a', { root: 'host', op: 'list' })).outside).toBe(true)
    expect(seen(file('/a', { root: 'host', op: 'write' })).outside).toBe(false)
    expect(seen(file('a', { op: 'read' })).outside).toBe(false)
  })

  it('is the program, and whether nobody can look into it', () => {
    expect(seen(exec('/bin/ls', false))).toMatchObject({
      paths: ['/bin/ls'],
      folders: ['/bin', '/'],
      uninspectable: false,
    })
    expect(seen(exec('/bin/sh', true), exec('/bin/ls', false)).uninspectable).toBe(true)
  })

  it('is the host and the method of an address', () => {
    expect(requestOf(callOf('fetch'), everything).context).toMatchObject({
      hosts: ['example.org'],
      methods: ['GET'],
    })
  })
})

describe('a question to Cedar', () => {
  it('names who asks, for what, and of which kind', () => {
    const peer = { kind: 'peer', id: 'requester_1' } as const
    const { principal, resource, entities } = requestOf({ ...callOf('read'), requester: peer }, everything)
    expect(principal).toEqual({ type: 'Requester', id: 'requester_1' })
    expect(resource).toEqual({ type: 'Tool', id: 'read' })
    expect(entities).toContainEqual({
      uid: principal,
      attrs: {},
      parents: [{ type: 'RequesterKind', id: 'peer' }],
    })
    // No rule names the operator.
    expect(requestOf(callOf('read'), everything).entities).not.toContainEqual(
      expect.objectContaining({ parents: [{ type: 'RequesterKind', id: 'operator' }] }),
    )
  })

  it('holds only what some rule looks at', () => {
    const { context } = requestOf(callOf('read'), setOf('medium'))
    expect(Object.keys(context)).toEqual(expect.arrayContaining(['approved', 'granted', 'tier']))
    expect(context).not.toHaveProperty('folders')
  })

  const broken = (change: object) => () =>
    requestOf({ ...callOf('read'), ...change } as CallFacts, everything)

  it.each([
    ['tier 5', broken({ classification: { tier: 5, raised: [] } }), 'unknown tier 5'],
    ['tier -1', broken({ classification: { tier: -1, raised: [] } }), 'unknown tier -1'],
    ['half a tier', broken({ classification: { tier: 1.5, raised: [] } }), 'unknown tier 1.5'],
    ['a requester', broken({ requester: { kind: 'ghost', id: 'x' } }), 'unknown requester "ghost"'],
    [
      'an integrity',
      broken({ label: { integrity: 'odd', confidentiality: 'public', sources: [] } }),
      'unknown integrity "odd"',
    ],
    [
      'a confidentiality',
      broken({ label: { integrity: 'operator', confidentiality: 'odd', sources: [] } }),
      'unknown confidentiality "odd"',
    ],
    [
      'an effect',
      broken({ effects: [{ ...effect({ verb: 'read' }), verb: 'sing' }] }),
      'unknown effect "sing"',
    ],
    ['a resource', broken({ resources: [{ type: 'moon' }] }), 'unknown resource {"type":"moon"}'],
  ])('is not asked with %s that nobody knows', (_, ask, message) => {
    expect(ask).toThrow(message)
  })

  it('is not asked with a broken name of a place', () => {
    const work = { agent: 'coder\uD800', goal: null, session: 'ses_1' }
    expect(() => requestOf({ ...callOf('read'), work }, everything)).toThrow('unknown name')
  })

  it('is told where the call is made, and nothing where that is nowhere', () => {
    const work = { agent: 'coder', goal: 'goal_1', session: 'ses_1' }
    expect(contextFor({ work })).toMatchObject(work)
    expect(contextFor({ work: { ...work, goal: null } })['goal']).toBe('')
    expect(contextFor({})).toMatchObject({ agent: '', goal: '', session: '' })
  })

  it('says in which channel and chat somebody wrote, and who it was unless it was the operator', () => {
    const via = { channel: 'family', chat: '-100' }
    const peer = { kind: 'peer', id: 'family/77', via } as const
    expect(contextFor({ requester: peer })).toMatchObject({
      channel: 'family',
      chat: '-100',
      peer: 'family/77',
    })
    expect(contextFor({ requester: { kind: 'operator', id: 'family/1', via } })).toMatchObject({
      channel: 'family',
      peer: '',
    })
    expect(contextFor({})).toMatchObject({ channel: '', chat: '', peer: '' })
    expect(() => contextFor({ requester: { ...peer, via: { ...via, chat: '\uD800' } } })).toThrow(TypeError)
  })

  it('is asked at the highest tier', () => {
    expect(
      requestOf(
        { ...callOf('read'), classification: { ...callOf('read').classification, tier: 4 } },
        everything,
      ).context['tier'],
    ).toBe(4)
  })
})

describe('a grant', () => {
  it('speaks for calls up to the boundary, without secrets and strangers', () => {
    const fetch = callOf('fetch', { granted: true })
    expect(isGranted(fetch)).toBe(true)
    expect(isGranted({ ...fetch, granted: null })).toBe(false)
    expect(isGrantable({ ...fetch, classification: { ...fetch.classification, tier: 3 } })).toBe(false)
    expect(isGrantable({ ...fetch, secrets: ['mine'] })).toBe(false)
    expect(isGrantable({ ...fetch, label: { ...fetch.label, integrity: 'untrusted' } })).toBe(false)
  })
})
