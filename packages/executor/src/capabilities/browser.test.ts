import { type ApprovalSubject, operatorLabel, type UrlResource } from '@countersign/contract'
import type { BrowserAction } from '@countersign/tools'
import { describe, expect, it } from 'vitest'
import type { BrowserCall } from '../browser/browser-pool.ts'
import { browserCapabilities } from './browser.ts'

const page: UrlResource = {
  type: 'url',
  scheme: 'http',
  host: 'shop.test',
  port: 80,
  method: 'GET',
  addressClass: 'name',
  redirects: 'refused',
  carries: 'address',
}
const navigation: UrlResource = { ...page, redirects: 'same-host' }
const url = 'http://shop.test/cart'

async function act(resources: UrlResource[], action: BrowserAction): Promise<BrowserCall | string> {
  let call: BrowserCall | undefined
  const browser = {
    act: async (given: BrowserCall) => {
      call = given
      return { kind: 'failed' as const, reason: 'reached' }
    },
  }
  const subject = { session: 'ses_one', resources, provenance: operatorLabel } as unknown as ApprovalSubject
  const outcome = await browserCapabilities(subject, { browser }).act(
    action,
    1000,
    new AbortController().signal,
  )
  return call ?? (outcome.kind === 'failed' ? outcome.reason : 'seen')
}

describe('the capabilities on the browser', () => {
  it('open what a permit to navigate names: its host on both sides, and the others', async () => {
    const other: UrlResource = { ...page, host: 'cdn.test', port: 8080, method: 'CONNECT' }
    expect(await act([navigation, other], { action: 'navigate', url })).toEqual({
      session: 'ses_one',
      action: { action: 'navigate', url },
      opens: [
        { host: 'shop.test', port: 80 },
        { host: 'shop.test', port: 443 },
        { host: 'cdn.test', port: 8080 },
      ],
      label: operatorLabel,
    })
  })

  it('open for a click what its own permit names, and nothing for a permit to read', async () => {
    expect(await act([page], { action: 'text', url, selector: null })).toMatchObject({ opens: [] })
    const click: BrowserAction = { action: 'click', url, selector: 'a' }
    const other: UrlResource = { ...page, host: 'pay.test', port: 443, scheme: 'https', method: 'CONNECT' }
    expect(await act([{ ...page, method: 'POST' }, other], click)).toMatchObject({
      opens: [
        { host: 'shop.test', port: 80 },
        { host: 'pay.test', port: 443 },
      ],
    })
  })

  it('do with a permit only what it is for', async () => {
    const refused = 'The permit names another page.'
    const click: BrowserAction = { action: 'click', url, selector: 'a' }
    expect(await act([page], { action: 'navigate', url })).toBe(refused)
    expect(await act([page], click)).toBe(refused)
    expect(await act([navigation], click)).toBe(refused)
    expect(await act([navigation], { action: 'html', url, selector: null })).toBe(refused)
    expect(await act([], { action: 'text', url, selector: null })).toBe(refused)
    for (const other of [
      'https://shop.test/cart',
      'http://shop.test:81/cart',
      'http://evil.test/cart',
      'http://shop.test@evil.test/',
      'file:///cart',
    ])
      expect(await act([navigation], { action: 'navigate', url: other })).toBe(refused)
  })

  it('say so where there is no browser', async () => {
    const subject = { session: 'ses_one', resources: [navigation] } as unknown as ApprovalSubject
    const outcome = await browserCapabilities(subject).act(
      { action: 'navigate', url },
      1000,
      new AbortController().signal,
    )
    expect(outcome).toEqual({ kind: 'failed', reason: 'There is no browser.' })
  })
})
