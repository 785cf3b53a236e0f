import { expect, it } from 'vitest'
import { mentionOf } from './mention.ts'
import { plainMarkdown } from './plain-markdown.ts'

it.each([
  ['[words](https://example.com/a_(b)) end', 'words (https://example.com/a_(b)) end'],
  ['[x](<https://example.com> "title")', 'x (https://example.com)'],
  ['[https://a.example](https://b.example)', 'https://a.example (https://b.example)'],
  ['[https://a.example](https://a.example)', 'https://a.example'],
  ['![](https://a.example/p.png) and ![cat](p.png)', 'https://a.example/p.png and cat (p.png)'],
  ['**bold** ~~gone~~ *it* _it_', '*bold* ~gone~ *it* _it_'],
  ['`[a](b)` and ```\n**x** [a](b)\n```', '`[a](b)` and ```\n**x** [a](b)\n```'],
  ['[open](never **closed', '[open](never **closed'],
])('shows %s as people type it', (markdown, text) => {
  expect(plainMarkdown(markdown)).toBe(text)
})

it('shows what is made to take long in no time', () => {
  const texts = ['[a]( ', '[', '**a', '`', '[a](b(', '~~a', '![](']
  for (const text of texts) expect(plainMarkdown(text.repeat(5_000)).length).toBeGreaterThan(0)
  expect(plainMarkdown(`[a](${' '.repeat(50_000)}`).length).toBeGreaterThan(0)
})

it('finds a name as a whole word, and cuts it away where the text begins with it', () => {
  const letter = /[\p{L}\p{N}_-]/u
  const read = (text: string) => mentionOf(text, 'Žana', letter)
  expect(read('žana: hello')).toEqual({ isThere: true, text: 'hello' })
  expect(read('@Žana, hello')).toEqual({ isThere: true, text: 'hello' })
  expect(read('hello žana!')).toEqual({ isThere: true, text: 'hello žana!' })
  expect(read('žana')).toEqual({ isThere: true, text: 'žana' })
  for (const text of ['žanax', 'xžana', 'žana-2', 'ana', '']) expect(read(text).isThere).toBe(false)
})
