import type { Label } from '@countersign/contract'
import { describe, expect, it } from 'vitest'
import { isKept } from './taint/flow.ts'
import { hops } from './taint/hops/index.ts'

const label = (integrity: Label['integrity'], confidentiality: Label['confidentiality']): Label => ({
  integrity,
  confidentiality,
  sources: [],
})

describe('a label', () => {
  it('is kept when it is worth no more than what went in, in both of its ways', () => {
    const wanted = label('untrusted', 'private')
    expect(isKept(wanted, label('untrusted', 'private'))).toBe(true)
    expect(isKept(wanted, label('untrusted', 'secret'))).toBe(true)
    expect(isKept(wanted, label('tool', 'private'))).toBe(false)
    expect(isKept(wanted, label('untrusted', 'public'))).toBe(false)
  })
})

describe('the hops', () => {
  it('have names of their own and are of every kind', () => {
    expect(new Set(hops.map(({ name }) => name)).size).toBe(hops.length)
    expect(new Set(hops.map(({ kind }) => kind))).toEqual(
      new Set([
        'conversation',
        'compaction',
        'file',
        'record',
        'custom tool',
        'memory',
        'goal',
        'plan',
        'schedule',
        'sub-agent',
        'program',
        'hand',
      ]),
    )
  })
})
