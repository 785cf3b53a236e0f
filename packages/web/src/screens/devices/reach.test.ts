import { describe, expect, test } from 'vitest'
import { offeredReach, presenceOf } from './reach.ts'

describe('the reach of a new device', () => {
  test('a phone that asks to seal is offered to decide, a computer what it asks for', () => {
    expect(offeredReach({ reach: 3, platform: 'iPhone' })).toBe(2)
    expect(offeredReach({ reach: 3, platform: 'Android' })).toBe(2)
    expect(offeredReach({ reach: 3, platform: 'Linux' })).toBe(3)
  })

  test('nobody is offered more than they ask for', () => {
    expect(offeredReach({ reach: 0, platform: 'iPhone' })).toBe(0)
    expect(offeredReach({ reach: 2, platform: 'macOS' })).toBe(2)
  })
})

describe('the presence of a device', () => {
  test('it is there while it has a connection, and was seen otherwise', () => {
    expect(presenceOf({ connections: 2, seenAt: null })).toMatchObject({ isHere: true })
    expect(presenceOf({ connections: 0, seenAt: '2026-11-15T10:00:00.000Z' })).toMatchObject({
      isHere: false,
      seen: '2026-11-15T10:00:00.000Z',
    })
  })

  test('one that the gateway has not met since its start is said to be so', () => {
    expect(presenceOf({ connections: 0, seenAt: null }).words).toContain('not seen')
  })
})
