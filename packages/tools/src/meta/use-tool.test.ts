import { describe, expect, it } from 'vitest'
import { toFacts } from '../definition.ts'
import { useTool } from './use-tool.ts'

describe('use_tool', () => {
  it('unwraps to the inner call', () => {
    const facts = toFacts(useTool)
    const parsed = facts.parse({ tool: 'read_file', args: { path: 'a', deep: [1, null] } })
    if (parsed.kind !== 'args') throw new Error('invalid')
    expect(facts.unwrap?.(parsed.args)).toEqual({ tool: 'read_file', args: { path: 'a', deep: [1, null] } })
  })

  it('refuses anything beside the inner call', () => {
    expect(toFacts(useTool).parse({ tool: 'read_file', args: {}, tier: 0 })).toMatchObject({
      kind: 'invalid',
    })
  })
})
