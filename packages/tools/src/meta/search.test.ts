import { describe, expect, it } from 'vitest'
import { growthOf, mostGrowth } from '../../../../tests/harness/src/growth.ts'
import { createCatalogue } from '../catalogue.ts'
import { builtinTools } from '../index.ts'
import { createRecordToolRunner } from '../testing/record-tool-runner.ts'
import { findTools as search } from './search.ts'
import { searchTools } from './search-tools.ts'

const catalogue = createCatalogue(builtinTools)
const tools = catalogue.list()
const namesFor = (query: string, category?: string) =>
  search(tools, { query, ...(category === undefined ? {} : { category }) }).map(({ name }) => name)

describe('a search', () => {
  it('finds what has all the words, wherever they stand', () => {
    expect(namesFor('git branch')[0]).toBe('git_branch')
    expect(namesFor('bookmark delete')[0]).toBe('delete_bookmark')
    expect(namesFor('todo postpone')[0]).toBe('update_task')
    expect(namesFor('add_task')[0]).toBe('add_task')
  })

  it('puts what has all the words before what has only some, and fills up to five', () => {
    const found = search(tools, { query: 'delete note' })
    const all = found.map((tool) => /note/.test(`${tool.name} ${tool.description} ${tool.tags.join(' ')}`))
    expect(all[0]).toBe(true)
    expect(all.lastIndexOf(true)).toBeLessThan(all.includes(false) ? all.indexOf(false) : all.length)
    expect(found).toHaveLength(5)
  })

  it('ranks by some of the words when no tool has all', () => {
    expect(namesFor('please postpone the zebra appointment with Xaver')[0]).toMatch(/calendar|update_task/)
    expect(namesFor('xyzzy')).toEqual([])
  })

  it('takes a word in any form and a word that is only begun', () => {
    expect(namesFor('converting temperatures')[0]).toBe('convert_temperature')
    expect(namesFor('colours')[0]).toBe('convert_color')
    expect(namesFor('calendr')).toEqual([])
    expect(namesFor('calend').length).toBeGreaterThan(2)
  })

  it('does not take an empty word for one that it resembles', () => {
    expect(namesFor('do not')).not.toContain('add_note')
    expect(namesFor('do note')).toContain('add_note')
  })

  it('sees in an address, a share or a sum what is meant', () => {
    expect(namesFor('https://example.org/a')).toContain('add_bookmark')
    expect(namesFor('what is 12% of 80')).toContain('calculate_percentage')
    expect(namesFor('3 * (4 + 5)')).toContain('calculate')
    expect(namesFor('3d6')).toContain('roll_dice')
  })

  it('lists everything for "all", and only then', () => {
    expect(namesFor('all')).toEqual(tools.map(({ name }) => name))
    expect(namesFor(' ALL ').length).toBe(tools.length)
    expect(namesFor('all tasks').length).toBeLessThanOrEqual(10)
  })

  it('keeps to a category or a group, whatever its case', () => {
    expect(namesFor('all', 'git').every((name) => name.startsWith('git_'))).toBe(true)
    expect(namesFor('add', 'Notes')).toEqual(expect.arrayContaining(['add_note', 'batch_add_notes']))
    expect(namesFor('date', 'dateTime')).toContain('date_diff')
    expect(namesFor('all', 'nothing of the kind')).toEqual([])
  })

  it('never finds a hidden tool', () => {
    expect(namesFor('restore undo revert')).not.toContain('restore_file')
    expect(namesFor('all')).not.toContain('restore_records')
  })

  it('gives the same again, and other tools their own answer', () => {
    expect(namesFor('save this link for later')).toEqual(namesFor('save this link for later'))
    const few = tools.filter(({ category }) => category === 'git')
    expect(search(few, { query: 'save this link for later' }).map(({ name }) => name)).toEqual(['git_commit'])
  })

  it('takes work in proportion to the tools, and reads them once for many searches', async () => {
    const manyOf = (count: number) =>
      Array.from({ length: count }, (_, position) => {
        const tool = tools[position % tools.length]
        if (!tool) throw new Error('there are no tools')
        return { ...tool, name: `${tool.name}_${position}` }
      })
    const queries = ['remind me to buy milk tomorrow', 'zz '.repeat(160), 'what is 15% of 240', 'all', 'calc']
    const growth = await growthOf(200, manyOf, (many) => {
      for (const query of queries) search(many, { query })
    })
    expect(growth).toBeLessThan(mostGrowth)
    let read = 0
    const watched = manyOf(200).map(
      (tool) =>
        new Proxy(tool, {
          get: (of, name) => ((read += Number(name === 'description')), Reflect.get(of, name)),
        }),
    )
    for (const query of queries) search(watched, { query })
    expect(read).toBe(200)
  })
})

describe('search_tools', () => {
  const context = createRecordToolRunner({ catalogue })
  const told = async (args: Parameters<typeof context.use>[1]) =>
    (await context.use(searchTools, args)).result.text

  it('tells names and descriptions, and the schemas when asked', async () => {
    expect(await told({ query: 'roll dice' })).toBe('roll_dice: Roll dice given as 2d6 or 1d20+3.')
    const [line = ''] = (await told({ query: 'roll dice', include_params: true })).split('\n')
    expect(JSON.parse(line.slice(line.indexOf('{')))).toMatchObject({
      type: 'object',
      additionalProperties: false,
    })
  })

  it('lists everything with one sentence each', async () => {
    const lines = (await told({ query: 'all' })).split('\n')
    expect(lines.length).toBe(tools.length)
    expect(lines).toContain('write_file: Write a text file in the workspace, replacing it if it exists.')
  })

  it('names the categories when nothing fits', async () => {
    expect(await told({ query: 'xyzzy' })).toMatch(/^Nothing fits\. Categories: agents, audio, bookmarks, /)
  })
})
