import { forDisplay } from '@countersign/contract'
import { describe, expect, it } from 'vitest'
import { line } from './safe.ts'

describe('a line', () => {
  it('is what the sanitiser makes of it, also where it is plain', () => {
    const pieces = [
      'a',
      'Z9',
      ' ',
      '  ',
      '~',
      '!',
      '\t',
      '\n',
      '\u007f',
      '\u001b[2J',
      'é',
      '\u202e',
      '\u00a0',
      'xn--',
      ' '.repeat(9),
    ]
    let seed = 7
    const next = (below: number) => {
      seed = (seed * 48_271) % 2_147_483_647
      return seed % below
    }
    for (let round = 0; round < 3_000; round += 1) {
      const text = Array.from({ length: next(12) }, () => pieces[next(pieces.length)]).join('')
      expect(line(text)).toBe(forDisplay(text).text)
    }
    for (let code = 0; code < 256; code += 1) {
      const text = `a${String.fromCharCode(code)}b`
      expect(line(text)).toBe(forDisplay(text).text)
    }
  })

  it('does not take long over a long text that is almost plain', () => {
    const began = performance.now()
    line(`${'a '.repeat(50_000)}${'b'.repeat(50_000)}\u202e`)
    expect(performance.now() - began).toBeLessThan(2_000)
  })
})
