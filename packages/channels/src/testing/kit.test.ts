import { describe, expect, it } from 'vitest'
import { expect as caseExpects } from './conformance/expect.ts'
import { runCases } from './kit.ts'
import { memoryChannel, memoryWithout } from './memory-channel.ts'

const patienceMs = 400

describe('the kit for the channels of others', () => {
  it('passes a channel that is right, and names the case that one does not pass', async () => {
    const right = memoryChannel()
    const report = await runCases({
      adapter: right.adapter,
      platform: await right.open(),
      without: memoryWithout,
      patienceMs: 5_000,
    })
    expect(report.problems).toEqual([])
    expect(report.cases).toBeGreaterThanOrEqual(60)
    const wrong = memoryChannel('sends-twice')
    const { problems } = await runCases({
      adapter: wrong.adapter,
      platform: await wrong.open(),
      without: memoryWithout,
      patienceMs,
    })
    expect(problems.map(({ title }) => title)).toContain('shows a message once, and only where it was sent')
  }, 120_000)

  it('lets no platform leave out a case unseen', async () => {
    const { adapter, open } = memoryChannel()
    const { threads: _, ...without } = memoryWithout
    const { problems } = await runCases({ adapter, platform: await open(), without, patienceMs })
    expect(problems.map(({ problem }) => problem)).toContain(
      'The scripted platform cannot do threads, and `without` does not say why.',
    )
  }, 120_000)
})

describe('what a case expects', () => {
  it.each<[string, () => void]>([
    ['another value', () => caseExpects(1).toBe(2)],
    ['another list', () => caseExpects([1, 2]).toEqual([2, 1])],
    ['something more', () => caseExpects({ a: 1 }).toEqual({ a: 1, b: 2 })],
    ['a part that is not there', () => caseExpects({ a: { b: 1 } }).toMatchObject({ a: { b: 2 } })],
    ['a longer list', () => caseExpects({ a: [1] }).toMatchObject({ a: [1, 2] })],
    ['a word', () => caseExpects('abc').toContain('d')],
    ['no word', () => caseExpects('abc').not.toContain('b')],
    ['other bytes', () => caseExpects(Buffer.from('a')).toEqual(new Uint8Array([98]))],
    ['nothing', () => caseExpects(0).toBeNull()],
    ['more', () => caseExpects(1).toBeGreaterThan(1)],
    ['at least', () => caseExpects(1).toBeGreaterThanOrEqual(2)],
    ['at most', () => caseExpects(2).toBeLessThanOrEqual(1)],
    ['a form', () => caseExpects('abc').toMatch(/^b/)],
  ])('says when it is not so: %s', (_, check) => expect(check).toThrow())

  it('takes what is so', () => {
    caseExpects({ a: { b: 1, c: 2 } }).toMatchObject({ a: { b: 1 } })
    caseExpects(Buffer.from('a')).toEqual(new Uint8Array([97]))
    caseExpects({ a: 1, b: undefined }).toEqual({ a: 1 })
    caseExpects('abc').not.toMatch(/d/)
  })
})
