import {
  idFrom,
  operatorLabel,
  type Resolution,
  type ResolveReply,
  type ToolFacts,
} from '@countersign/contract'
import { compilePolicies, type PolicySet } from '@countersign/policy'
import { describe, expect, it } from 'vitest'
import { catalogue } from '../testing/house.ts'
import { assess } from './assess.ts'
import type { CanonicalCall } from './prepare.ts'

const compiled = compilePolicies({ autonomy: 'medium', files: [] })
const policy = (compiled as { set: PolicySet }).set
const id = '00000000-0000-7000-8000-000000000001'
const operator = idFrom('op', id)
const circumstances = {
  operator,
  session: idFrom('ses', id),
  run: idFrom('run', id),
  label: operatorLabel,
  requester: { kind: 'operator' as const, id: 'desk' },
  unattended: false,
  agent: 'assistant',
  goal: null,
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

async function assessed(
  calls: CanonicalCall[],
  reply: (tool: string, runs: string) => ResolveReply | undefined,
) {
  const asked: string[] = []
  const port = (runs: string) => ({
    resolve: (_operator: unknown, theirs: readonly { tool: string }[]) => {
      asked.push(`${runs}: ${theirs.map(({ tool }) => tool).join()}`)
      return Promise.resolve(theirs.map(({ tool }) => reply(tool, runs)))
    },
  })
  const ports = {
    executors: { executor: port('executor'), house: port('house') },
    store: {},
    policy,
    now: new Date(),
  }
  return { asked, results: await assess(calls, circumstances, ports as never) }
}

const fileAt = (path: string): Resolution => ({
  ...inside,
  resources: [
    { type: 'file', root: 'workspace', path, op: 'read', identity: 'absent', content: null },
  ] as Resolution['resources'],
})

describe('the judgement of calls', () => {
  it('asks each executor once about its own, and nobody about a question to the operator', async () => {
    const calls = [
      callOf('a'),
      callOf('b', { runs: 'house' }),
      callOf('c'),
      callOf('d', { runs: 'operator' }),
    ]
    const { asked, results } = await assessed(calls, () => ({ kind: 'resolved', resolution: inside }))
    expect(asked).toEqual(['executor: a,c', 'house: b'])
    expect(results.map((one) => one.kind === 'assessed' && [one.call.tool.name, one.decision.kind])).toEqual([
      ['a', 'allow'],
      ['b', 'allow'],
      ['c', 'allow'],
      ['d', 'allow'],
    ])
    expect(results[3]).toMatchObject({ resolution: { resources: [], egress: 'none', secrets: [] } })
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
    const { results } = await assessed([callOf('a')], () => reply)
    expect(results).toEqual([{ kind: 'impossible', reason }])
  })

  it('raises the tier of a name that is not what it looks like', async () => {
    const tierOf = async (path: string) => {
      const { results } = await assessed([callOf('a')], () => ({
        kind: 'resolved',
        resolution: fileAt(path),
      }))
      return results[0]?.kind === 'assessed' ? results[0].classification.tier : undefined
    }
    const honest = (await tierOf('notes.txt')) ?? 9
    expect(await tierOf('no\u0301tes.txt')).toBeGreaterThan(honest)
    expect(await tierOf('notes\u202etxt.exe')).toBeGreaterThan(honest)
  })

  it('offers no grant for what is allowed anyway', async () => {
    const { results } = await assessed([callOf('a')], () => ({ kind: 'resolved', resolution: inside }))
    const [one] = results
    if (one?.kind !== 'assessed') throw new Error('it was not judged')
    expect(one.decision.kind).toBe('allow')
    expect(one.offers()).toEqual({ scopes: [], stops: [] })
  })
})
