import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { calculate } from './calculate.ts'
import { calculatePercentage } from './calculate-percentage.ts'
import { calculateStatistics } from './calculate-statistics.ts'
import { generatePassword } from './generate-password.ts'
import { generateRandomString } from './generate-random-string.ts'
import { pickRandom } from './pick-random.ts'
import { randomBelow } from './random.ts'
import { randomNumber } from './random-number.ts'
import { rollDice } from './roll-dice.ts'
import { statistics } from './statistics.ts'
import { answerOf, tryTool } from './trial.ts'

describe('calculate', () => {
  it('refuses whatever is more than arithmetic', async () => {
    for (const expression of [
      'a = 1',
      'f(x) = x',
      'f(x) = f(x); f(1)',
      'import({})',
      'evaluate("1")',
      'parse("1")',
      'simplify("x")',
      'derivative("x", "x")',
      'createUnit("x")',
      'sqrt.constructor',
      'cos.constructor("return 1")()',
      'pi.constructor',
      '{a: 1}',
      '[1, 2]',
      '1:100000000',
      'range(1, 9)',
      '"text"',
      'isPrime(7)',
      'random()',
      'sqrt',
      'x + 1',
      '1; 2',
      'ones(9999, 9999)',
      'toString()',
      'hasOwnProperty(1)',
      '__proto__',
      'print("a")',
      'map(1, sqrt)',
    ])
      expect([expression, (await tryTool(calculate, { expression })).kind]).toEqual([expression, 'refused'])
  })

  it('refuses what has no finite result', async () => {
    for (const expression of [
      '9^9^9',
      '1/0',
      'sqrt(-1)',
      '171!',
      '0/0',
      'log(0)',
      '9!!!!!',
      'combinations(5, 6)',
      '',
      '1 +',
    ])
      expect([expression, (await tryTool(calculate, { expression })).kind]).toEqual([
        expression,
        expression === '' ? 'invalid' : 'refused',
      ])
    expect(await answerOf(calculate, { expression: '170!' })).toEqual({ result: 7.257415615308e306 })
  })

  it('leaves no function behind that could be changed by a call', async () => {
    await tryTool(calculate, { expression: 'sqrt = 1' })
    expect(await answerOf(calculate, { expression: 'sqrt(4)' })).toEqual({ result: 2 })
  })

  it('agrees with the machine on sums and products', async () => {
    const number = fc.integer({ min: -1000, max: 1000 })
    await fc.assert(
      fc.asyncProperty(number, number, number, async (a, b, c) => {
        expect(await answerOf(calculate, { expression: `(${a}) + (${b}) * (${c})` })).toEqual({
          result: a + b * c || 0,
        })
      }),
    )
  })
})

describe('statistics', () => {
  it('keep the mean between the least and the most', async () => {
    const numbers = fc.array(fc.double({ min: -1e9, max: 1e9, noNaN: true }), { minLength: 1, maxLength: 50 })
    await fc.assert(
      fc.asyncProperty(numbers, async (list) => {
        const told = (await answerOf(statistics, { numbers: list })) as Record<string, number>
        const { min = 0, q1 = 0, median = 0, q3 = 0, max = 0, mean = 0, std = -1 } = told
        const slack = 1e-4
        expect(min <= q1 + slack && q1 <= median + slack && median <= q3 + slack && q3 <= max + slack).toBe(
          true,
        )
        expect(mean).toBeGreaterThanOrEqual(min - slack)
        expect(mean).toBeLessThanOrEqual(max + slack)
        expect(std).toBeGreaterThanOrEqual(0)
      }),
    )
  })

  it('refuse no numbers, and numbers too large to add', async () => {
    expect((await tryTool(statistics, { numbers: [] })).kind).toBe('invalid')
    expect((await tryTool(statistics, { numbers: [1.7e308, 1.7e308] })).kind).toBe('refused')
    expect((await tryTool(calculateStatistics, { numbers: [1], measures: ['skew'] })).kind).toBe('invalid')
    expect(await answerOf(statistics, { numbers: [3] })).toMatchObject({ mean: 3, sampleStd: null, mode: [] })
  })
})

describe('calculate_percentage', () => {
  it('refuses a percentage of nothing', async () => {
    expect((await tryTool(calculatePercentage, { operation: 'share', x: 1, y: 0 })).kind).toBe('refused')
    expect((await tryTool(calculatePercentage, { operation: 'change', x: 0, y: 1 })).kind).toBe('refused')
    expect((await tryTool(calculatePercentage, { operation: 'percent_of', x: 1, y: 0 })).kind).toBe('answer')
  })
})

describe('chance', () => {
  it('reaches both ends and stays between them', async () => {
    const { results } = (await answerOf(randomNumber, { min: -1, max: 1, count: 200 })) as {
      results: number[]
    }
    expect([...new Set(results)].toSorted((left, right) => left - right)).toEqual([-1, 0, 1])
    const { results: parts } = (await answerOf(randomNumber, {
      min: 0,
      max: 1,
      whole: false,
      count: 200,
    })) as {
      results: number[]
    }
    expect(parts.every((part) => part >= 0 && part < 1)).toBe(true)
    expect(new Set(parts).size).toBe(200)
  })

  it('favours no number: each of ten comes about as often', () => {
    const counts = Array.from({ length: 10 }, () => 0)
    for (let draw = 0; draw < 20_000; draw += 1) {
      const drawn = randomBelow(10)
      counts[drawn] = (counts[drawn] ?? 0) + 1
    }
    // Six standard deviations: an honest source fails once in tens of millions of runs.
    expect(counts.every((count) => Math.abs(count - 2000) < 6 * Math.sqrt(1800))).toBe(true)
  })

  it('refuses a range that is empty or too wide', async () => {
    expect((await tryTool(randomNumber, { min: 2, max: 1 })).kind).toBe('refused')
    expect((await tryTool(randomNumber, { min: 1.2, max: 1.8 })).kind).toBe('refused')
    expect((await tryTool(randomNumber, { min: -9e15, max: 9e15 })).kind).toBe('refused')
    expect((await tryTool(randomNumber, { min: 1.2, max: 1.8, whole: false })).kind).toBe('answer')
  })

  it('gives a password one character of each kind, and tells it to nobody but the model', async () => {
    for (let time = 0; time < 50; time += 1) {
      const { text } = await tryTool(generatePassword, { length: 8 })
      expect(text).toMatch(/^(?=.*[A-Z])(?=.*[a-z])(?=.*\d)(?=.*[^a-zA-Z0-9])[^0O1lI|]{8}$/)
    }
    if (generatePassword.runs !== 'executor') throw new Error('runs elsewhere')
    const args = {
      length: 20,
      uppercase: true,
      lowercase: true,
      digits: true,
      symbols: true,
      avoidAmbiguous: true,
    }
    const result = await generatePassword.run(args, {} as never, new AbortController().signal)
    expect(result.summary).not.toContain(result.text)
    expect(generatePassword.output.confidentiality).toBe('secret')
    const none = { uppercase: false, lowercase: false, digits: false, symbols: false }
    expect((await tryTool(generatePassword, none)).kind).toBe('refused')
    expect((await tryTool(generatePassword, { length: 7 })).kind).toBe('invalid')
  })

  it('picks each once, and never more than there are', async () => {
    const items = Array.from({ length: 100 }, (_, index) => index)
    const picked = (await answerOf(pickRandom, { items, count: 100 })) as number[]
    expect(picked).not.toEqual(items)
    expect(picked.toSorted((left, right) => left - right)).toEqual(items)
    expect((await tryTool(pickRandom, { items: [1], count: 2 })).kind).toBe('refused')
    expect(await answerOf(pickRandom, { items: [1], count: 2, repeats: true })).toEqual([1, 1])
    expect((await tryTool(pickRandom, { items: [] })).kind).toBe('refused')
  })

  it('rolls only dice that exist', async () => {
    for (const dice of ['d1', '0d6', '101d6', '2d', 'd', '2d6+', 'six'])
      expect([dice, (await tryTool(rollDice, { dice })).kind]).toEqual([dice, 'refused'])
    expect(await answerOf(rollDice, { dice: 'd20 - 1' })).toMatchObject({ rolls: [expect.any(Number)] })
  })

  it('draws from characters of its own, each whole', async () => {
    const { text } = await tryTool(generateRandomString, { length: 40, characters: '😀ß' })
    expect(Array.from(text)).toHaveLength(40)
    expect((await tryTool(generateRandomString, { characters: '' })).kind).toBe('invalid')
  })
})
