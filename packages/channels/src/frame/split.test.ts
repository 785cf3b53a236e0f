import { describe, expect, it } from 'vitest'
import { sizeIn, splitText } from './split.ts'

const bare = (text: string) => text.replaceAll(/\s|```\w*/g, '')

describe('a text that is too long for one message', () => {
  it('is left alone where it fits, and is nothing where it is empty', () => {
    expect(splitText('hello', { most: 5, unit: 'characters' })).toEqual(['hello'])
    expect(splitText(' \n ', { most: 5, unit: 'characters' })).toEqual([])
  })

  it('is cut where a reader pauses', () => {
    const text = `${'a'.repeat(30)}. ${'b'.repeat(30)}\n\n${'c'.repeat(30)} ${'d'.repeat(30)}`
    expect(splitText(text, { most: 80, unit: 'characters' })).toEqual([
      `${'a'.repeat(30)}. ${'b'.repeat(30)}`,
      `${'c'.repeat(30)} ${'d'.repeat(30)}`,
    ])
  })

  it('closes a block of code and opens it again', () => {
    const lines = Array.from({ length: 20 }, (_, index) => `const line${index} = ${index}`)
    const pieces = splitText(`See:\n\`\`\`ts\n${lines.join('\n')}\n\`\`\`\ndone`, {
      most: 120,
      unit: 'characters',
    })
    expect(pieces.length).toBeGreaterThan(2)
    for (const piece of pieces) expect(piece.match(/```/g)?.length ?? 0).toSatisfy((n: number) => n % 2 === 0)
    expect(pieces[1]).toMatch(/^```ts\n/)
  })

  it.each(['characters', 'bytes'] as const)('keeps every character and every limit, in %s', (unit) => {
    const text = Array.from(
      { length: 300 },
      (_, index) => ['word', '😀😀😀', 'ünïcödé', '\n', '```\n'][index % 5],
    ).join(' ')
    for (const most of [20, 33, 64, 100, 1_000]) {
      const pieces = splitText(text, { most, unit })
      for (const piece of pieces) {
        expect(sizeIn(unit)(piece)).toBeLessThanOrEqual(most)
        expect(piece.isWellFormed()).toBe(true)
        expect(piece.trim()).not.toBe('')
      }
      expect(bare(pieces.join(' '))).toBe(bare(text))
    }
  })
})
