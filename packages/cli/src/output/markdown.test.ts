import { expect, test } from 'vitest'
import { unpainted } from './colour.ts'
import { widthOf } from './columns.ts'
import { markdown, wholeBlocks } from './markdown.ts'

const style = { paint: unpainted, width: 80 }

test('shows no marks of the markup', () => {
  const shown = markdown(
    '# Report\n\nThere are **three** files in `notes/`.\n\n- one\n- two\n\n1. first\n2. second\n\n> said\n\n```sh\nls -l\n```\n\n| Name | Size |\n|---|---|\n| a.txt | 12 |\n',
    style,
  )
  expect(shown).toBe(
    [
      'Report',
      'There are three files in notes/.',
      '  • one\n  • two',
      '  1. first\n  2. second',
      '│ said',
      '    ls -l',
      'Name   Size\na.txt  12',
    ].join('\n\n'),
  )
})

test('always shows where a link leads', () => {
  expect(markdown('[your bank](https://evil.example)', style)).toBe('your bank (https://evil.example)')
})

test('lets no control character of a model through', () => {
  const shown = markdown('a\u001b[2Jb **c\u202e** `\u0007`', style)
  for (const control of ['\u001b', '\u0007', '\u202e']) expect(shown).not.toContain(control)
})

test.each([80, 110])('breaks between words at %i columns', (width) => {
  const rows = markdown('word '.repeat(60), { ...style, width }).split('\n')
  expect(Math.max(...rows.map(widthOf))).toBeLessThanOrEqual(width)
})

test('holds back the block that may still grow', () => {
  expect(wholeBlocks('One.\n\nTwo is not')).toEqual({ whole: 'One.\n\n', rest: 'Two is not' })
  expect(wholeBlocks('One is not')).toEqual({ whole: '', rest: 'One is not' })
})

test.each(['>'.repeat(20_000), '- '.repeat(5_000), `${'*'.repeat(20_000)}a`])(
  'shows what would never be read to its end as it was written',
  (source) => {
    expect(markdown(source, { ...style, width: undefined })).toBe(source.trimEnd())
    expect(wholeBlocks(source)).toEqual({ whole: source, rest: '' })
  },
)
