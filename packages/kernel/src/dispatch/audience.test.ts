import { idFrom, type NodeResource, nodeArgument, type Resource, type ToolFacts } from '@countersign/contract'
import { describe, expect, it } from 'vitest'
import { madeFile } from '../testing/made-resources.ts'
import { catalogue } from '../testing/test-kernel.ts'
import { audienceOf } from './audience.ts'
import type { Executors } from './dispatch-ports.ts'

const uuid = (digit: number) => `00000000-0000-7000-8000-00000000000${digit}`
const hash = (letter: string) => letter.repeat(64)
const own = { executor: idFrom('exe', uuid(1)), key: hash('a') }
const records = { executor: idFrom('exe', uuid(2)), key: hash('b') }
const executors = { executor: { identity: own }, gateway: { identity: records } } as unknown as Executors
const look = catalogue.find('look') as ToolFacts
const desk: NodeResource = {
  type: 'node',
  node: idFrom('node', uuid(3)),
  executor: idFrom('exe', uuid(4)),
  key: hash('c'),
  name: 'desk',
  capability: 'files',
  op: 'read',
  object: 'notes.txt',
  content: hash('d'),
}
const laptop = { ...desk, node: idFrom('node', uuid(5)), executor: idFrom('exe', uuid(6)), name: 'laptop' }

const of = (
  runs: ToolFacts['runs'],
  resources: readonly Resource[],
  named = 'desk',
  secrets: string[] = [],
) =>
  audienceOf(
    { tool: { ...look, runs }, value: { [nodeArgument]: named } },
    { resources: [...resources], secrets },
    executors,
  )

describe('the audience of a permit', () => {
  it('is the executor of the node that looked, for a tool of nodes', () => {
    const audience = { executor: desk.executor, key: desk.key }
    expect(of('node', [desk])).toEqual({ kind: 'known', audience })
    expect(of('node', [desk, { ...desk, object: 'more.txt' }])).toEqual({ kind: 'known', audience })
  })

  it('is never a node that the call does not name', () => {
    expect(of('node', [laptop])).toMatchObject({ kind: 'refused' })
    expect(of('node', [desk], '')).toMatchObject({ kind: 'refused' })
  })

  it('is nobody where not everything is on one node', () => {
    for (const other of [
      laptop,
      { ...desk, key: hash('e') },
      { ...desk, executor: laptop.executor },
      { ...desk, node: laptop.node },
      madeFile('notes.txt', 'read'),
    ])
      expect(of('node', [desk, other])).toMatchObject({ kind: 'refused' })
    expect(of('node', [])).toMatchObject({ kind: 'refused' })
  })

  it('is no executor of the gateway by the word of a node, and no secret goes along', () => {
    expect(of('node', [{ ...desk, ...own }])).toMatchObject({ kind: 'refused' })
    expect(of('node', [{ ...desk, ...records }])).toMatchObject({ kind: 'refused' })
    expect(of('node', [desk], 'desk', ['key'])).toMatchObject({ kind: 'refused' })
  })

  it('is an executor of the gateway for every other tool, which touches no node', () => {
    expect(of('executor', [])).toEqual({ kind: 'known', audience: own })
    expect(of('gateway', [])).toEqual({ kind: 'known', audience: records })
    expect(of('executor', [desk])).toMatchObject({ kind: 'refused' })
    expect(of('gateway', [desk])).toMatchObject({ kind: 'refused' })
  })
})
