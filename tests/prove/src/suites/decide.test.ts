import { describe, expect, test } from 'vitest'
import { decide } from './decide.ts'

describe('the decide suite', () => {
  test('finds no failure in three hundred calls and meets all three answers', async () => {
    const lines: string[] = []
    const result = await decide.run({ n: 300, seed: 1, log: (line) => lines.push(line) })
    expect(lines).toEqual([])
    expect(result).toMatchObject({ n: 300, failures: 0, details: { propertyCalls: 20 } })
    for (const kind of ['allow', 'ask', 'deny']) expect(result.details?.[kind]).toBeGreaterThan(5)
  })

  test('refuses a mutant it does not know', async () => {
    await expect(decide.run({ n: 1, seed: 1, mutant: 'none', log: () => undefined })).rejects.toThrow('none')
  })
})
