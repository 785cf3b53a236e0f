import type { StoredRecord } from '@countersign/contract'
import { describe, expect, it } from 'vitest'
import { customToolFacts } from './facts.ts'

const record: StoredRecord = {
  id: 'double',
  label: null,
  version: 3,
  createdAt: '2026-03-01T12:00:00.000Z',
  updatedAt: '2026-03-01T12:00:00.000Z',
  data: {
    name: 'double',
    description: 'Twice a number.',
    parameters: { type: 'object', properties: { n: { type: 'number' } }, additionalProperties: false },
    code: 'return args.n * 2',
    permissions: ['network'],
    requiredApiKeys: [],
    enabled: true,
    origin: {
      label: { integrity: 'untrusted', confidentiality: 'public', sources: ['web'] },
      creator: { kind: 'peer', id: 'ann' },
    },
    version: 2,
  },
}
const changed = (data: object) => ({ ...record, data: { ...record.data, ...data } }) as StoredRecord

describe('the facts of a custom tool', () => {
  it('stand for one run of its program, with its origin', () => {
    const facts = customToolFacts(record)
    expect(facts).toMatchObject({
      name: 'double',
      version: '2',
      runs: 'unwrapped',
      hidden: false,
      group: 'customTools',
      origin: record.data['origin'],
      schema: record.data['parameters'],
    })
    expect(facts.unwrap?.({ n: 4 })).toEqual({
      kind: 'one',
      call: {
        tool: 'run_custom_tool',
        args: {
          name: 'double',
          code: 'return args.n * 2',
          input: { n: 4 },
          permissions: ['network'],
          keys: [],
          journal: [],
        },
      },
    })
    expect(facts.parse({ n: 4 })).toEqual({ kind: 'args', args: { n: 4 } })
    expect(facts.parse({ n: 'four' }).kind).toBe('invalid')
    expect(facts.describe({ n: 4 })).toBe('Use double: n 4')
  })

  it('have another definition when the code, the parameters or the permissions change', () => {
    const all = [
      record,
      changed({ code: 'return args.n * 3' }),
      changed({ permissions: [] }),
      changed({ description: 'Thrice.' }),
      changed({ parameters: { type: 'object', additionalProperties: false } }),
    ].map((each) => customToolFacts(each).definition)
    expect(new Set(all).size).toBe(all.length)
    expect(customToolFacts(changed({ enabled: false })).definition).toBe(all[0])
  })

  it('of a damaged record say so and can be used by nobody', () => {
    const facts = customToolFacts(changed({ permissions: ['root'] }))
    expect(facts.parse({ n: 4 })).toMatchObject({ kind: 'invalid' })
    expect(facts.unwrap).toBeUndefined()
    expect(facts.description).toContain('damaged')
  })
})
