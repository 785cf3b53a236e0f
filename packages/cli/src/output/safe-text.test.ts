import { forDisplay } from '@countersign/contract'
import { describe, expect, it } from 'vitest'
import { growthOf, mostGrowth } from '../../../../tests/harness/src/growth.ts'
import { line } from './safe-text.ts'

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

  it('takes time in proportion over a long text that is almost plain', async () => {
    const almost = (length: number) => `${'a '.repeat(length)}${'b'.repeat(length)}\u202e`
    const growth = await growthOf(6_000, almost, line)
    expect(growth).toBeLessThan(mostGrowth)
  })
})
