import { expect, test } from 'vitest'
import { readLine } from './line.ts'
import { linesOf } from './lines.ts'
import { sorted, testExport } from './testing/export.ts'

const made = testExport()
const good = made.entry({
  seq: 1,
  data: { text: 'Zoë 🍜 \u2028', size: 1e21, list: [], none: {}, deep: [{ a: null }] },
})

test('reads a header, an entry and a checkpoint', () => {
  expect(readLine(made.header)).toEqual({ kind: 'header', key: made.vkey, origin: 'gateway.test/ledger' })
  expect(readLine(good)).toMatchObject({ kind: 'entry', entry: { seq: 1, type: 'note.made' } })
  expect(readLine(made.checkpoint([good])).kind).toBe('checkpoint')
})

test('gives the same leaf for text and for its bytes', () => {
  expect(readLine(good)).toEqual(readLine(Buffer.from(good)))
})

test.each([
  ['a space', good.replace('"seq":1', '"seq": 1')],
  ['a carriage return', `${good}\r`],
  ['an escape that is not needed', good.replace('note.made', 'note\\u002emade')],
  ['fields in another order', `{"v":1,${good.slice(1).replace(',"v":1', '')}`],
  ['a field given twice', good.replace('"seq":1', '"seq":1,"seq":1')],
  ['a number in another spelling', good.replace('"seq":1', '"seq":1.0')],
  ['a negative zero', good.replace('1e+21', '-0')],
  ['a number beyond what a double holds', good.replace('1e+21', '9007199254740993')],
  ['an infinite number', good.replace('1e+21', '1e999')],
  ['half a character', good.replace('🍜', '\\ud83c')],
  ['nesting without end', good.replace('[]', `${'['.repeat(200)}${']'.repeat(200)}`)],
])('refuses an entry with %s', (_, text) => {
  expect(text).not.toBe(good)
  expect(readLine(text)).toMatchObject({ kind: 'refused', code: 'line-not-canonical' })
})

test('refuses what is not text, not JSON or not an object', () => {
  const notText = Buffer.from(good)
  notText[notText.indexOf('Zo') + 2] = 0xff
  const withMark = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(good)])
  for (const line of [
    '',
    '[]',
    'null',
    '{',
    good.slice(1),
    notText,
    withMark,
    good.replace('🍜', '\ud83c'),
  ]) {
    expect(readLine(line)).toMatchObject({ kind: 'refused', code: 'line-form' })
  }
})

test.each([
  ['an unknown field', { extra: 1 }],
  ['another version', { v: 2 }],
  ['a number that is no whole number', { seq: 1.5 }],
  ['a time without milliseconds', { at: '2026-01-05T08:00:00Z' }],
  ['a time that is no time', { at: '2026-13-45T08:00:00.000Z' }],
  ['an actor of an unknown kind', { actor: { kind: 'ghost', id: 'g' } }],
  ['an actor with more than kind and id', { actor: { kind: 'agent', id: 'a', role: 'x' } }],
  ['data that is a list', { data: [] }],
  ['a call that is a number', { call: 7 }],
  ['an empty type', { type: '' }],
  ['a missing operator', { operator: undefined }],
  ['a checkpoint inside', { checkpoint: 'x' }],
])('refuses an entry with %s', (_, change) => {
  expect(readLine(made.entry({ seq: 1, ...change }))).toMatchObject({ kind: 'refused', code: 'line-fields' })
})

test('refuses a header of another format or with another field', () => {
  const header = JSON.parse(made.header) as Record<string, unknown>
  for (const change of [
    { format: 'countersign-ledger/2' },
    { note: 'x' },
    { key: undefined },
    { origin: 3 },
  ]) {
    expect(readLine(sorted({ ...header, ...change }))).toMatchObject({ kind: 'refused', code: 'line-fields' })
  }
})

test('cuts bytes into lines only at LF, wherever the chunks end', async () => {
  const text = 'one\r\u2028x\n\ntwo\nlast'
  const bytes = Buffer.from(text)
  for (let size = 1; size <= bytes.length; size += 1) {
    const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
      bytes.subarray(index * size, (index + 1) * size),
    )
    const lines: string[] = []
    for await (const line of linesOf(chunks)) lines.push(Buffer.from(line).toString())
    expect(lines).toEqual(text.split('\n'))
  }
})

test('lets a line without end through to be refused before it fills the memory', async () => {
  const chunk = Buffer.alloc(1 << 20, 0x20)
  const endless = (function* () {
    for (;;) yield chunk
  })()
  for await (const line of linesOf(endless)) {
    expect(readLine(line)).toMatchObject({ kind: 'refused', code: 'line-form' })
    break
  }
})
