import { expect, it } from 'vitest'
import { type Chain, chainProblem, linkWords } from './chain.ts'

const chain: Chain = [
  { kind: 'schedule', id: 'sched_1', name: 'Morning' },
  { kind: 'trigger', id: 'occ/occ_1', name: 'by a webhook' },
  { kind: 'agent', id: 'assistant', name: 'Assistant' },
  { kind: 'run', id: 'run_1', name: 'run_1' },
  { kind: 'custom', id: 'report', name: 'report' },
  { kind: 'tool', id: 'write_file', name: 'write_file' },
]
const facts = {
  chain,
  requester: { kind: 'schedule' as const, id: 'sched_1' },
  agent: 'assistant',
  run: 'run_1',
  tool: { name: 'write_file' },
}

it('accepts the chain of the call', () => {
  expect(chainProblem(facts)).toBeNull()
})

it.each<[string, Chain]>([
  ['nobody who began it', chain.slice(2)],
  ['another who began it', [{ kind: 'operator', id: 'laptop', name: 'laptop' }, ...chain.slice(1)]],
  ['another agent', chain.map((link) => (link.kind === 'agent' ? { ...link, id: 'other' } : link))],
  ['another run', chain.map((link) => (link.kind === 'run' ? { ...link, id: 'run_2' } : link))],
  ['a run more', [...chain.slice(0, 4), { kind: 'run', id: 'run_2', name: '' }, ...chain.slice(4)]],
  ['another tool', chain.map((link) => (link.kind === 'tool' ? { ...link, id: 'read_file' } : link))],
  ['a tool by another name', chain.map((link) => (link.kind === 'tool' ? { ...link, name: 'x' } : link))],
  ['no tool', chain.slice(0, -1)],
])('refuses a chain with %s', (_what, changed) => {
  expect(chainProblem({ ...facts, chain: changed })).not.toBeNull()
})

it('says who asked in words', () => {
  expect(chain.map(linkWords).join(' → ')).toBe(
    'automation “Morning” → by a webhook → Assistant → run_1 → custom tool report → write_file',
  )
})
