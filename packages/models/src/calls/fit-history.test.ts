import type { ModelMessage, ModelRequest } from '@countersign/agent'
import { describe, expect, test } from 'vitest'
import { fitHistory, leastRequest } from './fit-history.ts'

const user = (text: string): ModelMessage => ({ role: 'user', text })
const said = (text: string): ModelMessage => ({ role: 'assistant', text, calls: [] })
const request = (messages: readonly ModelMessage[], more: Partial<ModelRequest> = {}): ModelRequest => ({
  purpose: 'chat',
  system: 's'.repeat(400),
  messages,
  tools: [],
  maxOutputTokens: 100,
  ...more,
})
const long = [user('a'.repeat(4_000)), said('b'.repeat(4_000)), user('c'.repeat(400)), said('d'), user('now')]

describe('a conversation', () => {
  test('is left as it is where the model holds it or nobody says how much it holds', () => {
    const whole = request(long)
    expect(fitHistory(whole, null)).toBe(whole)
    expect(fitHistory(whole, 200_000)).toBe(whole)
  })

  test('loses its oldest exchanges where the model holds less, and never the question', () => {
    expect(fitHistory(request(long), 1_000).messages).toEqual(long.slice(2))
    expect(fitHistory(request(long), 100).messages).toEqual(long.slice(4))
    const question = request([user('x'.repeat(100_000))])
    expect(fitHistory(question, 1_000)).toBe(question)
  })

  test('keeps the calls that follow the question with their results', () => {
    const work: ModelMessage[] = [
      user('Look.'),
      { role: 'assistant', text: '', calls: [{ id: '1', name: 'read', args: '{}' }] },
      { role: 'tool', results: [{ callId: '1', name: 'read', text: 'r'.repeat(8_000), isError: false }] },
    ]
    expect(fitHistory(request([...long, ...work]), 1_000).messages).toEqual(work)
    expect(leastRequest(request([...long, ...work])).messages).toEqual(work)
  })

  test('leaves room for tools, the system and the reply', () => {
    const tools = [{ name: 't', description: 'x'.repeat(2_000), schema: {} }]
    expect(fitHistory(request(long, { tools }), 1_000).messages).toEqual(long.slice(2))
    expect(fitHistory(request(long, { tools }), 700).messages).toEqual(long.slice(4))
    expect(fitHistory(request(long, { maxOutputTokens: 950 }), 1_100).messages).toEqual(long.slice(4))
  })
})
