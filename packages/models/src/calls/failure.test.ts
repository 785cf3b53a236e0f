import { describe, expect, test } from 'vitest'
import { BodyFault, failureOf } from './failure.ts'

const facts = { replyBegan: true, apiKey: 'sk-secret' }
const status = (statusCode: number, more: Record<string, unknown> = {}) =>
  failureOf({ statusCode, ...more }, facts)

describe('what went wrong', () => {
  test.each([
    ['5', 5_000],
    ['0.5', 500],
    ['99999999999', 24 * 60 * 60_000],
  ])('reads the wait of %s seconds', (value, expected) => {
    expect(status(429, { responseHeaders: { 'retry-after': value } }).retryAfterMs).toBe(expected)
  })

  test('reads a wait in milliseconds, as a date, from the body and from the limits, in this order', () => {
    const date = { date: 'Wed, 21 Oct 2026 07:28:00 GMT', 'retry-after': 'Wed, 21 Oct 2026 07:28:30 GMT' }
    const limits = { 'x-ratelimit-reset-requests': '6m0.5s', 'x-ratelimit-remaining-requests': '0' }
    const tokens = { 'x-ratelimit-reset-tokens': '120ms', 'x-ratelimit-remaining-tokens': '7' }
    const responseBody = '{"error":{"details":[{"retryDelay": "12.5s"}]}}'
    const wait = (responseHeaders: object, more = {}) =>
      status(429, { responseHeaders, ...more }).retryAfterMs
    expect(wait({ 'retry-after-ms': '250', ...date })).toBe(250)
    expect(wait(date, { responseBody })).toBe(30_000)
    expect(wait(limits, { responseBody })).toBe(12_500)
    expect(wait({ ...limits, ...tokens })).toBe(360_500)
    expect(wait(tokens)).toBe(120)
    expect(wait({ 'x-ratelimit-reset-tokens': 'soon', 'retry-after': 'later' })).toBeUndefined()
  })

  test('tells an empty account from a passing limit, whatever the status', () => {
    const empty = [
      status(402),
      status(429, { responseBody: '{"error":{"code":"insufficient_quota"}}' }),
      status(400, { message: 'Your credit balance is too low to access the API.' }),
      failureOf({ type: 'insufficient_quota', message: 'You exceeded your quota.' }, facts),
    ]
    expect(empty.map(({ kind }) => kind)).toEqual(['key', 'key', 'key', 'key'])
    expect(empty[0]?.message).toMatch(/top it up/)
    expect(status(429, { message: 'Too fast.' }).kind).toBe('rate_limited')
  })

  test.each([
    [{ type: 'overloaded_error', message: 'x' }, 'unavailable'],
    [{ status: 'RESOURCE_EXHAUSTED', code: 8 }, 'rate_limited'],
    [{ status: 'DEADLINE_EXCEEDED' }, 'timeout'],
    [{ status: 'UNAUTHENTICATED' }, 'key'],
    [{ status: 'INVALID_ARGUMENT' }, 'invalid'],
    [{ code: 502, message: 'upstream' }, 'unavailable'],
    [{ message: 'something broke' }, 'unavailable'],
    [{}, 'unknown'],
    [new Error('bug'), 'unknown'],
  ])('names the error event %j', (error, kind) => {
    expect(failureOf(error, facts).kind).toBe(kind)
  })

  test('takes a wrong key for one, also as a bad request, and 529 for a passing state', () => {
    expect(status(400, { responseBody: '{"error":{"details":[{"reason":"API_KEY_INVALID"}]}}' }).kind).toBe(
      'key',
    )
    expect(status(400, { responseBody: '{"error":"Incorrect API key provided"}' }).kind).toBe('key')
    expect(status(400).kind).toBe('invalid')
    expect(status(529).kind).toBe('unavailable')
  })

  test('finds its own word in the causes of an error, and repeats neither the key nor control characters', () => {
    const fault = new BodyFault({ kind: 'invalid', message: 'Too long.' })
    expect(failureOf(new Error('wrapped', { cause: fault }), facts)).toEqual(fault.failure)
    const said = new BodyFault({ kind: 'unavailable', message: '' }, 'no \u001b[31mmemory')
    expect(failureOf(said, facts).message).toBe('The provider ended the reply: no [31mmemory')
    const leak = new BodyFault({ kind: 'unavailable', message: '' }, 'key sk-secret is bad')
    expect(failureOf(leak, facts).message).not.toContain('sk-secret')
  })
})
