import { describe, expect, it } from 'vitest'
import { renderEntities } from './entities.ts'

/** What is read, with each marked part in its own brackets. */
function shown(source: string): string {
  const { text, entities } = renderEntities(source)
  const edges = entities.flatMap(({ type, offset, length, language }, index) => [
    { at: offset, text: `<${type}${language ? `=${language}` : ''}>`, order: index + 1 },
    { at: offset + length, text: `</${type}>`, order: -index },
  ])
  edges.sort((one, other) => one.at - other.at || one.order - other.order)
  let out = ''
  let last = 0
  for (const edge of edges) {
    out += text.slice(last, edge.at) + edge.text
    last = edge.at
  }
  return out + text.slice(last)
}

const rendered: readonly (readonly [string, string])[] = [
  ['plain', 'plain'],
  ['a **b** c', 'a <bold>b</bold> c'],
  ['a __b__ c', 'a <bold>b</bold> c'],
  ['a *b* and _c_', 'a <italic>b</italic> and <italic>c</italic>'],
  ['~~gone~~', '<strikethrough>gone</strikethrough>'],
  ['***both***', '<bold><italic>both</italic></bold>'],
  ['*a **b** c*', '<italic>a</italic> <bold><italic>b</italic></bold> <italic>c</italic>'],
  ['**a *b* c**', '<bold>a</bold> <bold><italic>b</italic></bold> <bold>c</bold>'],
  ['`a*b*`', '<code>a*b*</code>'],
  ['# Title **x**', '<bold>Title x</bold>'],
  ['- one\n* two\n  + three', '• one\n• two\n  • three'],
  ['1. one\n2. two', '1. one\n2. two'],
  ['> a\n> *b*\n\nc', '<blockquote>a\n<italic>b</italic></blockquote>\n\nc'],
  ['```ts\na *b*\n```\nc', '<pre=ts>a *b*</pre>\nc'],
  ['```js title=x\na\n```', '<pre=js>title=x\na</pre>'],
  ['```\nnever closed', '<pre>never closed</pre>'],
  ['| a | b |\n|---|---|\n| 1 | 2 |', '<pre>| a | b |\n|---|---|\n| 1 | 2 |</pre>'],
  ['[words](https://a.example/x)', 'words (https://a.example/x)'],
  ['[**words**](https://a.example)', '<bold>words</bold> (https://a.example)'],
  ['[`code`](https://a.example)', '<code>code</code> (https://a.example)'],
  ['[https://a.example](https://a.example)', 'https://a.example'],
  ['![alt](https://a.example/p.png)', 'alt (https://a.example/p.png)'],
  ['[](https://a.example)', 'https://a.example'],
  ['\\*not\\* \\[x\\]', '*not* [x]'],
  ['C:\\Users and \\n', 'C:\\Users and \\n'],
  ['😀 **b**', '😀 <bold>b</bold>'],
]

const untouched: readonly string[] = [
  'snake_case_name and __init__ed',
  '2 * 3 * 4',
  '**open',
  'a* b*',
  '*a',
  '[a](b',
  '[tap](javascript:alert(1))',
  '<b>bold</b> &amp;',
  '`tick',
  '****',
  '@everyone',
  '```ts\n```',
  '```word',
]

describe('markdown in Telegram', () => {
  it.each(rendered)('shows %j as %j', (source, expected) => {
    expect(shown(source)).toBe(expected)
  })

  it.each(untouched)('leaves %j as it stands', (source) => {
    expect(renderEntities(source)).toEqual({ text: source, entities: [] })
  })

  it('keeps every letter and every bound, whatever it is given', () => {
    const parts = [
      '*',
      '**',
      '_',
      '__',
      '~~',
      '`',
      '```',
      '[',
      '](',
      ')',
      '<',
      '>',
      '!',
      '\\',
      '\n',
      '# ',
      '- ',
      '|',
    ]
    const words = ['word', ' ', '😀', 'https://a.example', 'ž']
    let seed = 7
    const pick = <Item>(items: readonly Item[]): Item => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
      return items[seed % items.length] as Item
    }
    for (let round = 0; round < 800; round += 1) {
      const source = Array.from({ length: 1 + (round % 40) }, () =>
        pick(round % 3 === 0 ? parts : [...parts, ...words]),
      ).join('')
      const { text, entities } = renderEntities(source)
      expect(text.length).toBeLessThanOrEqual(source.length)
      const read = `${text} ${entities.map(({ language = '' }) => language).join(' ')}`
      for (const letters of ['word', '😀', 'ž', 'https://a.example'])
        if (source.includes(letters)) expect(read).toContain(letters)
      for (const { offset, length } of entities) {
        expect(offset).toBeGreaterThanOrEqual(0)
        expect(length).toBeGreaterThan(0)
        expect(offset + length).toBeLessThanOrEqual(text.length)
        expect(text.slice(offset, offset + length).isWellFormed()).toBe(true)
      }
    }
  })

  it.each(['*_', '[', '[a](', '`', '![](', '> ', '\\', '<https://', '~~a', '[[x]('])(
    'reads a hundred thousand %j in no time worth telling',
    (part) => {
      const source = part.repeat(100_000 / part.length)
      const began = performance.now()
      renderEntities(source)
      // A quadratic reader takes minutes.
      expect(performance.now() - began).toBeLessThan(5_000)
    },
  )
})
