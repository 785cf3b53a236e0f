import {
  type Label,
  operatorLabel,
  type Tier,
  type ToolCatalogue,
  type ToolFacts,
  type TriedCall,
} from '@countersign/contract'
import { describe, expect, it } from 'vitest'
import { leaseOf, previewPlan } from './preview.ts'
import { call, testPlan } from './testing/carry-out.ts'

const untrusted: Label = { integrity: 'untrusted', confidentiality: 'public', sources: [] }
const tool = (name: string, more: Partial<ToolFacts> = {}): ToolFacts =>
  ({
    name,
    hidden: false,
    category: 'test',
    runs: 'executor',
    output: operatorLabel,
    parse: (value: object) => ({ kind: 'args', args: { ...value, filled: true } }),
    ...more,
  }) as ToolFacts
const tools = new Map(
  [
    tool('do'),
    tool('fetch'),
    tool('send'),
    tool('read_web', { output: untrusted }),
    tool('mine', { unwrap: (args) => ({ kind: 'one', call: { tool: 'fetch', args } }) }),
  ].map((each) => [each.name, each]),
)
const catalogue: ToolCatalogue = {
  find: (name) => tools.get(name),
  list: () => [...tools.values()],
  missing: (name) => `There is no tool ${name}.`,
}
const tiers: Record<string, Tier> = { do: 1, fetch: 2, mine: 2, send: 3, read_web: 0 }
const judged = (name: string): TriedCall => {
  const tier = tiers[name] ?? 0
  return {
    kind: 'judged',
    decision: tier >= 2 ? 'ask' : 'allow',
    card: {
      headline: `Use ${name}`,
      tier,
      tool: 'tool',
      args: '{}',
      chain: [],
      preview: { kind: 'text', title: '', text: '' },
      effects: [],
      why: { reason: 'So it is.', rules: [], raised: [] },
    },
    resources: [],
    sandbox: 'none',
    egress: 'none',
    secrets: [],
  }
}
const previewOf = (steps: readonly unknown[], label: Label | null = null, version = 1) =>
  previewPlan({
    id: `plan_${'0'.repeat(32)}`,
    plan: { ...testPlan(steps), version },
    label,
    catalogue,
    tryCall: ({ tool: name }) => Promise.resolve([judged(name)]),
  })

describe('a preview', () => {
  it('says where it stops, where it may, and what can be approved ahead', async () => {
    const preview = await previewOf([
      call('save'),
      call('get', { tool: 'fetch', args: { url: 'x' } }),
      call('mail', { tool: 'send' }),
      call('open', { tool: 'fetch', args: { url: '{{save.result}}' } }),
      { type: 'user_input', id: 'ask', name: 'Which?', question: 'Which one?' },
    ])
    expect(preview.stops).toBe(
      '3 stops for you: get (Crosses a boundary), mail (Leaves your hands), Which? (a question). 1 more may stop: open (not known yet).',
    )
    expect(preview.steps.map(({ step, decision, ahead }) => [step, decision, ahead])).toEqual([
      ['save', 'allow', false],
      ['get', 'ask', true],
      ['mail', 'ask', false],
      ['open', 'may', false],
      ['ask', 'question', false],
    ])
    expect(preview.steps[2]?.why).toContain('cannot be approved in advance')
    expect(leaseOf(preview)).toEqual([
      { tool: 'fetch', args: '{"filled":true,"url":"x"}', headline: 'Use fetch' },
    ])
    expect((await previewOf([call('save')])).stops).toBe('No stops for you.')
  })

  it('grants the call behind a tool of the operator, and each round of a counted loop', async () => {
    const { lease } = await previewOf([
      { type: 'loop', id: 'l', name: 'l', count: 3, steps: ['get'] },
      call('get', { tool: 'mine' }),
    ])
    expect(lease.map(({ tool: name }) => name)).toEqual(['fetch', 'fetch', 'fetch'])
    const unknown = await previewOf([
      call('a'),
      { type: 'loop', id: 'l', name: 'l', over: '{{a.json}}', steps: ['get'] },
      call('get', { tool: 'fetch' }),
    ])
    expect(unknown.lease).toEqual([])
  })

  it('promises nothing behind untrusted content, and still something before it', async () => {
    const after = await previewOf([
      call('web', { tool: 'read_web' }),
      call('save', { dependsOn: ['web'] }),
      call('get', { tool: 'fetch' }),
    ])
    expect(after.steps.map(({ decision, ahead }) => [decision, ahead])).toEqual([
      ['allow', false],
      ['may', false],
      ['ask', false],
    ])
    const before = await previewOf([
      call('get', { tool: 'fetch' }),
      call('web', { tool: 'read_web', dependsOn: ['get'] }),
    ])
    expect(before.lease).toHaveLength(1)
    expect((await previewOf([call('get', { tool: 'fetch' })], untrusted)).lease).toEqual([])
  })

  it('has another digest for another version, other arguments and another order', async () => {
    const get = (url: string, id = 'get') => call(id, { tool: 'fetch', args: { url } })
    const digests = await Promise.all([
      previewOf([get('x')]),
      previewOf([get('y')]),
      previewOf([get('x')], null, 2),
      previewOf([get('x'), get('y', 'two')]),
      previewOf([get('y', 'two'), get('x')]),
    ])
    expect(new Set(digests.map(({ digest }) => digest)).size).toBe(5)
    expect((await previewOf([get('x')])).digest).toBe(digests[0]?.digest)
  })

  it('looks at nothing while the plan has problems', async () => {
    const preview = await previewOf([call('a', { tool: 'fly' })])
    expect(preview).toMatchObject({ steps: [], lease: [], problems: [{ step: 'a' }] })
  })
})
