import type { JsonObject } from '@countersign/contract'
import { beforeAll, describe, expect, it } from 'vitest'
import { computed } from '../../../../tests/harness/src/growth.ts'
import { longestText, mostItems } from './bounds.ts'
import { utilityTools } from './index.ts'
import { examples } from './testing/examples.ts'
import { worstCases } from './testing/worst-cases.ts'
import { type Trial, tryTool } from './trial.ts'

/** How many times the work of a plain pass over as many items the largest input may take. */
const mostPasses = 500

const use = async (name: string, args: JsonObject): Promise<Trial> => {
  const tool = utilityTools.find((each) => each.name === name)
  if (!tool) throw new Error(`There is no ${name}.`)
  return tryTool(tool, args)
}

const list = <Item>(make: (index: number) => Item) =>
  Array.from({ length: mostItems }, (_, index) => make(index))

describe('the largest inputs', () => {
  let pass = 0

  beforeAll(async () => {
    for (const { tool, args } of examples) await use(tool, args)
    const items = list((index) => `item ${(index * 7919) % mostItems}`)
    pass = await computed(() => use('deduplicate', { items, ignoreCase: true }))
  })

  for (const [tool, args] of worstCases) {
    it(`end in time: ${tool} of ${JSON.stringify(args).slice(0, 60)}`, async () => {
      const trial = await use(tool, args)
      expect(trial.kind, trial.text).not.toBe('invalid')
      expect(trial.computed).toBeLessThan(pass * mostPasses)
    })
  }

  it('are all there is: more is refused', async () => {
    const longer = 'a'.repeat(longestText + 1)
    for (const tool of ['count_text', 'remove_diacritics', 'extract_urls', 'extract_emails', 'hash_text'])
      expect([tool, (await use(tool, { text: longer })).kind]).toEqual([tool, 'invalid'])
    const more = [...list(() => 1), 1]
    expect((await use('statistics', { numbers: more })).kind).toBe('invalid')
    expect((await use('sort_list', { items: more })).kind).toBe('invalid')
    expect((await use('sort_list', { items: [longer] })).kind).toBe('invalid')
    expect((await use('array_operations', { array: more, operation: 'sort' })).kind).toBe('invalid')
    expect((await use('array_operations', { array: [{ a: longer }], operation: 'sort' })).kind).toBe(
      'invalid',
    )
    expect((await use('calculate', { expression: '1+'.repeat(500).concat('1') })).kind).toBe('invalid')
    expect((await use('regex', { pattern: 'a'.repeat(301), text: '' })).kind).toBe('invalid')
  })
})
