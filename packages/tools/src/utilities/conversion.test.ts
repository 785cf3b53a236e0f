import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { convertColor } from './convert-color.ts'
import { convertNumberBase } from './convert-number-base.ts'
import { convertTemperature } from './convert-temperature.ts'
import { convertUnits } from './convert-units.ts'
import { formatJson } from './format-json.ts'
import { generateCsv } from './generate-csv.ts'
import { parseCsv } from './parse-csv.ts'
import { answerOf, tryTool } from './trial.ts'

describe('CSV', () => {
  const delimiters = fc.constantFrom(',', ';', '\t', '|')

  it('is read as it was written', async () => {
    const cell = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 8 }),
      fc.constantFrom('', '"', ',', '\n', '\r', ' a ', '\ufeff', ';'),
    )
    const tables = fc
      .integer({ min: 1, max: 4 })
      .chain((width) =>
        fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 6 }),
      )
    await fc.assert(
      fc.asyncProperty(tables, delimiters, async (data, delimiter) => {
        const { text: csv } = await tryTool(generateCsv, { data, delimiter })
        expect((await tryTool(parseCsv, { csv, header: false, delimiter })).value).toEqual(data)
      }),
      { numRuns: 300 },
    )
  })

  it('is refused with a quote that does not end', async () => {
    expect((await tryTool(parseCsv, { csv: 'a,"b' })).text).toContain('not valid')
    expect((await tryTool(parseCsv, { csv: 'a,"b"c' })).text).toContain('beside')
    expect((await tryTool(parseCsv, { csv: 'a,"b"' })).kind).toBe('answer')
  })

  it('keeps a column that is named like a part of the language', async () => {
    const { text } = await tryTool(parseCsv, { csv: '__proto__,constructor\n1,2' })
    expect(text).toBe('[{"__proto__":"1","constructor":"2"}]')
  })

  it('is read as another reader reads it, for rows of any length and every line end', async () => {
    const pieces = fc.array(
      fc.constantFrom('a', 'b c', '', '""', '"x,y"', '"q""q"', ',', '\n', '\r\n', '\r'),
      { maxLength: 30 },
    )
    await fc.assert(
      fc.asyncProperty(pieces, async (parts) => {
        // A delimiter or a line end between any two cells, so that both readers take it for CSV.
        const isCell = (part: string | undefined) => part !== undefined && !/^[,\r\n]+$/.test(part)
        const csv = parts
          .map((part, index) => (isCell(part) && isCell(parts[index - 1]) ? `,${part}` : part))
          .join('')
        const expected: string[][] = parse(csv, {
          record_delimiter: ['\r\n', '\n', '\r'],
          relax_column_count: true,
          skip_empty_lines: true,
        })
        expect((await tryTool(parseCsv, { csv, header: false })).value, JSON.stringify(csv)).toEqual(expected)
      }),
      { numRuns: 500 },
    )
  })

  it('is not written from rows of two kinds', async () => {
    expect((await tryTool(generateCsv, { data: [{ a: 1 }, [2]] })).kind).toBe('refused')
    expect((await tryTool(generateCsv, { data: [1] })).kind).toBe('invalid')
  })
})

describe('units', () => {
  it('are refused when they measure different things or nothing', async () => {
    for (const [from, to] of [
      ['meters', 'pounds'],
      ['km/h', 'kilometers'],
      ['m', 'hours'],
      ['parsnip', 'meters'],
      ['meters', 'constructor'],
      ['__proto__', '__proto__'],
      ['mb', 'bytes'],
    ] as const)
      expect([from, (await tryTool(convertUnits, { value: 1, from, to })).kind]).toEqual([from, 'refused'])
    expect((await tryTool(convertUnits, { value: 1, from: 'MB', to: 'bytes' })).value).toMatchObject({
      result: 1e6,
    })
  })

  it('have no temperature below absolute zero', async () => {
    const below = { value: -273.16, from: 'celsius', to: 'kelvin' }
    expect((await tryTool(convertTemperature, below)).kind).toBe('refused')
    expect(await answerOf(convertTemperature, { ...below, value: -273.15 })).toMatchObject({ result: 0 })
    expect((await tryTool(convertUnits, { value: -460, from: '°F', to: 'C' })).kind).toBe('refused')
  })

  it('refuse a result that no number can hold', async () => {
    expect((await tryTool(convertUnits, { value: 1e308, from: 'km', to: 'mm' })).kind).toBe('refused')
  })
})

describe('number bases', () => {
  it('lead back to the number, however long', async () => {
    const bases = fc.integer({ min: 2, max: 36 })
    await fc.assert(
      fc.asyncProperty(fc.bigInt({ min: -(2n ** 200n), max: 2n ** 200n }), bases, async (number, to) => {
        const { text: value } = await tryTool(convertNumberBase, { value: String(number), to })
        expect((await tryTool(convertNumberBase, { value, from: to, to: 10 })).text).toBe(String(number))
      }),
    )
  })

  it('refuse a digit that the base has not', async () => {
    expect((await tryTool(convertNumberBase, { value: '102', from: 2, to: 10 })).text).toContain(
      '2 is not a digit',
    )
    expect((await tryTool(convertNumberBase, { value: '0b101', from: 2, to: 10 })).text).toBe('5')
    expect((await tryTool(convertNumberBase, { value: '0x10', from: 10, to: 2 })).kind).toBe('refused')
    expect((await tryTool(convertNumberBase, { value: '1.5', to: 2 })).kind).toBe('refused')
  })
})

describe('colours', () => {
  it('are the same colour in each form', async () => {
    const part = fc.integer({ min: 0, max: 255 })
    await fc.assert(
      fc.asyncProperty(part, part, part, async (red, green, blue) => {
        const color = `rgb(${red}, ${green}, ${blue})`
        const { hex } = (await answerOf(convertColor, { color })) as { hex: string }
        expect(await answerOf(convertColor, { color: hex })).toMatchObject({ rgb: color })
      }),
    )
  })

  it('are refused beyond their range', async () => {
    for (const color of ['rgb(256, 0, 0)', 'hsl(361, 0%, 0%)', '#12345', 'red-ish'])
      expect([color, (await tryTool(convertColor, { color })).kind]).toEqual([color, 'refused'])
  })
})

describe('format_json', () => {
  it('says where the JSON is wrong, and refuses what would change on the way', async () => {
    expect((await tryTool(formatJson, { json: '{"a":}' })).text).toContain('character 6')
    expect((await tryTool(formatJson, { json: '{"a":1,"a":2}' })).text).toContain('duplicate key')
    expect((await tryTool(formatJson, { json: '12345678901234567890' })).text).toContain('unsafe integer')
  })

  it('keeps every value', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.json({ noUnicodeString: false }),
        fc.integer({ min: 0, max: 4 }),
        async (json, indent) => {
          const told = await tryTool(formatJson, { json, indent, sortKeys: true })
          if (told.kind === 'answer') expect(told.value).toEqual(JSON.parse(json))
        },
      ),
    )
  })
})
