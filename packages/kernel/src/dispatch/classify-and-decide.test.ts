import {
  type Effect,
  type FileResource,
  idFrom,
  type Label,
  operatorLabel,
  type Resolution,
  type ResolveReply,
  type Resource,
  type ToolFacts,
} from '@countersign/contract'
import { compilePolicies, type PolicySet } from '@countersign/policy'
import { describe, expect, it } from 'vitest'
import { madeFile, madePage, madeProgram, madeRecord } from '../testing/made-resources.ts'
import { catalogue } from '../testing/test-kernel.ts'
import type { CanonicalCall } from './canonicalize.ts'
import { type CallOfWork, classifyAndDecide } from './classify-and-decide.ts'

const compiled = compilePolicies({ autonomy: 'medium', files: [] })
const policy = (compiled as { set: PolicySet }).set
const id = '00000000-0000-7000-8000-000000000001'
const operator = idFrom('op', id)
const context = {
  origins: [],
  operator,
  session: idFrom('ses', id),
  run: idFrom('run', id),
  label: operatorLabel,
  requester: { kind: 'operator' as const, id: 'desk' },
  unattended: false,
  agent: 'assistant',
  goal: null,
  firstHand: true,
  inReader: false,
}
const inside: Resolution = {
  resources: [],
  effects: [
    { verb: 'read', object: 'a thing', scope: 'inside', reversible: true, outward: false, leaves: [] },
  ],
  sandbox: 'none',
  egress: 'none',
  secrets: [],
}
const callOf = (name: string, change: Partial<ToolFacts> = {}): CanonicalCall => ({
  tool: { ...(catalogue.find('look') as ToolFacts), name, ...change },
  args: '{}',
  value: {},
  headline: name,
  origin: null,
})

async function assessment(
  calls: CanonicalCall[],
  reply: (tool: string, runs: string) => ResolveReply | undefined,
  grant: string | null = null,
  change: Partial<CallOfWork> = {},
) {
  const asked: string[] = []
  const port = (runs: string) => ({
    resolve: (_operator: unknown, theirs: readonly { tool: string; args: string }[]) => {
      asked.push(`${runs}: ${theirs.map(({ tool, args }) => `${tool} ${args}`).join()}`)
      return Promise.resolve(theirs.map(({ tool }) => reply(tool, runs)))
    },
  })
  const ports = {
    executors: { executor: port('executor'), gateway: port('gateway') },
    store: {
      read: () => {
        asked.push('grants')
        return Promise.resolve(grant === null ? null : { id: grant, untrusted: false })
      },
    },
    policy,
    now: new Date(),
  }
  return { asked, results: await classifyAndDecide(calls, { ...context, ...change }, ports as never) }
}

/** One call that does what the resolution says. */
async function assessedOne(
  change: Partial<Resolution>,
  {
    grant = null,
    tool = {},
    ...of
  }: { grant?: string | null; tool?: Partial<ToolFacts> } & Partial<CallOfWork> = {},
) {
  const resolution = { ...inside, ...change }
  const { results } = await assessment(
    [callOf('a', tool)],
    () => ({ kind: 'resolved', resolution }),
    grant,
    of,
  )
  const [one] = results
  if (one?.kind !== 'assessed') throw new Error('it was not assessed')
  return one
}

const exec = (path: string, cwd: string) => madeProgram({ path, cwd, uninspectable: false })
const record = (collection: string) => madeRecord('read', { collection, id: '*', version: null })

describe('the judgement of calls', () => {
  it('asks each executor once about its own, and nobody about a question to the operator', async () => {
    const calls = [
      callOf('a'),
      callOf('b', { runs: 'gateway' }),
      callOf('c'),
      callOf('d', { runs: 'operator' }),
    ]
    const { asked, results } = await assessment(calls, () => ({ kind: 'resolved', resolution: inside }))
    expect(asked).toEqual(['executor: a {},c {}', 'gateway: b {}'])
    expect(results.map((one) => one.kind === 'assessed' && [one.call.tool.name, one.decision.kind])).toEqual([
      ['a', 'allow'],
      ['b', 'allow'],
      ['c', 'allow'],
      ['d', 'allow'],
    ])
    expect(results[3]).toMatchObject({
      resolution: {
        resources: [],
        effects: [{ verb: 'ask', scope: 'inside', reversible: true, outward: false, leaves: [] }],
        sandbox: 'none',
        egress: 'none',
        secrets: [],
      },
    })
  })

  it('tells policy by whom, for what and where the call is made', async () => {
    const { facts } = await assessedOne({}, { agent: 'coder', goal: 'goal_1' })
    expect(facts.work).toEqual({ agent: 'coder', goal: 'goal_1', session: context.session })
  })

  it('tells policy who began the work, without the run itself', async () => {
    const { session } = context
    const coder = { agent: 'coder', goal: null, session }
    const { facts } = await assessedOne(
      {},
      { agent: 'task', goal: null, origins: [coder, { ...coder, agent: 'task' }] },
    )
    expect(facts.work).toEqual({ agent: 'task', goal: null, session, origins: [coder] })
  })

  it('asks no executor that has nothing to run', async () => {
    const calls = [callOf('d', { runs: 'operator' })]
    const { asked } = await assessment(calls, () => undefined)
    expect(asked).toEqual([])
  })

  it.each<[string, ResolveReply | undefined, string]>([
    ['an executor that says nothing', undefined, 'The executor did not answer.'],
    ['arguments that mean nothing here', { kind: 'invalid', reason: 'There is no a.' }, 'There is no a.'],
    [
      'something that is missing',
      { kind: 'unavailable', reason: 'No git.', fix: 'Install it.' } as ResolveReply,
      'No git. Install it.',
    ],
  ])('makes a call impossible with %s', async (_title, reply, reason) => {
    const { results } = await assessment([callOf('a')], () => reply)
    expect(results).toEqual([{ kind: 'impossible', reason }])
  })

  it('offers no grant for what is allowed anyway', async () => {
    const { results } = await assessment([callOf('a')], () => ({ kind: 'resolved', resolution: inside }))
    const [one] = results
    if (one?.kind !== 'assessed') throw new Error('it was not judged')
    expect(one.decision.kind).toBe('allow')
    expect(one.offers()).toEqual({
      scopes: [],
      stops: [],
      untrusted: { run: false, stops: [] },
      unread: 'asks',
    })
  })
})

describe('a name that is not what it looks like', () => {
  const tierOf = async (...resources: Resource[]) => (await assessedOne({ resources })).classification.tier
  const hidden = 'a\u202eb'

  it.each<[string, Resource]>([
    ['a path', madeFile(hidden)],
    ['a host', madePage(hidden)],
    ['a program', exec(hidden, '.')],
    ['a folder to run in', exec('/bin/ls', hidden)],
    ['a collection', record(hidden)],
  ])('raises the tier as %s', async (_title, resource) => {
    expect(await tierOf(resource)).toBe(1)
  })

  it('raises the tier also where only its characters are composed otherwise, or only one of several deceives', async () => {
    expect(await tierOf(madeFile('no\u0301tes.txt'))).toBe(1)
    expect(await tierOf(madeFile('notes.txt'), madeFile(hidden))).toBe(1)
  })

  it('leaves honest names and calls without any alone', async () => {
    const peer: Resource = { type: 'peer', channel: 'mail', account: 'me', peer: hidden }
    expect(
      await tierOf(madeFile('notes.txt'), madePage('example.org'), exec('/bin/ls', '.'), record('tasks')),
    ).toBe(0)
    expect(await tierOf(madeFile('nótes.txt'))).toBe(0)
    expect(await tierOf(peer)).toBe(0)
    expect(await tierOf()).toBe(0)
  })
})

describe('a call that policy asks about', () => {
  const crossing: Effect[] = [
    { verb: 'fetch', object: 'a host', scope: 'boundary', reversible: true, outward: false, leaves: ['it'] },
  ]
  const asks = { effects: crossing, resources: [madePage('example.org')] }
  const everywhere = ['run', 'session', 'time']

  it('is allowed by a grant that covers it, and named by it', async () => {
    expect((await assessedOne(asks)).decision.kind).toBe('ask')
    const granted = await assessedOne(asks, { grant: 'grt_1' })
    expect(granted.decision).toMatchObject({ kind: 'allow', grant: 'grt_1' })
  })

  it('is covered by no grant when it carries a secret or cannot be taken back, and offers none', async () => {
    const outward = crossing.map((effect): Effect => ({ ...effect, verb: 'send', outward: true }))
    for (const change of [
      { ...asks, secrets: ['key'] },
      { ...asks, effects: outward },
    ]) {
      const { decision, offers } = await assessedOne(change, { grant: 'grt_1' })
      expect(decision.kind).toBe('ask')
      expect(offers()).toEqual({
        scopes: [],
        stops: [],
        untrusted: { run: false, stops: [] },
        unread: 'asks',
      })
    }
  })

  it('is looked up among the grants, and no call that none could cover', async () => {
    const askedOf = async (change: Partial<Resolution>) => {
      const resolution = { ...inside, ...change }
      return (await assessment([callOf('a')], () => ({ kind: 'resolved', resolution }))).asked.slice(1)
    }
    expect(await askedOf(asks)).toEqual(['grants'])
    expect(await askedOf({})).toEqual([])
    expect(await askedOf({ ...asks, secrets: ['key'] })).toEqual([])
  })

  it('offers every grant while what it brings in is trusted', async () => {
    expect((await assessedOne(asks)).offers().scopes).toEqual(everywhere)
    const own = { ...asks, resources: [madePage('example.org'), madeFile('notes.txt')] }
    expect((await assessedOne(own)).offers().scopes).toEqual(everywhere)
  })

  it('offers a rule and no scope when its own answer would make it ask again', async () => {
    const output: Label = { integrity: 'untrusted', confidentiality: 'public', sources: ['web'] }
    const { scopes, stops } = (await assessedOne(asks, { tool: { output } })).offers()
    expect([scopes, stops]).toEqual([[], ['call', 'target', 'place', 'tool']])
  })

  it('knows what it does in a task that has read nothing untrusted, which no webhook’s is', async () => {
    const label: Label = { integrity: 'untrusted', confidentiality: 'public', sources: ['web'] }
    const unread = async (of: Partial<CallOfWork>, effects = crossing) =>
      (await assessedOne({ ...asks, effects }, of)).offers().unread
    const inWorkspace = crossing.map(
      (effect): Effect => ({ ...effect, verb: 'write', scope: 'inside', leaves: [] }),
    )
    expect(await unread({ label })).toBe('rule')
    expect(await unread({ label }, inWorkspace)).toBe('runs')
    expect(await unread({ label, requester: { kind: 'webhook', id: 'w' } }, inWorkspace)).toBe('asks')
    expect(await unread({})).toBe('asks')
  })

  it.each<[FileResource['op'], readonly string[]]>([
    ['read', []],
    ['list', []],
    ['write', everywhere],
    ['delete', everywhere],
  ])(
    'counts a file outside the workspace as a stranger’s when it does this to it: %s',
    async (op, scopes) => {
      const outside = { ...asks, resources: [madePage('example.org'), madeFile('/home/me/a.txt', op)] }
      expect((await assessedOne(outside)).offers().scopes).toEqual(scopes)
    },
  )
})
