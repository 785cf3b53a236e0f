import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createCatalogue } from '../catalogue.ts'
import { utilityTools } from './index.ts'
import { examples } from './testing/examples.ts'
import { answerOf, tryTool } from './trial.ts'

const find = (name: string) => {
  const tool = utilityTools.find((each) => each.name === name)
  if (!tool) throw new Error(`There is no ${name}.`)
  return tool
}

describe('the utilities', () => {
  for (const { tool, args, check } of examples) {
    it(`answer ${tool} of ${JSON.stringify(args)}`, async () => {
      const answer = await answerOf(find(tool), args)
      if (typeof check === 'function') expect(check(answer), JSON.stringify(answer)).toBe(true)
      else expect(answer).toEqual(check)
    })
  }

  it('all have an example', () => {
    const tried = new Set(examples.map(({ tool }) => tool))
    expect(utilityTools.filter(({ name }) => !tried.has(name)).map(({ name }) => name)).toEqual([])
  })

  it('are those that are promised, with the parameters that are promised', () => {
    const catalogue = createCatalogue(utilityTools)
    for (const [name, required] of Object.entries(promised)) {
      expect([name, catalogue.find(name)?.schema.required ?? []]).toEqual([name, required])
    }
    expect(new Set(utilityTools.map(({ group }) => group))).toEqual(
      new Set([
        'core',
        'textUtils',
        'dateTime',
        'conversion',
        'generation',
        'extraction',
        'validation',
        'listOps',
        'mathStats',
      ]),
    )
  })

  it('touch nothing, save the one that looks at the machine', async () => {
    for (const tool of utilityTools) {
      if (tool.runs !== 'executor') throw new Error(`${tool.name} runs elsewhere`)
      const found = await tool.effects({}, {} as never)
      const looks =
        tool.name === 'system_info' ? [expect.objectContaining({ verb: 'read', scope: 'inside' })] : []
      expect([tool.name, found]).toEqual([tool.name, { kind: 'found', resources: [], effects: looks }])
      expect([tool.effect, tool.floor, tool.sandbox, tool.egress]).toEqual(['pure', 0, 'none', 'none'])
    }
  })

  it('refuse an argument that they do not know', async () => {
    for (const { tool, args } of examples)
      expect((await tryTool(find(tool), { ...args, surplus: 1 })).text).toContain('surplus')
  })

  it('load no heavy library before it is needed', () => {
    for (const { name } of utilityTools) {
      const source = readFileSync(new URL(`./${name.replaceAll('_', '-')}.ts`, import.meta.url), 'utf8')
      expect(source).not.toMatch(
        /^import \{.*from '(?:mathjs|re2js|convert|diff|csv-parse|libphonenumber-js)/m,
      )
    }
  })

  it('end with an answer or a reason for any text at all', async () => {
    const texts = examples.filter(({ args }) =>
      Object.values(args).some((value) => typeof value === 'string'),
    )
    const hostile = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 50 }),
      fc.constantFrom(
        '__proto__',
        'constructor',
        'toString',
        '\u0000',
        '%',
        '$&',
        '{{',
        '('.repeat(400),
        '9'.repeat(400),
      ),
    )
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...texts), hostile, fc.nat(10), async ({ tool, args }, given, at) => {
        const names = Object.keys(args).filter((name) => typeof args[name] === 'string')
        const name = names[at % names.length] ?? ''
        const trial = await tryTool(find(tool), { ...args, [name]: given })
        expect(trial.text.isWellFormed()).toBe(true)
      }),
      { numRuns: 400 },
    )
  })
})

const promised = {
  get_current_datetime: [],
  get_current_time: [],
  date_diff: ['date1', 'date2'],
  date_add: ['date', 'amount', 'unit'],
  calculate: ['expression'],
  statistics: ['numbers'],
  convert_units: ['value', 'from', 'to'],
  generate_uuid: [],
  generate_password: [],
  random_number: ['min', 'max'],
  hash_text: ['text'],
  encode_decode: ['text', 'operation'],
  count_text: ['text'],
  extract_from_text: ['text', 'pattern'],
  transform_text: ['text', 'operation'],
  compare_text: ['text1', 'text2'],
  regex: ['pattern', 'text'],
  format_json: ['json'],
  parse_csv: ['csv'],
  generate_csv: ['data'],
  array_operations: ['array', 'operation'],
  validate: ['value', 'type'],
  system_info: [],
}
