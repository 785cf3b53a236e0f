import { describe, expect, it } from 'vitest'
import { composeIrcLine, maskText, readIrcLine } from './line.ts'
import { ircLines, withoutCodes } from './text.ts'

describe('a line of IRC', () => {
  it('is read with its tags, its source and its last part', () => {
    const line = readIrcLine(
      '@time=2026-01-01T00:00:00.000Z;a=x\\s\\:y\\\\;+b :Ana!~ana@host PRIVMSG #room :one two :three',
    )
    expect(line?.tags.get('a')).toBe('x ;y\\')
    expect(line?.tags.get('+b')).toBe('')
    expect(line?.source && maskText(line.source)).toBe('ana!~ana@host')
    expect(line).toMatchObject({ command: 'PRIVMSG', params: ['#room', 'one two :three'] })
  })

  it('is nothing where there is no command in it', () => {
    for (const text of ['', ' ', ':', ':ana', '@a=b', '@a :b', ':ana !!', '@'.repeat(5_000)])
      expect(readIrcLine(text)).toBeUndefined()
  })

  it('is never composed of what would be two lines or other parts', () => {
    expect(composeIrcLine('PASS', 'a b')).toBe('PASS :a b')
    expect(composeIrcLine('NICK', ':x')).toBe('NICK ::x')
    for (const parts of [['a\r\nQUIT'], ['a\nb'], ['a\0b'], ['a b', 'c'], ['', 'c'], [':a', 'c']])
      expect(() => composeIrcLine('USER', ...parts)).toThrow('no part of a line')
  })
})

describe('a text on IRC', () => {
  const room = 100

  it('is cut by bytes, between words, and never within a character', () => {
    const text = 'ž😀 '.repeat(80)
    const lines = ircLines(text, { format: 'plain', room })
    expect(lines.join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''))
    for (const line of lines) {
      expect(Buffer.byteLength(line)).toBeLessThanOrEqual(room)
      expect(line.isWellFormed()).toBe(true)
    }
  })

  it('puts many short lines together, so that it does not take minutes', () => {
    const lines = ircLines('one\n'.repeat(300), { format: 'plain', room: 400 })
    expect(lines.length).toBeLessThan(8)
    expect(lines.join(' ').match(/one/g)?.length).toBe(300)
    expect(ircLines('a\nb\n\nc', { format: 'plain', room })).toEqual(['a', 'b', 'c'])
  })

  it('holds no code of the protocol', () => {
    const text = 'a\u0001VERSION\u0001 \u0002b\u0003c\r\nQUIT :d\0e'
    expect(ircLines(text, { format: 'plain', room })).toEqual(['aVERSION bc', 'QUIT :de'])
    expect(ircLines('\u0001\u0002', { format: 'plain', room })).toEqual([])
  })

  it('is read without colours', () => {
    expect(withoutCodes('\u000304,12red\u000f \u0002bold\u0002 \u0004ff0000hex \u00031 one')).toBe(
      'red bold hex  one',
    )
  })
})
