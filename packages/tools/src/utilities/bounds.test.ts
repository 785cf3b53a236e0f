import type { JsonObject } from '@countersign/contract'
import { beforeAll, describe, expect, it } from 'vitest'
import { longestText, mostItems } from './bounds.ts'
import { examples } from './examples.ts'
import { utilityTools } from './index.ts'
import { type Trial, tryTool } from './trial.ts'
import { worstCases } from './worst-cases.ts'

/** An answer takes less than 200 ms of work; a machine that is busy with other things is forgiven a factor. */
const mostMs = 600

const use = async (name: string, args: JsonObject): Promise<Trial> => {
  const tool = utilityTools.find((each) => each.name === name)
  if (!tool) throw new Error(`There is no ${name}.`)
  return tryTool(tool, args)
}

const list = <Item>(make: (index: number) => Item) =>
  Array.from({ length: mostItems }, (_, index) => make(index))

describe('the largest inputs', () => {
  beforeAll(async () => {
    for (const { tool, args } of examples) await use(tool, args)
  })

  for (const [tool, args] of worstCases) {
    it(`end in time: ${tool} of ${JSON.stringify(args).slice(0, 60)}`, async () => {
      const trial = await use(tool, args)
      expect(trial.kind, trial.text).not.toBe('invalid')
      expect(trial.milliseconds).toBeLessThan(mostMs)
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
