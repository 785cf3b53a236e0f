import { idFrom, type ResolveReply } from '@countersign/contract'
import { compilePolicies, type PolicySet } from '@countersign/policy'
import { describe, expect, it } from 'vitest'
import { catalogue, resolutionOf } from '../testing/test-kernel.ts'
import type { DispatchPorts } from './dispatch-ports.ts'
import { dryRunCall } from './dry-run.ts'

const { set } = compilePolicies({ autonomy: 'medium', files: [] }) as { set: PolicySet }
const operator = idFrom('op', '1')
const portsWith = (reply: (tool: string) => ResolveReply | undefined) => {
  let ids = 0
  const executor = {
    resolve: (_operator: unknown, calls: readonly { tool: string }[]) =>
      Promise.resolve(calls.map(({ tool }) => reply(tool))),
  }
  return {
    tools: { open: () => Promise.resolve(catalogue) },
    executors: { executor, gateway: executor },
    store: { read: () => Promise.resolve(null) },
    policies: { current: () => set },
    clock: () => new Date(),
    uuid: () => {
      ids += 1
      return String(ids)
    },
  } as unknown as DispatchPorts
}
const found = (tool: string): ResolveReply => ({ kind: 'resolved', resolution: resolutionOf(tool) })
const tried = (tool: string, args = '{}', reply: (tool: string) => ResolveReply | undefined = found) =>
  dryRunCall(operator, { tool, args }, portsWith(reply))

describe('a call that is only looked at', () => {
  it.each([
    ['look', 'allow', 0],
    ['fetch', 'ask', 2],
    ['send', 'ask', 3],
  ] as const)('is judged as if the operator asked for it now: %s', async (tool, decision, tier) => {
    expect(await tried(tool)).toMatchObject([{ kind: 'judged', decision, card: { tier } }])
  })

  it('shows what it would touch, and a chain from the operator to the tool', async () => {
    const [one] = await tried('fetch')
    const { resources, sandbox, egress, secrets } = resolutionOf('fetch')
    expect(one).toMatchObject({ resources, sandbox, egress, secrets })
    expect(one?.kind === 'judged' && one.card.chain).toEqual([
      { kind: 'operator', id: 'operator', name: '' },
      { kind: 'agent', id: 'assistant', name: 'assistant' },
      { kind: 'run', id: 'run_2', name: 'run_2' },
      { kind: 'tool', id: 'fetch', name: 'fetch' },
    ])
  })

  it('has one answer for each inner call', async () => {
    const operations = [
      { tool: 'look', args: {} },
      { tool: 'nothing', args: {} },
      { tool: 'send', args: {} },
    ]
    const answers = await tried('batch', JSON.stringify({ operations }))
    expect(answers).toMatchObject([
      { kind: 'judged', decision: 'allow' },
      { kind: 'impossible', reason: catalogue.missing('nothing') },
      { kind: 'judged', decision: 'ask' },
    ])
  })

  it('is impossible, with the reason, where it does not fit or cannot be resolved', async () => {
    expect(await tried('nothing')).toMatchObject([{ kind: 'impossible' }])
    expect(await tried('look', '{}', () => ({ kind: 'invalid', reason: 'No.' }))).toEqual([
      { kind: 'impossible', reason: 'No.' },
    ])
    expect(await tried('look', '{}', () => undefined)).toMatchObject([{ kind: 'impossible' }])
  })

  it('is attended: a rule for runs that nobody watches does not ask about it', async () => {
    const high = compilePolicies({
      autonomy: 'high',
      files: [],
    }) as { set: PolicySet }
    const ports = { ...portsWith(found), policies: { current: () => high.set } as never }
    expect(await dryRunCall(operator, { tool: 'fetch', args: '{}' }, ports)).toMatchObject([
      { decision: 'allow' },
    ])
  })
})
