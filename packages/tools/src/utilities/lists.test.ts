import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { arrayOperations } from './array-operations.ts'
import { createTable } from './create-table.ts'
import { deduplicate } from './deduplicate.ts'
import { extractEmails } from './extract-emails.ts'
import { extractFromText } from './extract-from-text.ts'
import { extractNumbers } from './extract-numbers.ts'
import { extractUrls } from './extract-urls.ts'
import { sortList } from './sort-list.ts'
import { answerOf, tryTool } from './trial.ts'
import { validate } from './validate.ts'
import { validateEmail } from './validate-email.ts'
import { validateUrl } from './validate-url.ts'

const scalars = fc.array(fc.oneof(fc.string({ unit: 'grapheme', maxLength: 6 }), fc.integer()), {
  maxLength: 40,
})

describe('lists', () => {
  it('are sorted the same whatever their order was', async () => {
    await fc.assert(
      fc.asyncProperty(scalars, async (items) => {
        const once = await answerOf(sortList, { items })
        expect(await answerOf(sortList, { items: items.toReversed() })).toEqual(once)
        const down = (await answerOf(sortList, { items, order: 'descending' })) as unknown[]
        expect(down.toReversed()).toEqual(once)
      }),
    )
  })

  it('lose no value and keep no repetition', async () => {
    await fc.assert(
      fc.asyncProperty(scalars, async (items) => {
        const { items: kept } = (await answerOf(deduplicate, { items })) as { items: unknown[] }
        expect(kept).toEqual([...new Set(items)])
        expect(await answerOf(arrayOperations, { array: items, operation: 'unique' })).toEqual(kept)
      }),
    )
  })

  it('tell objects apart by what they hold', async () => {
    const array = [
      { a: 1, b: 2 },
      { b: 2, a: 1 },
      { a: 1, b: 3 },
    ]
    expect(await answerOf(arrayOperations, { array, operation: 'unique' })).toEqual([array[0], array[2]])
    expect(await answerOf(arrayOperations, { array, operation: 'unique', key: 'a' })).toEqual([array[0]])
  })

  it('refuse an operation without what it needs', async () => {
    expect((await tryTool(arrayOperations, { array: [1], operation: 'pluck' })).kind).toBe('refused')
    expect((await tryTool(arrayOperations, { array: [1], operation: 'filter' })).kind).toBe('refused')
    expect((await tryTool(arrayOperations, { array: [1], operation: 'filter', value: 1 })).kind).toBe(
      'answer',
    )
    expect((await tryTool(arrayOperations, { array: [1], operation: 'map' })).kind).toBe('invalid')
    expect((await tryTool(sortList, { items: [{ a: 1 }] })).kind).toBe('invalid')
  })
})

describe('create_table', () => {
  it('refuses a table without columns, and one of mostly nothing', async () => {
    expect((await tryTool(createTable, { rows: [] })).kind).toBe('refused')
    expect((await tryTool(createTable, { rows: [], columns: ['a'] })).text).toBe('| a |\n| --- |')
    const sparse = Array.from({ length: 400 }, (_, index) => ({ [`k${index}`]: 1 }))
    expect((await tryTool(createTable, { rows: sparse })).text).toContain('cells')
  })

  it('lets no cell end its row', async () => {
    const { text } = await tryTool(createTable, { rows: [{ a: 'x | y\n| z \\' }] })
    expect(text.split('\n')).toHaveLength(3)
    expect(text).toContain('x \\| y<br>\\| z \\\\')
  })
})

describe('extraction', () => {
  it('finds every address that was put in', async () => {
    const local = fc.stringMatching(/^[a-z][a-z0-9]{0,9}$/)
    const mails = fc.array(
      local.map((name) => `${name}@mail.example`),
      { maxLength: 20 },
    )
    await fc.assert(
      fc.asyncProperty(mails, fc.constantFrom(' ', ', ', '; ', '\n', '> <', ')('), async (list, between) => {
        const text = `(${list.join(between)}).`
        expect(await answerOf(extractEmails, { text })).toEqual([...new Set(list)])
        const urls = list.map((mail) => `https://${mail.replace('@', '.')}/a?b=(c)`)
        if (between !== ', ' && between !== '; ')
          expect(await answerOf(extractUrls, { text: urls.join(between.replace(')(', ' ')) })).toEqual([
            ...new Set(urls),
          ])
      }),
    )
  })

  it('finds every number that was put in', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: -1e9, max: 1e9 })), async (list) => {
        const told = (await answerOf(extractNumbers, { text: list.join(' and ') })) as { numbers: number[] }
        expect(told.numbers).toEqual(list.map((number) => number || 0))
      }),
    )
  })

  it('takes nothing for a number that is part of a word, a date or a version', async () => {
    expect(await answerOf(extractNumbers, { text: 'b2b x86_64 4th' })).toMatchObject({ numbers: [] })
  })

  it('gives one group of a pattern, and nothing for a group that took no part', async () => {
    const args = { text: 'a1 b', pattern: '([a-z])(\\d)?', group: 2 }
    expect(await answerOf(extractFromText, args)).toEqual({ values: ['1'], truncated: false })
    expect(await answerOf(extractFromText, { ...args, limit: 1 })).toMatchObject({ truncated: true })
    expect((await tryTool(extractFromText, { text: 'a', pattern: '[' })).kind).toBe('refused')
  })
})

describe('validation', () => {
  it('refuses addresses that are nearly right', async () => {
    for (const email of [
      'a@b',
      '@b.example',
      'a b@c.example',
      'a@-b.example',
      'a@b..example',
      'a@b.example.',
      `${'a'.repeat(65)}@b.example`,
    ])
      expect([email, await answerOf(validateEmail, { email })]).toEqual([
        email,
        expect.objectContaining({ valid: false }),
      ])
    for (const url of [
      'example.org',
      'ftp://a.example',
      'https://',
      'http://a b.example',
      'https://nodots',
      'http://[::1',
    ])
      expect([url, await answerOf(validateUrl, { url })]).toEqual([url, { valid: false }])
    expect(await answerOf(validateUrl, { url: 'http://localhost:3000' })).toMatchObject({ valid: true })
    expect(await answerOf(validateUrl, { url: 'http://[::1]/' })).toMatchObject({ valid: true })
  })

  it('needs a country for a phone number without one', async () => {
    const local = { type: 'phone', value: '0312 213 29 65' }
    expect(await answerOf(validate, local)).toEqual({ valid: false })
    expect(await answerOf(validate, { ...local, country: 'ZZ' })).toEqual({ valid: false })
    expect((await tryTool(validate, { ...local, country: 'Turkey' })).kind).toBe('invalid')
    expect((await tryTool(validate, { value: 'x', type: 'passport' })).kind).toBe('invalid')
  })
})
