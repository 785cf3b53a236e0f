import { describe, expect, it } from 'vitest'
import { createReach } from './reach.ts'

describe('what a page may reach', () => {
  it('is what was set last, host and port, in any case', () => {
    const reach = createReach()
    reach.set([{ host: 'bank.test', port: 443 }])
    expect(reach.asks('bank.test', 443)).toBe(true)
    reach.set([{ host: 'shop.test', port: 443 }])
    expect(reach.asks('bank.test', 443)).toBe(false)
    expect(reach.asks('SHOP.test', 443)).toBe(true)
    for (const [host, port] of [
      ['shop.test', 80],
      ['a.shop.test', 443],
      ['shop.test.evil', 443],
      ['shop.test.', 443],
    ] as const)
      expect(reach.asks(host, port)).toBe(false)
  })

  it('tells what was refused, once', () => {
    const reach = createReach()
    expect(reach.takeRefused()).toBeUndefined()
    reach.asks('cdn.test', 443)
    expect(reach.takeRefused()).toBe('1 request to other hosts was blocked: cdn.test.')
    for (const host of ['b.test', 'a.test', 'b.test']) reach.asks(host, 8080)
    reach.asks('‹not a host›', 80)
    expect(reach.takeRefused()).toBe(
      '4 requests to other hosts were blocked: a.test:8080, an unnamed host, b.test:8080.',
    )
    expect(reach.takeRefused()).toBeUndefined()
  })

  it('names ten hosts and counts all', () => {
    const reach = createReach()
    for (let index = 0; index < 500; index += 1) reach.asks(`h${index}.test`, 443)
    const text = reach.takeRefused() ?? ''
    expect(text).toMatch(/^500 requests .* and others\.$/)
    expect(text.match(/\.test/g)).toHaveLength(10)
  })
})
