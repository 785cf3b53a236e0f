import { expect, test } from 'vitest'
import { spokenPieces, spokenText } from './spoken-text.ts'

test.each([
  ['# Report\n\nThere are **three** parts.', 'Report\nThere are three parts.'],
  ['See [the page](https://example.org/a) and ![a cat](cat.png).', 'See the page and a cat.'],
  ['Before\n\n```ts\nconst answer = 42\n```\n\nAfter', 'Before\nAfter'],
  ['Before\n```sh\nnever closed', 'Before'],
  ['- [x] done\n- open\n> said', 'done\nopen\nsaid'],
  ['| Month | Count |\n| --- | --- |\n| May | 3 |', 'Month , Count\nMay , 3'],
  [
    '*Well*, snake_case_name and 2 * 3 * 4 stay, `code` too.',
    'Well, snake_case_name and 2 * 3 * 4 stay, code too.',
  ],
  ['Said so.[^1]\n\n[^1]: A note.\n\n---\n', 'Said so.\nA note.'],
])('%j is read as words', (markdown, spoken) => {
  expect(spokenText(markdown)).toBe(spoken)
})

test('a long text is read in pieces that end where a voice would pause', () => {
  const text = `${'One sentence here. '.repeat(20)}\n${'x'.repeat(120)}`
  const pieces = spokenPieces(text, 100)
  expect(pieces.every((piece) => piece.length <= 100)).toBe(true)
  expect(pieces.slice(0, 3).every((piece) => piece.endsWith('here.'))).toBe(true)
  expect(pieces.join('').replaceAll(/\s/g, '')).toBe(text.replaceAll(/\s/g, ''))
  expect(spokenPieces('', 100)).toEqual([])
})
