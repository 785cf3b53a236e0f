import type { JsonObject, LanguageTask } from '@countersign/contract'
import { describe, expect, it } from 'vitest'
import { createRecordToolRunner } from '../testing/record-tool-runner.ts'
import { languageTools } from './index.ts'
import { piecesOf } from './pieces.ts'

/** A runner whose model answers by a function of the task. */
function runner(answers: (task: LanguageTask) => JsonObject) {
  const asked: LanguageTask[] = []
  const test = createRecordToolRunner()
  test.workOut = (task) => {
    asked.push(task)
    return Promise.resolve({ kind: 'answer', value: answers(task) })
  }
  const use = async (name: string, args: JsonObject) => {
    const tool = languageTools.find((one) => one.name === name)
    if (!tool) throw new Error(`There is no ${name}.`)
    return (await test.use(tool, args)).result
  }
  return { test, asked, use }
}

describe('a translation', () => {
  it('is asked for by the name of the language, with the text as it is', async () => {
    const { use, asked } = runner(() => ({ translation: 'The train comes at nine.' }))
    const result = await use('translate_text', { text: '  Der Zug kommt um neun.\n', targetLanguage: 'en' })
    expect(result).toMatchObject({ ok: true, text: '  The train comes at nine.\n', undo: null })
    expect(asked).toHaveLength(1)
    expect(asked[0]?.instruction).toContain('into English')
    expect(asked[0]?.text).toBe('Der Zug kommt um neun.')
  })

  it('of a long text keeps its pieces in order and what is between them', async () => {
    const { use, asked } = runner(({ text }) => ({ translation: text.toUpperCase() }))
    const text = Array.from({ length: 900 }, (_, line) => `line ${line} of a long letter`).join('\n\n')
    const { text: told } = await use('translate_text', { text, targetLanguage: 'de' })
    expect(asked.length).toBeGreaterThan(2)
    expect(told).toBe(text.toUpperCase())
  })

  it('of spaces alone asks nobody, and keeps them to the letter', async () => {
    const { use, asked } = runner(({ text }) => ({ translation: text.toUpperCase() }))
    const text = `${' \t\n\u00a0'.repeat(2_500)}a  b\n`
    expect((await use('translate_text', { text, targetLanguage: 'de' })).text).toBe(text.toUpperCase())
    expect(asked.map((task) => task.text)).toEqual(['a  b'])
  })

  it('into a language that nobody knows is refused before a model is asked', async () => {
    const { use, asked } = runner(() => ({ translation: '' }))
    await expect(use('translate_text', { text: 'a', targetLanguage: 'Klingonisch' })).rejects.toThrow(
      'list_languages',
    )
    expect(asked).toEqual([])
  })

  it('of several texts must give as many', async () => {
    const given = runner(({ text }) => ({ translations: JSON.parse(text).map((one: string) => `${one}!`) }))
    const long = 'x'.repeat(5_000)
    const args = { texts: ['Suppe', long, long, 'Brot'], targetLanguage: 'English' }
    const { text } = await given.use('batch_translate', args)
    expect(JSON.parse(text).map(({ translation }: { translation: string }) => translation)).toEqual(
      args.texts.map((one) => `${one}!`),
    )
    expect(given.asked.length).toBe(2)
    const { use } = runner(() => ({ translations: ['one'] }))
    expect(await use('batch_translate', { texts: ['a', 'b'], targetLanguage: 'en' })).toMatchObject({
      ok: false,
    })
  })

  it('names the language of a text, and only one that there is', async () => {
    expect(
      await runner(() => ({ code: 'de', sure: true })).use('detect_language', { text: 'Zug' }),
    ).toMatchObject({ ok: true, text: '{"code":"de","name":"German","sure":true}' })
    expect(
      await runner(() => ({ code: 'xx', sure: true })).use('detect_language', { text: 'Zug' }),
    ).toMatchObject({ ok: false })
  })
})

describe('data from a text', () => {
  const schema = {
    type: 'object',
    properties: { tickets: { type: 'integer' }, to: { type: 'string' } },
    required: ['to'],
  }

  it('fits the form that was asked for', async () => {
    const { use, asked } = runner(() => ({ tickets: 2, to: 'Graz' }))
    const result = await use('extract_structured_data', { text: 'Two tickets to Graz', schema })
    expect(result).toMatchObject({ ok: true, text: '{"tickets":2,"to":"Graz"}' })
    expect(asked[0]?.form).toMatchObject({ properties: schema.properties, additionalProperties: false })
  })

  it('is asked for once more where it does not fit, and then refused', async () => {
    const { use, asked } = runner(() => ({ tickets: 'two', to: 'Graz', more: 1 }))
    const result = await use('extract_structured_data', { text: 'Two tickets to Graz', schema })
    expect(result.ok).toBe(false)
    expect(result.text).toContain('form')
    expect(asked).toHaveLength(2)
  })

  it('is not asked for in a form that could not be checked in time', async () => {
    const { use, asked } = runner(() => ({}))
    await expect(
      use('extract_structured_data', { text: 'a', schema: { $ref: '#/x', type: 'object' } }),
    ).rejects.toThrow('The schema cannot be used')
    expect(asked).toEqual([])
  })

  it('has only names that stand in the text', async () => {
    const { use } = runner(() => ({
      entities: [
        { type: 'person', text: 'Anna' },
        { type: 'person', text: 'Zoe' },
        { type: 'place', text: 'Graz' },
      ],
    }))
    const { text } = await use('extract_entities', { text: 'Anna and Anna in Graz', types: ['person'] })
    expect(JSON.parse(text)).toEqual([{ type: 'person', text: 'Anna', count: 2 }])
  })

  it('names each once with its count over all pieces, and not more than are of use', async () => {
    const names = Array.from({ length: 900 }, (_, at) => `Name${at}.`)
    const { use, asked } = runner(({ text }) => ({
      entities: text.split(/\s+/).flatMap((name) => (name === '' ? [] : [{ type: 'person', text: name }])),
    }))
    const text = names.map((name) => `${name} ${' '.repeat(20)}\n`).join('')
    const few = text.slice(0, text.indexOf('Name300.'))
    const counted = await use('extract_entities', { text: few + few })
    expect(JSON.parse(counted.text)).toHaveLength(300)
    expect(JSON.parse(counted.text)[299]).toEqual({ type: 'person', text: 'Name299.', count: 2 })
    const cut = await use('extract_entities', { text })
    expect(asked.length).toBeGreaterThan(4)
    expect(cut.summary).toBe('Found more than 500 names')
    expect(cut.text.match(/"count":1/g)).toHaveLength(500)
    expect(cut.text).toContain('[There are more names than 500.')
  })

  it('as a table has a cell for each column', async () => {
    const even = { columns: ['name', 'age'], rows: [['Anna', '42']] }
    const args = { text: 'Anna 42', columns: ['name', 'age'] }
    expect(JSON.parse((await runner(() => even).use('extract_table_data', args)).text)).toEqual(even)
    const uneven = { columns: ['name', 'age'], rows: [['Anna']] }
    expect(await runner(() => uneven).use('extract_table_data', args)).toMatchObject({ ok: false })
    const others = { columns: ['age', 'name'], rows: [] }
    expect(await runner(() => others).use('extract_table_data', args)).toMatchObject({ ok: false })
  })

  it('sums a long text up in pieces, and then what came of them', async () => {
    const { use, asked } = runner(() => ({ summary: 's'.repeat(3_000) }))
    const { ok } = await use('summarize_text', { text: 'A sentence. '.repeat(16_000) })
    expect(ok).toBe(true)
    expect(asked.length).toBeGreaterThan(20)
    expect(Math.max(...asked.map(({ text }) => text.length))).toBeLessThanOrEqual(8_000)
  })

  it('says so where no model answers', async () => {
    const { use, test } = runner(() => ({}))
    test.workOut = () => Promise.resolve({ kind: 'failed', reason: 'the limit of today is used up' })
    const result = await use('summarize_text', { text: 'a' })
    expect(result).toMatchObject({
      ok: false,
      text: 'It could not be worked out: the limit of today is used up.',
    })
  })
})

describe('pieces of a text', () => {
  it.each([
    ['nothing to cut at', 'x'.repeat(25)],
    ['whole characters', '😀'.repeat(13)],
    ['lines', 'one two\nthree four\n\nfive six seven'],
  ])('are the text again and not too long: %s', (_, text) => {
    const pieces = piecesOf(text, 9)
    expect(pieces.join('')).toBe(text)
    for (const piece of pieces) {
      expect(piece.length).toBeLessThanOrEqual(9)
      expect(piece.isWellFormed()).toBe(true)
    }
  })
})
