import { describe, expect, it } from 'vitest'
import { growthOf, mostGrowth } from '../../../tests/harness/src/growth.ts'
import { commandText, nameText } from './text.ts'

describe('text that names a thing', () => {
  it('takes composed text and refuses what could be taken for other text', () => {
    expect(nameText(10).safeParse('Übung').success).toBe(true)
    for (const text of ['', 'a\u200Bb', 'U\u0308', 'a\nb', 'x'.repeat(11)])
      expect(nameText(10).safeParse(text).success).toBe(false)
    expect(commandText(10).safeParse('a\nb').success).toBe(true)
  })

  it('refuses a long run of marks before it costs the square of it', async () => {
    const text = (length: number) => `a${'\u0316\u0301'.repeat(length)}`
    expect(nameText(4_096).safeParse(text(100_000)).success).toBe(false)
    const growth = await growthOf(12_500, text, (marks) => {
      expect(commandText(1_000_000).safeParse(marks).success).toBe(false)
    })
    expect(growth).toBeLessThan(mostGrowth)
  })
})
