import { randomBytes } from 'node:crypto'
import type { ModelRequest } from '@countersign/agent'
import { describe, expect, it } from 'vitest'
import { countRequestTokens, countTokens, mostTokens } from './tokens.ts'

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
    const started = performance.now()
    const many = await countTokens(prose.repeat(100_000))
    expect(performance.now() - started).toBeLessThan(3_000)
    expect(many / (thousand * 100)).toBeGreaterThan(0.99)
    expect(many / (thousand * 100)).toBeLessThan(1.02)
  })

  it('is not held up by a word without end', async () => {
    const started = performance.now()
    expect(await countTokens('a'.repeat(150_000))).toBeGreaterThan(10_000)
    expect(await countTokens(' '.repeat(150_000))).toBeGreaterThan(100)
    expect(performance.now() - started).toBeLessThan(5_000)
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
    'letters at random': Array.from(randomBytes(3_000), (byte) => String.fromCharCode(97 + (byte % 26))).join(
      '',
    ),
  }
  it.each(Object.entries(texts))('is not passed by %s', async (_, text) => {
    expect(await countTokens(text)).toBeLessThanOrEqual(mostTokens(text))
  })

  it('is no less than one for two bytes', () => {
    for (const text of Object.values(texts)) {
      expect(mostTokens(text)).toBeGreaterThanOrEqual(Buffer.byteLength(text) / 2)
    }
  })
})
