import { randomBytes } from 'node:crypto'
import type { ModelRequest } from '@countersign/agent'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { growthOf, mostGrowth } from '../../../../tests/harness/src/growth.ts'
import { countRequestTokens, countTokens, mostRequestTokens, mostTokens } from './tokens.ts'

const prose = 'The operator approves what leaves the machine, and nothing else does. '

describe('counting tokens', () => {
  it('counts as the tokenizer of o200k_base does', async () => {
    expect(await countTokens('')).toBe(0)
    expect(await countTokens('hello world')).toBe(2)
  })

  it('takes words that the tokenizer reserves to be ordinary text', async () => {
    expect(await countTokens('<|endoftext|>')).toBeGreaterThan(3)
    expect(await countTokens('<|im_start|>system<|im_end|>')).toBeGreaterThan(6)
  })

  it('counts a part of a very long text, and is near all the same', async () => {
    const thousand = await countTokens(prose.repeat(1_000))
    const many = await countTokens(prose.repeat(100_000))
    expect(many / (thousand * 100)).toBeGreaterThan(0.99)
    expect(many / (thousand * 100)).toBeLessThan(1.02)
    // Eight times the text is eight times the work, unless only a part is counted.
    const growth = await growthOf(5_000, (times) => prose.repeat(times), countTokens)
    expect(growth).toBeLessThan(4)
  })

  it('is not held up by a word without end', async () => {
    expect(await countTokens('a'.repeat(150_000))).toBeGreaterThan(10_000)
    expect(await countTokens(' '.repeat(150_000))).toBeGreaterThan(100)
    for (const letter of ['a', ' ']) {
      const growth = await growthOf(10_000, (length) => letter.repeat(length), countTokens)
      expect(growth).toBeLessThan(mostGrowth)
    }
  })

  it('counts everything that is sent', async () => {
    const empty: ModelRequest = { purpose: 'chat', system: '', messages: [], tools: [], maxOutputTokens: 1 }
    const base = await countRequestTokens(empty)
    const grown: ModelRequest[] = [
      { ...empty, system: prose },
      { ...empty, messages: [{ role: 'user', text: prose }] },
      { ...empty, messages: [{ role: 'assistant', text: '', calls: [{ id: '1', name: 'n', args: prose }] }] },
      {
        ...empty,
        messages: [{ role: 'tool', results: [{ callId: '1', name: 'n', text: prose, isError: false }] }],
      },
      { ...empty, tools: [{ name: 'n', description: 'd', schema: { title: prose } }] },
    ]
    for (const request of grown) expect(await countRequestTokens(request)).toBeGreaterThan(base + 10)
  })
})

describe('the most tokens that a text can be', () => {
  const texts: Record<string, string> = {
    prose: prose.repeat(20),
    digits: '31415926535897932384626433832795'.repeat(20),
    'encoded data': randomBytes(3_000).toString('base64'),
    hexadecimal: randomBytes(3_000).toString('hex'),
    json: JSON.stringify(Array.from({ length: 50 }, (_, index) => ({ id: index, ok: index % 2 === 0 }))),
    signs: '!@#$%^&*()_+-=[]{}|;:,.<>?/~`'.repeat(30),
    Chinese: '操作员批准离开机器的内容，除此之外什么都不会离开。'.repeat(30),
    Japanese: 'オペレーターは機械から出るものを承認します。'.repeat(30),
    Arabic: 'يوافق المشغل على ما يغادر الجهاز ولا شيء غير ذلك. '.repeat(30),
    Russian: 'Оператор одобряет то, что покидает машину. '.repeat(30),
    Hindi: 'ऑपरेटर मशीन छोड़ने वाली चीज़ों को मंज़ूरी देता है। '.repeat(30),
    Amharic: 'ኦፕሬተሩ ከማሽኑ የሚወጣውን ያጸድቃል። '.repeat(30),
    emoji: '👩‍🚀🏴󠁧󠁢󠁥󠁮󠁧󠁿🤷🏽‍♂️🫠🪿'.repeat(30),
    'letters at random': randomOf('abcdefghijklmnopqrstuvwxyz'),
    'letters that never stand together': randomOf('qzxjvkw'),
    'pairs that never merge': ['qg', 'jz', 'kq'].map((pair) => pair.repeat(3_000)).join(' '),
    'rare Han': fromPlaces(0x3400, 0x4dbf) + fromPlaces(0x9fa6, 0x9fff) + fromPlaces(0x20000, 0x20400),
    'every kana': fromPlaces(0x3041, 0x30ff).repeat(5),
    'every Hangul syllable': fromPlaces(0xac00, 0xd7a3),
    'bytes at random': randomBytes(3_000).toString('latin1'),
    'signs that stand for whole phrases': '\ufdfa\ufdfb\u3300\u33ff'.repeat(100),
    'halves of pairs': '\ud83d'.repeat(500),
  }
  it.each(Object.entries(texts))('is not passed by %s', async (_, text) => {
    expect(await countTokens(text)).toBeLessThanOrEqual(mostTokens(text))
    expect(await countTokens(text.normalize('NFKC'))).toBeLessThanOrEqual(mostTokens(text))
  })

  it('is reached: nothing less would do', async () => {
    const pairs = 'qg'.repeat(3_000)
    expect(await countTokens(pairs)).toBe(mostTokens(pairs))
  })

  it('is not passed by anything', async () => {
    const anything = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 500 }),
      fc.string({ unit: 'binary', maxLength: 500 }),
      fc.string({ unit: fc.constantFrom('q', 'g', 'j', 'z', 'k', 'x'), maxLength: 500 }),
      fc.base64String({ maxLength: 500 }),
    )
    await fc.assert(
      fc.asyncProperty(anything, async (text) => {
        expect(await countTokens(text)).toBeLessThanOrEqual(mostTokens(text))
      }),
      { numRuns: 500 },
    )
  })

  it('is not passed by a request of many short texts', async () => {
    const request: ModelRequest = {
      purpose: 'chat',
      system: 'q',
      messages: Array.from({ length: 50 }, () => ({ role: 'user', text: 'q' })),
      tools: [],
      maxOutputTokens: 1,
    }
    expect(await countRequestTokens(request)).toBeLessThanOrEqual(mostRequestTokens(request))
  })

  it('is the length of plain prose, about five times what it comes to', async () => {
    const text = prose.repeat(20)
    expect(mostTokens(text)).toBe(text.length)
    expect(mostTokens(text)).toBeLessThanOrEqual((await countTokens(text)) * 6)
  })
})

function randomOf(letters: string): string {
  return Array.from(randomBytes(3_000), (byte) => letters[byte % letters.length]).join('')
}

function fromPlaces(first: number, last: number): string {
  return Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index)).join('')
}
