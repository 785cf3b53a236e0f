import { describe, expect, test } from 'vitest'
import type { DeliveryView } from './api-channels.ts'
import { channelTestOutcome, testsIn } from './channel-test.ts'

const delivery = (
  id: string,
  state: DeliveryView['state'],
  more: { kind?: DeliveryView['kind']; problem?: string } = {},
) => ({ id, state, kind: more.kind ?? ('test' as const), problem: more.problem ?? null })

describe('what became of a test line', () => {
  test('an earlier one says nothing of this one', () => {
    const before = testsIn([delivery('a', 'sent')])
    expect(channelTestOutcome([delivery('a', 'sent')], before).kind).toBe('waiting')
    expect(channelTestOutcome([delivery('b', 'sent'), delivery('a', 'sent')], before).kind).toBe('sent')
  })

  test('a reply that arrived is no test that did', () => {
    expect(channelTestOutcome([delivery('a', 'sent', { kind: 'reply' })], new Set()).kind).toBe('waiting')
    expect(testsIn([delivery('a', 'sent', { kind: 'reply' })]).size).toBe(0)
  })

  test('it is waited for while one may still arrive, and one is enough', () => {
    const none = new Set<string>()
    expect(channelTestOutcome([delivery('a', 'refused'), delivery('b', 'sending')], none).kind).toBe(
      'waiting',
    )
    expect(channelTestOutcome([delivery('a', 'refused'), delivery('b', 'sent')], none).kind).toBe('sent')
    expect(channelTestOutcome([delivery('a', 'unknown'), delivery('b', 'expired')], none).kind).toBe(
      'unknown',
    )
  })

  test('a failure says why', () => {
    const found = [delivery('a', 'expired'), delivery('b', 'refused', { problem: 'Blocked.' })]
    expect(channelTestOutcome(found, new Set())).toEqual({ kind: 'failed', problem: 'Blocked.' })
    expect(channelTestOutcome([delivery('a', 'expired')], new Set())).toEqual({
      kind: 'failed',
      problem: null,
    })
  })
})
