import { describe, expect, it } from 'vitest'
import { type Inline, readInlines, readLinks, readMarkdown } from './markdown.ts'

const words = (inlines: readonly Inline[]) => inlines.map(({ text }) => text).join('')

describe('what a model writes', () => {
  it('is read as marks where marks embrace words', () => {
    expect(readInlines('a **b** *c* ~~d~~ `e *f*` ***g***')).toEqual([
      { text: 'a ' },
      { text: 'b', bold: true },
      { text: ' ' },
      { text: 'c', italic: true },
      { text: ' ' },
      { text: 'd', strike: true },
      { text: ' ' },
      { text: 'e *f*', code: true },
      { text: ' ' },
      { text: 'g', bold: true, italic: true },
    ])
  })

  it.each(['2 * 3 * 4', 'snake_case_name', '** not **', 'a ~ b', '`open', '*', '\\*no\\*', 'C:\\dir'])(
    'keeps %s as it stands',
    (text) => {
      expect(words(readInlines(text))).toBe(text.replaceAll('\\*', '*'))
      expect(readInlines(text).every(({ bold, italic, code }) => !bold && !italic && !code)).toBe(true)
    },
  )

  it('shows where a link leads, and makes no link of what is no page', () => {
    expect(words(readInlines('[bank](https://evil.example/x)'))).toBe('bank (https://evil.example/x)')
    expect(readInlines('[tap](javascript:alert)').some(({ link }) => link)).toBe(false)
    expect(readInlines('[https://a.example](https://a.example)')).toEqual([
      { text: 'https://a.example', link: true },
    ])
  })

  it('finds addresses, without the end of the sentence', () => {
    expect(readLinks('see https://a.example/b_c_d.')).toEqual([
      { text: 'see ' },
      { text: 'https://a.example/b_c_d', link: true },
      { text: '.' },
    ])
    expect(readInlines('https://a.example/_x_/*y*/z')).toEqual([
      { text: 'https://a.example/_x_/*y*/z', link: true },
    ])
  })

  it('is read as blocks', () => {
    const kinds = readMarkdown('# a\n\n- b\n  - c\n\n1. d\n\n> e\n> f\n\n```ts\n*g*\n```\nh').map(
      (block) => block.kind,
    )
    expect(kinds).toEqual([
      'heading',
      'gap',
      'item',
      'item',
      'gap',
      'item',
      'gap',
      'quote',
      'gap',
      'code',
      'paragraph',
    ])
  })

  it('keeps code that is never closed', () => {
    expect(readMarkdown('```\na **b**')).toEqual([{ kind: 'code', language: '', text: 'a **b**' }])
  })

  it.each(['*', '_', '[', '`', '**a', '~~', '> ', '\\', '[a](', '*_'])(
    'is read in moments when it is %s ten thousand times',
    (part) => {
      const begun = performance.now()
      readMarkdown(part.repeat(10_000))
      expect(performance.now() - begun).toBeLessThan(5_000)
    },
  )
})
