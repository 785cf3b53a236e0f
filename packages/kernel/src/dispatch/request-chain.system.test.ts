import { randomUUIDv7 } from 'node:crypto'
import { type Chain, idFrom, type RunId } from '@countersign/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type DispatchBench, openDispatchBench } from '../testing/dispatch-bench.ts'
import type { ChainNames } from './chain-names.ts'
import { chainsOf } from './request-chain.ts'

let bench: DispatchBench
beforeAll(async () => {
  bench = await openDispatchBench()
})
afterAll(() => bench.close())
beforeEach(() => bench.clear())

const words = (chain: Chain) => chain.map(({ kind, id }) => `${kind} ${id}`)

describe('the chain of a call', () => {
  test('leads from whoever asked through the runs that began this one, the first of them first', async () => {
    const [first, second, last] = ['a', 'b', 'c'].map(() => idFrom('run', randomUUIDv7()))
    await bench.run({ id: first as RunId, agent: 'a', goal: 'g' })
    await bench.run({ id: second as RunId, agent: 'b', parent: first as RunId })
    const held = await bench.run({ id: last as RunId, agent: 'c', parent: second as RunId })
    await bench.run({ agent: 'other', parent: second as RunId })
    const row = await bench.call(held, { tool: 'send' })
    const chainOf = await chainsOf(bench.caller(held), [row], bench.ports)
    expect(words(chainOf(row))).toEqual([
      'operator desk',
      'goal g',
      'agent a',
      'agent b',
      'agent c',
      `run ${held.id}`,
      'tool send',
    ])
    expect(chainOf(row).at(-1)).toEqual({ kind: 'tool', id: 'send', name: 'send' })
  })

  test('looks at no more than 64 runs before this one', async () => {
    const ids = Array.from({ length: 70 }, () => idFrom('run', randomUUIDv7()))
    for (const [index, id] of ids.entries())
      await bench.run({ id, agent: `a${index}`, parent: ids[index - 1] ?? null })
    const held = await bench.run({ agent: 'last', parent: ids.at(-1) as RunId })
    const row = await bench.call(held)
    const chainOf = await chainsOf(bench.caller(held), [row], bench.ports)
    const agents = chainOf(row).filter(({ kind }) => kind === 'agent')
    expect(agents).toHaveLength(65)
    expect(agents[0]?.id).toBe('a6')
  })

  test('names what stands around the call in its own turn', async () => {
    const held = await bench.run()
    const batch = await bench.call(held, { tool: 'batch', args: '', state: 'waiting' })
    const inner = await bench.call(held, { parent_id: batch.id })
    const alone = await bench.call(held)
    const later = await bench.call(held, { tool: 'later', args: '', turn: 2 })
    const innerLater = await bench.call(held, { parent_id: later.id, turn: 2 })
    const chainOf = await chainsOf(bench.caller(held), [inner, alone, innerLater], bench.ports)
    const ends = [inner, alone, innerLater].map((row) => words(chainOf(row)).slice(2))
    expect(ends).toEqual([
      [`run ${held.id}`, 'batch batch', 'tool look'],
      [`run ${held.id}`, 'tool look'],
      [`run ${held.id}`, 'batch later', 'tool look'],
    ])
  })

  test('keeps the line that was looked up before', async () => {
    const held = await bench.run()
    const row = await bench.call(held)
    const caller = bench.caller(held, { line: [{ kind: 'operator', id: 'desk', name: 'desk' }] })
    const chainOf = await chainsOf(caller, [row], bench.ports)
    expect(words(chainOf(row))).toEqual(['operator desk', 'tool look'])
  })
})

describe('the names in a chain', () => {
  const named = async (chainNames?: ChainNames) => {
    const held = await bench.run({ schedule: 'sch_1' })
    const row = await bench.call(held)
    const chainOf = await chainsOf(bench.caller(held), [row], { ...bench.ports, chainNames })
    return { held, chain: chainOf(row) }
  }

  test('are those that people know, without characters that deceive; the id stays', async () => {
    const asked: string[] = []
    const { held, chain } = await named((operator, links) => {
      asked.push(operator)
      return Promise.resolve(links.map((link) => ({ ...link, name: `the \u202e${link.kind}` })))
    })
    expect(asked).toEqual([bench.operator])
    expect(chain.map(({ kind }) => kind)).toEqual(['operator', 'trigger', 'agent', 'run', 'tool'])
    expect(chain[1]?.id).toBe(held.input)
    expect(chain[1]?.name).toMatch(/trigger$/)
    expect(chain[1]?.name).not.toContain('\u202e')
  })

  test('leave out a trigger that nobody can name, and nothing else', async () => {
    const { chain } = await named()
    expect(chain.map(({ kind }) => kind)).toEqual(['operator', 'agent', 'run', 'tool'])
  })

  test('are looked up once for a run', async () => {
    let asked = 0
    const chainNames: ChainNames = (_operator, links) => {
      asked += 1
      return Promise.resolve(links)
    }
    const held = await bench.run()
    const caller = bench.caller(held)
    const row = await bench.call(held)
    await chainsOf(caller, [row], { ...bench.ports, chainNames })
    await chainsOf(caller, [row], { ...bench.ports, chainNames })
    expect(asked).toBe(1)
  })
})
