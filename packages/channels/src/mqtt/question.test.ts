import { describe, expect, it } from 'vitest'
import { readQuestion } from './question.ts'

const read = (text: string) => readQuestion(new TextEncoder().encode(text))
const words = (text: string) => ({ text, id: null, from: null, at: null })

describe('what is published as a question', () => {
  it('is words as they stand', () => {
    expect(read('Is the door open?')).toEqual(words('Is the door open?'))
    expect(read(' two\nlines ')).toEqual(words(' two\nlines '))
  })

  it('may be JSON that says who asks, and what they call it', () => {
    expect(read('{"text":"Hi","id":"7","from":"hall","at":"2026-11-18T21:00:00+01:00"}')).toEqual({
      text: 'Hi',
      id: '7',
      from: 'hall',
      at: '2026-11-18T20:00:00.000Z',
    })
    expect(read('{"text":"Hi"}')).toEqual(words('Hi'))
  })

  it.each([
    '{"text":"Hi","form":"hall"}',
    '{"text":7}',
    '{"text":"Hi","at":"yesterday"}',
    '{"text":"Hi","at":"0000-01-01T00:00:00+01:00"}',
    '{"text":"Hi","id":""}',
    '{"text":"Hi","from":"' + 'x'.repeat(101) + '"}',
    '{"text":"Hi"',
    '["Hi"]',
    '"Hi"',
    'null',
    '{}',
  ])('is words where it is JSON of another shape: %s', (text) => {
    expect(read(text)).toEqual(words(text))
  })

  it('is nothing where it says nothing or is no text', () => {
    expect(read('')).toBeUndefined()
    expect(read(' \n')).toBeUndefined()
    expect(read('{"text":" "}')).toBeUndefined()
    expect(readQuestion(Uint8Array.of(0x48, 0xff, 0xfe))).toBeUndefined()
  })

  it('is cut where it is too long, and made whole where half a character is left', () => {
    expect(read('x'.repeat(200_000))?.text.length).toBe(100_000)
    expect(read(`${'x'.repeat(99_999)}😀`)?.text.isWellFormed()).toBe(true)
    expect(read('{"text":"a\\ud800"}')?.text).toBe('a\ufffd')
  })
})
