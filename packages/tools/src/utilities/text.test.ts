import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { changeCase } from './change-case.ts'
import { compareText } from './compare-text.ts'
import { encodeDecode } from './encode-decode.ts'
import { findInText } from './find-in-text.ts'
import { hashText } from './hash-text.ts'
import { joinText } from './join-text.ts'
import { regex } from './regex.ts'
import { replaceText } from './replace-text.ts'
import { slugifyText } from './slugify-text.ts'
import { splitText } from './split-text.ts'
import { transformText } from './transform-text.ts'
import { tryTool } from './trial.ts'
import { truncateText } from './truncate-text.ts'
import { wrapText } from './wrap-text.ts'

const anyText = fc.string({ unit: 'grapheme', maxLength: 60 })
const words = fc.array(fc.stringMatching(/^[a-zé]{1,12}$/), { minLength: 1, maxLength: 40 })

describe('encode_decode', () => {
  it('reads what it wrote', async () => {
    const encodings = fc.constantFrom('base64', 'base64url', 'url', 'hex', 'html')
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary' }), encodings, async (text, encoding) => {
        const { text: encoded } = await tryTool(encodeDecode, { text, operation: 'encode', encoding })
        const decoded = await tryTool(encodeDecode, { text: encoded, operation: 'decode', encoding })
        expect(decoded).toMatchObject({ kind: 'answer', text })
      }),
    )
  })

  it('refuses what is not of the encoding, and bytes that are no text', async () => {
    for (const [encoding, text] of [
      ['base64', 'a'],
      ['base64', 'ab!='],
      ['base64url', 'a+b/'],
      ['hex', 'abc'],
      ['hex', 'zz'],
      ['url', '%zz'],
      ['url', '%ff'],
      ['hex', 'ff'],
      ['base64', '/w=='],
    ] as const)
      expect([text, (await tryTool(encodeDecode, { text, operation: 'decode', encoding })).kind]).toEqual([
        text,
        'refused',
      ])
  })
})

describe('slugify_text', () => {
  it('changes a slug no further', async () => {
    await fc.assert(
      fc.asyncProperty(anyText, fc.integer({ min: 1, max: 40 }), async (text, maxLength) => {
        const slug = await tryTool(slugifyText, { text, maxLength })
        expect(slug.text).toMatch(/^(?:[a-z0-9]+(?:-[a-z0-9]+)*)?$/)
        expect(slug.text.length).toBeLessThanOrEqual(maxLength)
        expect((await tryTool(slugifyText, { text: slug.text, maxLength })).text).toBe(slug.text)
      }),
    )
  })
})

describe('truncate_text', () => {
  it('is never longer than asked, and splits no character', async () => {
    await fc.assert(
      fc.asyncProperty(anyText, fc.integer({ min: 2, max: 30 }), async (text, length) => {
        const cut = await tryTool(truncateText, { text, length })
        expect(cut.text.length).toBeLessThanOrEqual(length)
        expect(cut.text.isWellFormed() && !cut.text.includes('\ufffd')).toBe(true)
      }),
    )
  })

  it('refuses a length that its ending fills', async () => {
    expect((await tryTool(truncateText, { text: 'abcdef', length: 3, ending: '...' })).kind).toBe('refused')
    expect((await tryTool(truncateText, { text: 'abcdef', length: 4, ending: '...' })).text).toBe('a...')
  })
})

describe('wrap_text', () => {
  it('keeps the words and their order, and breaks in time', async () => {
    await fc.assert(
      fc.asyncProperty(words, async (list) => {
        const { text } = await tryTool(wrapText, { text: list.join(' '), width: 20 })
        expect(text.split(/\s/)).toEqual(list)
        expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(20)
      }),
    )
  })
})

describe('splitting and joining', () => {
  it('undo each other', async () => {
    await fc.assert(
      fc.asyncProperty(words, async (items) => {
        const { text } = await tryTool(joinText, { items, separator: '; ' })
        expect((await tryTool(splitText, { text, separator: ';' })).value).toEqual(items)
      }),
    )
  })

  it('refuse separators that would be most of the text', async () => {
    const separator = 'x'.repeat(1000)
    expect((await tryTool(joinText, { items: Array.from({ length: 201 }, () => 1), separator })).kind).toBe(
      'refused',
    )
    expect((await tryTool(joinText, { items: Array.from({ length: 200 }, () => 1), separator })).kind).toBe(
      'answer',
    )
    expect((await tryTool(splitText, { text: 'a', separator: '' })).kind).toBe('invalid')
  })
})

describe('replace_text', () => {
  it('takes what it is given literally', async () => {
    const args = { text: 'a.b', find: '.', replacement: '$1\\' }
    expect((await tryTool(replaceText, args)).value).toEqual({ text: 'a$1\\b', replaced: 1 })
  })

  it('refuses to find nothing, and a text that would grow without bound', async () => {
    expect((await tryTool(replaceText, { text: 'a', find: '', replacement: 'b' })).kind).toBe('invalid')
    const grown = { text: 'a'.repeat(100), find: 'a', replacement: 'b'.repeat(4000) }
    expect((await tryTool(replaceText, grown)).kind).toBe('refused')
    expect((await tryTool(replaceText, { ...grown, firstOnly: true })).kind).toBe('answer')
  })
})

describe('find_in_text', () => {
  it('minds case only when told', async () => {
    const args = { text: 'A a', find: 'a' }
    expect((await tryTool(findInText, args)).value).toMatchObject({ count: 2 })
    expect((await tryTool(findInText, { ...args, ignoreCase: false })).value).toMatchObject({ count: 1 })
  })
})

describe('compare_text', () => {
  it('has a similarity of one only for equal texts', async () => {
    await fc.assert(
      fc.asyncProperty(
        anyText,
        anyText,
        fc.constantFrom('lines', 'words', 'characters'),
        async (text1, text2, by) => {
          const { value } = await tryTool(compareText, { text1, text2, by })
          expect((value as { equal: boolean }).equal).toBe(text1 === text2)
          expect((value as { similarity: number }).similarity).toBeLessThanOrEqual(1)
        },
      ),
    )
  })
})

describe('regex', () => {
  it('replaces as JavaScript does', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.stringMatching(/^[ab1 ]{0,20}$/),
        fc.constantFrom('a+', '(a)(b)?', '\\b', '[^a]', 'a*?b', '(?<x>1)|b', '^|$'),
        fc.constantFrom('', '-', '[$&]', '$1$2$$', '$<x>', '$3', '$'),
        async (text, pattern, replacement) => {
          // A pattern from the list above, never from an argument.
          const expected = text.replace(new RegExp(pattern, 'g'), replacement)
          const isPlain = replacement === '$<x>' && !pattern.includes('<x>')
          const told = await tryTool(regex, { text, pattern, operation: 'replace', replacement })
          if (!isPlain) expect((told.value as { text: string }).text).toBe(expected)
        },
      ),
      { numRuns: 300 },
    )
  })

  it('refuses what is not linear, or too much', async () => {
    for (const pattern of [
      '(a)\\1',
      'a(?=b)',
      '(?<!a)b',
      'a{1001}',
      '(a{600}){600}',
      'a{600}b{600}',
      '(',
      '*',
    ])
      expect([pattern, (await tryTool(regex, { pattern, text: 'ab' })).kind]).toEqual([pattern, 'refused'])
    const large = { pattern: 'a{100}', text: 'a'.repeat(100_000) }
    expect((await tryTool(regex, large)).text).toContain('Shorten')
    expect((await tryTool(regex, { ...large, text: 'a'.repeat(10_000) })).kind).toBe('answer')
    expect((await tryTool(regex, { pattern: 'a', text: 'a', flags: 'y' })).kind).toBe('invalid')
  })
})

describe('other changes of text', () => {
  it('refuse what they do not know', async () => {
    expect((await tryTool(transformText, { text: 'a', operation: 'rot13' })).kind).toBe('invalid')
    expect((await tryTool(changeCase, { text: 'a', case: 'train' })).kind).toBe('invalid')
    expect((await tryTool(hashText, { text: 'a', algorithm: 'md4' })).kind).toBe('invalid')
    const lines = { text: '\n'.repeat(10_000), operation: 'sort_lines' }
    expect((await tryTool(transformText, lines)).kind).toBe('refused')
  })

  it('reverse twice to the same text', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme-ascii' }), async (text) => {
        const once = await tryTool(transformText, { text, operation: 'reverse' })
        expect((await tryTool(transformText, { text: once.text, operation: 'reverse' })).text).toBe(text)
      }),
    )
  })
})
