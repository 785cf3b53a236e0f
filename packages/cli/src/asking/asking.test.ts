import { stripVTControlCharacters } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createContext } from '../context.ts'
import { usualFlags } from '../testing/flags.ts'
import { type TestHome, testHome, testHost } from '../testing/home.ts'
import { asking } from './asking.ts'
import type { Asking } from './question.ts'

let home: TestHome
beforeEach(() => {
  home = testHome()
})
afterEach(() => home.remove())

const instead = 'Give --fruit.'
const choices = [
  { value: 'apple', label: 'Apple' },
  { value: 'pear', label: 'Pear', hint: 'ripe' },
  { value: 'plum', label: 'Plum', key: 'p' },
]
const [enter, down, space, escape, end] = ['\r', '\u001b[B', ' ', '\u001b', '\u0004']

/** Types the keys once the question stands there. */
async function answered<Value>(
  ask: (questions: Asking) => Promise<Value>,
  keys: readonly string[],
  given: { readonly drawn: boolean } = { drawn: true },
) {
  const host = testHost({
    home,
    terminal: true,
    columns: 60,
    values: given.drawn ? {} : { TERM: 'dumb' },
  })
  Object.assign(host.input, { setRawMode: () => undefined })
  const asked = ask(await asking(createContext(host, usualFlags)))
  for (const key of keys) host.typed.write(key)
  return { value: await asked, text: host.written() }
}

describe('on a terminal that can be drawn on', () => {
  test('takes what the mark stands at', async () => {
    const question = { message: 'Which?', choices, instead }
    expect((await answered((ask) => ask.choice(question), [enter])).value).toEqual({
      kind: 'answered',
      value: 'apple',
    })
    const moved = await answered((ask) => ask.choice(question), [down, enter])
    expect(moved.value).toEqual({ kind: 'answered', value: 'pear' })
    expect(stripVTControlCharacters(moved.text)).toContain('Which?')
    const begun = await answered((ask) => ask.choice({ ...question, usual: 'plum' }), [enter])
    expect(begun.value).toEqual({ kind: 'answered', value: 'plum' })
  })

  test('takes a text, and says what is wrong with it first', async () => {
    const problem = (typed: string) => (typed === '' ? 'Type a name.' : undefined)
    const { value, text } = await answered(
      (ask) => ask.text({ message: 'Name?', instead, problem }),
      [enter, 'Ana ', enter],
    )
    expect(value).toEqual({ kind: 'answered', value: 'Ana' })
    expect(text).toContain('Type a name.')
  })

  test('an empty text is an answer; what it means is not', async () => {
    const { value, text } = await answered(
      (ask) => ask.text({ message: 'Name?', empty: 'skip', instead }),
      [enter],
    )
    expect(value).toEqual({ kind: 'answered', value: '' })
    expect(stripVTControlCharacters(text)).toContain('Enter: skip')
    expect(stripVTControlCharacters(text)).toMatch(/◇ {2}Name\?\s+│ {2}skip/)
  })

  test('takes several, or none', async () => {
    const question = { message: 'Which ones?', choices, instead }
    expect((await answered((ask) => ask.several(question), [space, down, down, space, enter])).value).toEqual(
      {
        kind: 'answered',
        value: ['apple', 'plum'],
      },
    )
    expect((await answered((ask) => ask.several(question), [enter])).value).toEqual({
      kind: 'answered',
      value: [],
    })
  })

  test('Enter alone never agrees', async () => {
    const question = { message: 'Remove it?', otherwise: 'keep it', instead }
    expect((await answered((ask) => ask.agreement(question), [enter])).value).toBe(false)
    expect((await answered((ask) => ask.agreement(question), ['y'])).value).toBe(true)
    expect((await answered((ask) => ask.agreement(question), [escape])).value).toBe(false)
  })

  test.each([
    ['Esc', escape],
    ['Ctrl+C', '\u0003'],
    ['Ctrl+D', end],
  ])('leaves at %s', async (_name, key) => {
    const question = { message: 'Which?', choices, instead }
    expect((await answered((ask) => ask.choice(question), [key])).value).toEqual({ kind: 'left' })
    expect((await answered((ask) => ask.text({ message: 'Name?', instead }), [key])).value).toEqual({
      kind: 'left',
    })
  })

  test('paints nothing where no colour is wanted', async () => {
    const { text } = await answered((ask) => ask.choice({ message: 'Which?', choices, instead }), [enter])
    // oxlint-disable-next-line no-control-regex
    expect(text).not.toMatch(/\u001b\[[\d;]+m/)
  })
})

describe('line by line', () => {
  const lines = { drawn: false }

  test('takes a number or a letter, and asks again after anything else', async () => {
    const question = { message: 'Which?', choices, instead }
    const { value, text } = await answered((ask) => ask.choice(question), ['p\n'], lines)
    expect(value).toEqual({ kind: 'answered', value: 'plum' })
    expect(text).toContain('2  Pear   ripe')
    expect((await answered((ask) => ask.choice(question), ['2\n'], lines)).value).toEqual({
      kind: 'answered',
      value: 'pear',
    })
    expect((await answered((ask) => ask.choice(question), ['q\n'], lines)).value).toEqual({ kind: 'left' })
  })

  test('Enter alone never agrees', async () => {
    const question = { message: 'Remove it?', otherwise: 'keep it', instead }
    expect((await answered((ask) => ask.agreement(question), ['\n'], lines)).value).toBe(false)
    expect((await answered((ask) => ask.agreement(question), ['y\n'], lines)).value).toBe(true)
  })
})

test('where nobody can answer it says what to give, at once', async () => {
  const context = createContext(testHost({ home }), usualFlags)
  const ask = await asking(context)
  await expect(async () => ask.text({ message: 'Name?', instead })).rejects.toMatchObject({
    code: 'usage',
    next: 'Give --fruit.',
  })
})
