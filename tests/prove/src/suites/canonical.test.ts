import { describe, expect, test } from 'vitest'
import { canonical } from './canonical.ts'
import { numberText } from './canonical-data/reference.ts'

describe('the canonical suite', () => {
  test('finds no failure in five hundred values', async () => {
    const lines: string[] = []
    const result = await canonical.run({ n: 500, seed: 1, log: (line) => lines.push(line) })
    expect(lines).toEqual([])
    expect(result).toMatchObject({ n: 500, failures: 0, details: { values: 500, vectors: 33 } })
    expect(Object.keys(result.details?.['refusals'] ?? {}).sort()).toEqual([
      'control',
      'depth',
      'duplicate-key',
      'lone-surrogate',
      'non-finite',
      'size',
      'unsafe-integer',
    ])
  })

  test('refuses a mutant it does not know', async () => {
    await expect(canonical.run({ n: 1, seed: 1, mutant: 'none', log: () => undefined })).rejects.toThrow(
      'none',
    )
  })

  test('gives the same result for the same seed', async () => {
    const options = { n: 50, seed: 7, mutant: 'accept-duplicates', log: () => undefined }
    expect(await canonical.run(options)).toEqual(await canonical.run(options))
  })

  test('compares with digits laid out on their own terms', () => {
    const texts = [
      '9007199254740993',
      '5.684341886080802e-14',
      '5e-324',
      '2e-323',
      '1e+21',
      '123456789012345680000',
    ]
    for (const text of texts) expect(numberText(Number(text))).toBe(String(Number(text)))
    expect(() => numberText(Number.NaN)).toThrow(RangeError)
  })
})
