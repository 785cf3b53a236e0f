import type { ModelRequest, ModelUsage } from '@countersign/agent'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { PriceTier } from './facts.ts'
import {
  boundedUsage,
  costNanos,
  estimatedUsage,
  type PriceFacts,
  unknownPrice,
  worstNanos,
} from './price.ts'
import { countTokens, mostRequestTokens } from './tokens.ts'

const usage = (input: number, output: number, cached = 0, reasoning = 0): ModelUsage => ({
  input,
  output,
  cached,
  reasoning,
})
const price = (
  input: number,
  output: number,
  cacheRead: number | null = null,
  cacheWrite: number | null = null,
) => ({
  input,
  output,
  cacheRead,
  cacheWrite,
  source: 'test',
  date: '2026-01-01',
})
const request = (text: string, maxOutputTokens = 100): ModelRequest => ({
  purpose: 'chat',
  system: '',
  messages: [{ role: 'user', text }],
  tools: [],
  maxOutputTokens,
})
const tier = (above: number, input: number, output: number): PriceTier => ({
  above,
  input,
  output,
  cacheRead: null,
  cacheWrite: null,
})

describe('what a call came to', () => {
  it('is the tokens at the price for a million of them', () => {
    expect(costNanos({ price: price(3, 15) }, usage(1_000, 100))).toBe(3_000_000 + 1_500_000)
  })

  it('charges cached input at its own price, and as plain input where it has none', () => {
    expect(costNanos({ price: price(3, 15, 0.3) }, usage(1_000, 0, 400))).toBe(600 * 3_000 + 400 * 300)
    expect(costNanos({ price: price(3, 15) }, usage(1_000, 0, 400))).toBe(3_000_000)
  })

  it('rounds a fraction up, but not what is only inexact in binary', () => {
    expect(costNanos({ price: price(0.0005, 0) }, usage(1, 0))).toBe(1)
    expect(costNanos({ price: price(0.07, 0) }, usage(100, 0))).toBe(7_000)
    expect(costNanos({ price: price(0.1 + 0.2, 0) }, usage(10, 0))).toBe(3_000)
  })

  it('charges a request whole at the price of the tier that it passes, and not at its edge', () => {
    const facts = { price: price(1, 2), tiers: [tier(200, 2, 3)] }
    expect(costNanos(facts, usage(200, 10))).toBe(200_000 + 20_000)
    expect(costNanos(facts, usage(201, 10))).toBe(402_000 + 30_000)
  })

  it('does not become cheaper by a tier that is cheaper', () => {
    const facts = { price: price(2, 2), tiers: [tier(200, 1, 1)] }
    expect(costNanos(facts, usage(300, 0))).toBe(600_000)
  })

  it('adds what the call itself costs', () => {
    expect(costNanos({ price: price(1, 1), perCall: 0.014 }, usage(0, 0))).toBe(14_000_000)
  })

  it('is dear where nobody says a price', () => {
    expect(costNanos({ price: null }, usage(1_000, 1_000))).toBe(
      1_000_000 * unknownPrice.input + 1_000_000 * unknownPrice.output,
    )
  })

  it('takes what is not a count to be none, and more cached than input to be input', () => {
    expect(costNanos({ price: price(1, 1) }, usage(Number.NaN, -5))).toBe(0)
    expect(costNanos({ price: price(1, 1, 0.5) }, usage(100, 0, 200))).toBe(100_000)
  })
})

describe('an estimate', () => {
  it('allows for tokenizers that make more of a text than ours does', async () => {
    const text = 'The operator approves what leaves the machine. '.repeat(50)
    const [counted, { output }] = [await countTokens(text), await estimatedUsage(request(''), text)]
    expect(output).toBe(Math.ceil(counted * 1.4))
  })

  it('is never more than the bound', async () => {
    expect((await estimatedUsage(request(''), 'q')).output).toBe(1)
    expect((await estimatedUsage(request(''), '')).output).toBe(0)
  })
})

describe('what a call can come to at worst', () => {
  it('takes the dearest price that input can have', () => {
    const input = mostRequestTokens(request('hello'))
    expect(worstNanos({ price: price(3, 15, 0.3, 3.75), output: null }, request('hello', 0))).toBe(
      input * 3_750,
    )
  })

  it('takes the smaller of the limits on output', () => {
    const facts = { price: price(0, 1), output: 50 }
    expect(worstNanos(facts, request('', 100))).toBe(50_000)
    expect(worstNanos(facts, request('', 20))).toBe(20_000)
    expect(worstNanos({ ...facts, output: null }, request('', 100))).toBe(100_000)
  })

  it('takes the price of a tier that the input may pass', () => {
    const facts = { price: price(1, 0), tiers: [tier(1_000, 2, 0)], output: null }
    const long = request('x'.repeat(4_000))
    expect(worstNanos(facts, long)).toBe(mostRequestTokens(long) * 2_000)
  })

  it('counts an image, and not the letters that it is sent as', () => {
    const shown: ModelRequest = {
      ...request('look'),
      messages: [
        { role: 'user', text: 'look', images: [{ mediaType: 'image/png', base64: 'A'.repeat(1_000_000) }] },
      ],
    }
    expect(mostRequestTokens(shown) - mostRequestTokens(request('look'))).toBe(4_000)
  })
})

const amount = fc.oneof(fc.constant(0), fc.double({ min: 0, max: 700, noNaN: true }))
const rates = { input: amount, output: amount, cacheRead: fc.option(amount), cacheWrite: fc.option(amount) }
const someFacts: fc.Arbitrary<PriceFacts> = fc.record({
  price: fc.option(fc.record({ ...rates, source: fc.constant('test'), date: fc.constant('') })),
  tiers: fc.array(fc.record({ above: fc.integer({ min: 1, max: 3_000 }), ...rates }), { maxLength: 3 }),
  perCall: fc.double({ min: 0, max: 1, noNaN: true }),
})
const someRequest: fc.Arbitrary<ModelRequest> = fc
  .record({
    system: fc.string({ maxLength: 200 }),
    text: fc.string({ unit: 'grapheme', maxLength: 2_000 }),
    args: fc.string({ maxLength: 200 }),
    schema: fc.dictionary(fc.string({ maxLength: 20 }), fc.string({ maxLength: 20 }), { maxKeys: 5 }),
    maxOutputTokens: fc.integer({ min: 0, max: 10_000 }),
  })
  .map(({ system, text, args, schema, maxOutputTokens }) => ({
    purpose: 'chat',
    system,
    messages: [
      { role: 'user', text },
      { role: 'assistant', text: '', calls: [{ id: 'call_1', name: 'read_file', args }] },
      { role: 'tool', results: [{ callId: 'call_1', name: 'read_file', text, isError: false }] },
    ],
    tools: [{ name: 'read_file', description: text.slice(0, 50), schema }],
    maxOutputTokens,
  }))

describe('for every price and every request', () => {
  it('no usage within the bounds costs more than the worst case', () => {
    fc.assert(
      fc.property(
        someFacts,
        someRequest,
        fc.option(fc.integer({ min: 1, max: 5_000 })),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (facts, asked, limit, inputShare, outputShare, cachedShare) => {
          const worst = worstNanos({ ...facts, output: limit }, asked)
          const input = Math.floor(mostRequestTokens(asked) * inputShare)
          const output = Math.floor(
            Math.min(asked.maxOutputTokens, limit ?? asked.maxOutputTokens) * outputShare,
          )
          const cost = costNanos(facts, usage(input, output, Math.floor(input * cachedShare), output))
          expect(Number.isSafeInteger(cost) && Number.isSafeInteger(worst)).toBe(true)
          expect(cost).toBeLessThanOrEqual(worst)
        },
      ),
      { numRuns: 1_000 },
    )
  })

  it('more tokens of a kind never cost less', () => {
    const count = fc.integer({ min: 0, max: 4_000 })
    fc.assert(
      fc.property(someFacts, count, count, count, count, (facts, plain, cached, output, more) => {
        const cost = (a: number, b: number, c: number) => costNanos(facts, usage(a + b, c, b))
        const before = cost(plain, cached, output)
        expect(cost(plain + more, cached, output)).toBeGreaterThanOrEqual(before)
        expect(cost(plain, cached + more, output)).toBeGreaterThanOrEqual(before)
        expect(cost(plain, cached, output + more)).toBeGreaterThanOrEqual(before)
      }),
      { numRuns: 1_000 },
    )
  })

  it('our own count of a request is within the bound', async () => {
    await fc.assert(
      fc.asyncProperty(someRequest, async (asked) => {
        const counted = await estimatedUsage(asked, asked.system)
        const bound = boundedUsage(asked, asked.system)
        expect(counted.input).toBeLessThanOrEqual(bound.input)
        expect(counted.output).toBeLessThanOrEqual(bound.output)
      }),
      { numRuns: 300 },
    )
  })
})
