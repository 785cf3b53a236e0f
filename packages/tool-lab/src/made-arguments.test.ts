import { canonicalText, type JsonObject } from '@countersign/contract'
import { builtinTools, type ToolDefinition, toFacts } from '@countersign/tools'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { checkArguments } from './argument-check.ts'
import { checkCards } from './card-check.ts'
import { checkDisplay } from './display-check.ts'
import { textFor } from './pattern-text.ts'
import { createSampler } from './sample.ts'
import { textPaths } from './schema.ts'
import { createSeededRandom } from './seeded-random.ts'
import { violate } from './violation.ts'

const shape = z.strictObject({
  name: z.string().min(2).max(10),
  code: z.string().regex(/^[A-Z]{2}-\d{3,5}$/),
  count: z.int().min(1).max(9).optional(),
  ratio: z.number().gt(0).lt(1).optional(),
  kind: z.enum(['left', 'right']),
  when: z.iso.date().optional(),
  tags: z.array(z.string().max(5)).min(1).max(3),
  inner: z.strictObject({ on: z.boolean(), words: z.record(z.string(), z.string()) }),
})
const schema = z.toJSONSchema(shape, { io: 'input' }) as JsonObject

describe('chance', () => {
  it('falls the same way for the same seed only', () => {
    const throws = (seed: number) =>
      Array.from({ length: 20 }, () => createSeededRandom(seed).int(1e6)).join()
    expect(throws(5)).toBe(throws(5))
    const long = (seed: number) => {
      const random = createSeededRandom(seed)
      return Array.from({ length: 20 }, () => random.int(1e6)).join()
    }
    expect(long(5)).not.toBe(long(6))
  })
})

describe('a text for a pattern', () => {
  it('fits it, for the patterns that schemas have', () => {
    for (const pattern of [
      '^[a-z][a-z0-9_-]{0,63}$',
      '^(?:[0-9a-f]{40}|[0-9a-f]{64})$',
      '^https?:\\/\\/[A-Za-z0-9.-]+(?::[0-9]{1,5})?(?:\\/[A-Za-z0-9._~/-]*)?$',
      '^[\\p{L}\\p{N}_. -]+$',
      '^[^\\s]+@\\w+\\.(?<end>com|org)$',
    ])
      for (let seed = 0; seed < 20; seed += 1)
        expect(textFor(pattern, createSeededRandom(seed)), pattern).toMatch(new RegExp(pattern, 'u'))
  })

  it('is not made for a pattern that is not understood', () => {
    expect(textFor('^(?=.*[A-Z]).{8,}$', createSeededRandom(1))).toBeUndefined()
    expect(textFor('([', createSeededRandom(1))).toBeUndefined()
  })
})

describe('made-up arguments', () => {
  it('fit the schema, and differ', () => {
    const sampler = createSampler(schema, createSeededRandom(1))
    const made = Array.from({ length: 200 }, () => sampler.sample())
    for (const args of made) expect(shape.safeParse(args).error?.issues, JSON.stringify(args)).toBeUndefined()
    expect(new Set(made.map((args) => canonicalText(args ?? {}))).size).toBeGreaterThan(150)
  })

  it('do not fit it after one change, and say which', () => {
    const random = createSeededRandom(2)
    const sampler = createSampler(schema, random)
    const reasons = new Set<string>()
    for (let made = 0; made < 300; made += 1) {
      const wrong = violate(schema, sampler.sample() ?? {}, random)
      expect(shape.safeParse(wrong?.value).success, JSON.stringify(wrong)).toBe(false)
      reasons.add(wrong?.why ?? '')
    }
    expect(reasons).toContain('inner.never_heard_of: an unknown member')
    expect(reasons).toContain('kind: not one of the choices')
    expect(reasons).toContain('code: left out')
  })

  it('forgive a parameter with a limit what the limit makes right', () => {
    const limited = {
      type: 'object',
      properties: { limit: { type: 'integer', maximum: 5 } },
      required: ['limit'],
      additionalProperties: false,
    }
    const random = createSeededRandom(3)
    const reasons = Array.from(
      { length: 100 },
      () => violate(limited, { limit: 5 }, random, { limited: 'limit' })?.why,
    )
    expect(reasons).not.toContain('limit: above 5')
    expect(reasons).not.toContain('limit: left out')
  })

  it('find every place that takes a text', () => {
    expect(textPaths(schema).map((place) => place.join('.'))).toEqual([
      'name',
      'code',
      'when',
      'tags.*',
      'inner.words.*',
    ])
  })
})

describe('the built-in tools', () => {
  const ambient = {
    loading: async <T>(work: () => Promise<T>) => work(),
    inTool: <T>(work: () => T) => work(),
    inCapability: <T>(work: () => T) => work(),
    uses: () => [],
    imported: () => [],
    close: () => undefined,
  }
  const step = async () => undefined

  // Every tool in one test: seconds of work, which is minutes on a busy machine.
  it('hold what is asked of the arguments and cards of others', { timeout: 600_000 }, async () => {
    const problems: string[] = []
    for (const definition of builtinTools) {
      const facts = toFacts(definition)
      const { check, taken } = await checkArguments({
        facts,
        examples: [],
        count: 60,
        random: createSeededRandom(4),
        limited: definition.limit?.param,
        step,
      })
      // Without a world to look at, only what comes from the arguments alone.
      const { effects: _effects, ...rest } = definition as ToolDefinition & { effects?: unknown }
      const subject = {
        definition: rest as ToolDefinition,
        facts,
        ambient,
        effects: () => Promise.reject(new Error()),
      }
      const cards = await checkCards({ subject, taken, step })
      const display = await checkDisplay({ subject, taken, step })
      for (const { name, problems: found } of [check, cards, display])
        for (const { sentence, args } of found)
          problems.push(`${definition.name}, ${name}: ${sentence} ${args}`)
    }
    expect(problems).toEqual([])
  })
})
