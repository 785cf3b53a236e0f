import { describe, expect, it } from 'vitest'
import { toFacts } from '../definition.ts'
import { batchUseTool } from './batch-use-tool.ts'
import { useTool } from './use-tool.ts'

describe('use_tool', () => {
  it('unwraps to the inner call', () => {
    const facts = toFacts(useTool)
    const parsed = facts.parse({ tool: 'read_file', args: { path: 'a', deep: [1, null] } })
    if (parsed.kind !== 'args') throw new Error('invalid')
    expect(facts.unwrap?.(parsed.args)).toEqual({
      kind: 'one',
      call: { tool: 'read_file', args: { path: 'a', deep: [1, null] } },
    })
  })

  it('refuses anything beside the inner call', () => {
    expect(toFacts(useTool).parse({ tool: 'read_file', args: {}, tier: 0 })).toMatchObject({
      kind: 'invalid',
    })
  })
})

describe('batch_use_tool', () => {
  const facts = toFacts(batchUseTool)

  it('unwraps to every inner call, in their order', () => {
    const operations = [
      { tool: 'add_task', args: { title: 'a' } },
      { tool: 'add_task', args: { title: 'b' } },
    ]
    const parsed = facts.parse({ operations })
    if (parsed.kind !== 'args') throw new Error('invalid')
    expect(facts.unwrap?.(parsed.args)).toEqual({ kind: 'many', calls: operations })
  })

  it('takes twenty calls and refuses none, twenty-one and anything beside a call', () => {
    const calls = (count: number) => Array.from({ length: count }, () => ({ tool: 'add_task', args: {} }))
    expect(facts.parse({ operations: calls(20) }).kind).toBe('args')
    expect(facts.parse({ operations: calls(21) }).kind).toBe('invalid')
    expect(facts.parse({ operations: [] }).kind).toBe('invalid')
    expect(facts.parse({ operations: [{ tool: 'a', args: {}, approve: true }] }).kind).toBe('invalid')
  })
})
