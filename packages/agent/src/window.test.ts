import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { growthOf, mostGrowth } from '../../../tests/harness/src/growth.ts'
import type { ModelMessage } from './model-port.ts'
import { dropOldPictures, estimateTokens, promptPictures, windowed } from './window.ts'

const user = (text: string): ModelMessage => ({ role: 'user', text })
const says = (text: string): ModelMessage => ({ role: 'assistant', text, calls: [] })
const calls = (id: string, args = '{}'): ModelMessage => ({
  role: 'assistant',
  text: '',
  calls: [{ id, name: 'read', args }],
})
const result = (id: string, text: string): ModelMessage => ({
  role: 'tool',
  results: [{ callId: id, name: 'read', text, isError: false }],
})

describe('the estimate', () => {
  it('is a token for four characters, and fifty characters more for a call and for a result', () => {
    expect(estimateTokens([user('x'.repeat(400))])).toBe(100)
    expect(estimateTokens([calls('1', 'x'.repeat(46))])).toBe((4 + 46 + 50) / 4)
    expect(estimateTokens([result('1', 'x'.repeat(50))])).toBe(25)
    expect(estimateTokens([])).toBe(0)
  })
})

describe('a window', () => {
  const long = [user('a'.repeat(400)), says('b'.repeat(400)), user('c'.repeat(400)), says('d'.repeat(400))]

  it('is everything that fits, to the token, and loses the oldest exchange one token below', () => {
    expect(windowed(long, 400, 1)).toBe(long)
    expect(windowed(long, 399, 1)).toEqual(long.slice(2))
  })

  it('begins with words of a person: a reply whose question is gone goes too', () => {
    expect(windowed(long, 300, 1)).toEqual(long.slice(2))
  })

  it('keeps the current run whole, even where it alone is too much', () => {
    expect(windowed(long, 1, 2)).toEqual(long.slice(2))
    expect(windowed(long, 1, 4)).toBe(long)
    expect(windowed(long, 1, 9)).toBe(long)
    expect(windowed(long, 1, 0)).toEqual([])
  })

  it('never parts a call from its results, also where the current run begins between them', () => {
    const talk = [user('a'.repeat(400)), calls('1'), result('1', 'x'.repeat(400)), says('done'), user('now')]
    expect(windowed(talk, 120, 1)).toEqual([user('now')])
    expect(windowed(talk, 1, 3)).toEqual(talk.slice(1))
    expect(windowed(talk, 1, 4)).toEqual(talk.slice(1))
  })

  it('is an ending of the conversation, whole in its calls, within the budget or the current run alone', () => {
    const turn = fc.oneof(
      fc.record({ kind: fc.constant('words' as const), length: fc.nat(200) }),
      fc.record({ kind: fc.constant('calls' as const), length: fc.nat(200) }),
      fc.record({ kind: fc.constant('asks' as const), length: fc.nat(200) }),
    )
    fc.assert(
      fc.property(fc.array(turn, { maxLength: 40 }), fc.nat(600), fc.nat(20), (turns, budget, keep) => {
        const talk = turns.flatMap(({ kind, length }, at): ModelMessage[] => {
          if (kind === 'asks') return [user('x'.repeat(length))]
          if (kind === 'words') return [says('x'.repeat(length))]
          return [calls(String(at)), result(String(at), 'x'.repeat(length))]
        })
        const shown = windowed(talk, budget, keep)
        expect(shown).toEqual(talk.slice(talk.length - shown.length))
        expect(shown.length).toBeGreaterThanOrEqual(Math.min(keep, talk.length))
        const made = shown
          .flatMap((each) => (each.role === 'assistant' ? each.calls : []))
          .map(({ id }) => id)
        const told = shown.flatMap((each) => (each.role === 'tool' ? each.results : []))
        expect(told.map(({ callId }) => callId)).toEqual(made)
        if (shown.length > keep + 1) expect(estimateTokens(shown)).toBeLessThanOrEqual(budget)
      }),
    )
  })

  it('of five hundred turns is found with work in proportion, whatever fits', async () => {
    const talkOf = (turns: number) =>
      Array.from({ length: turns }, (_, at) => [
        user('x'.repeat(200)),
        calls(String(at)),
        result(String(at), 'y'.repeat(2_000)),
        says('z'.repeat(300)),
      ]).flat()
    expect(estimateTokens(windowed(talkOf(500), 20_000, 4))).toBeLessThanOrEqual(20_000)
    const growth = await growthOf(500, talkOf, (talk) => windowed(talk, 1e9, 4))
    expect(growth).toBeLessThan(mostGrowth)
  })
})

it('the newest pictures stay, and the place of older ones is told', () => {
  const picture = (base64: string): ModelMessage => ({
    role: 'user',
    text: 'Look.',
    images: [{ mediaType: 'image/png', base64 }],
  })
  const many = Array.from({ length: promptPictures.count + 1 }, () => picture('AAAA'))
  dropOldPictures(many)
  expect(many[0]).toEqual({ role: 'user', text: expect.stringContaining('no longer shown') })
  expect(many.slice(1).every((message) => message.role === 'user' && message.images)).toBe(true)
  const large = [picture('A'.repeat(12_000_000)), picture('A'.repeat(12_000_000))]
  dropOldPictures(large)
  expect(large.map((message) => 'images' in message)).toEqual([false, true])
})
