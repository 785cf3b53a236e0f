import type { ToolFacts } from '@countersign/contract'
import { describe, expect, it } from 'vitest'
import { catalogue, madeOf } from '../testing/test-kernel.ts'
import { originLabels, proposalRows } from './record-proposals.ts'

const place = () => {
  let made = 0
  const uuid = () => {
    made += 1
    return `00000000-0000-7000-8000-00000000000${made}`
  }
  return { uuid, first: 3 }
}
const call = (tool: string, args = '{}') => ({ modelId: 'm1', tool, args })

describe('a proposed call', () => {
  it('has an id and a place of its own, and what it was written as', () => {
    const rows = proposalRows([call('look', '{ "at": "a" }'), call('send')], catalogue, place())
    expect(rows).toMatchObject([
      { position: 3, tool: 'look', args: '{"at":"a"}', rawArgs: '{ "at": "a" }', modelId: 'm1' },
      { position: 4, tool: 'send', state: 'proposed', parent: null, requester: null, invalid: null },
    ])
    expect(new Set(rows.map(({ id }) => id)).size).toBe(2)
    for (const { id } of rows) expect(id).toMatch(/^call_/)
  })

  it('is written without what the database cannot hold', () => {
    const [row] = proposalRows([{ modelId: 'm\0', tool: 'no\0', args: '\0' }], catalogue, place())
    expect(row).toMatchObject({
      modelId: 'm\uFFFD',
      modelTool: 'no\uFFFD',
      rawArgs: '\uFFFD',
      tool: 'no\uFFFD',
    })
    expect(row?.invalid).not.toContain('\0')
  })

  it.each([
    [{ ...call('look'), problem: 'cut off' }, 'cut off'],
    [call('nothing'), 'There is no tool named nothing.'],
    [call('look', '{'), expect.any(String)],
  ])('that cannot be looked at has ended: %j', (bad, invalid) => {
    const [row] = proposalRows([bad], catalogue, place())
    expect(row).toMatchObject({ state: 'ended', args: '', invalid, origin: null, requester: null })
  })

  it('of several waits for them, and they know it', () => {
    const operations = [
      { tool: 'look', args: {} },
      { tool: 'none', args: {} },
    ]
    const rows = proposalRows([call('batch', JSON.stringify({ operations }))], catalogue, place())
    expect(rows).toMatchObject([
      { tool: 'batch', args: '', state: 'waiting', parent: null, position: 3 },
      { tool: 'look', state: 'proposed', parent: rows[0]?.id, modelId: 'm1', position: 4 },
      { tool: 'none', state: 'ended', parent: rows[0]?.id, position: 5 },
    ])
  })

  it('of a made tool brings the label of what it was made from', () => {
    const rows = proposalRows([call('made'), call('look')], catalogue, place())
    expect(originLabels(rows)).toEqual([madeOf])
  })
})

describe('who a made tool is authorized for', () => {
  const peer = { kind: 'peer' as const, id: 'ana' }
  const made = { ...(catalogue.find('made') as ToolFacts), origin: { label: madeOf, creator: peer } }
  const theirs = { ...catalogue, find: (name: string) => (name === 'made' ? made : catalogue.find(name)) }

  it('is its maker, and nobody else when the operator made it', () => {
    expect(proposalRows([call('made')], theirs, place())[0]).toMatchObject({ requester: peer })
    expect(proposalRows([call('made')], catalogue, place())[0]).toMatchObject({ requester: null })
  })

  it('is whom the call around it is authorized for, if there is one', () => {
    const webhook = { kind: 'webhook' as const, id: 'hook' }
    const parent = { id: 'call_9', requester: webhook } as never
    const [row] = proposalRows([call('made')], theirs, { ...place(), parent })
    expect(row).toMatchObject({ parent: 'call_9', requester: webhook })
    const operations = [{ tool: 'made', args: {} }]
    const rows = proposalRows([call('batch', JSON.stringify({ operations }))], theirs, { ...place(), parent })
    expect(rows).toMatchObject([
      { parent: 'call_9', requester: webhook, origin: null, invalid: null },
      { parent: rows[0]?.id, requester: webhook },
    ])
    const broken = proposalRows([call('nothing')], theirs, { ...place(), parent })
    expect(broken).toMatchObject([{ requester: webhook, headline: 'nothing' }])
  })
})
