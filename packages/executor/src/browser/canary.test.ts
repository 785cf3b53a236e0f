import { operatorLabel } from '@countersign/contract'
import type { BrowserResult, Failure } from '@countersign/tools'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { probeBrowser } from './program.ts'
import {
  type Canary,
  openCanary,
  openTestBrowsers,
  openTestSite,
  type TestBrowsers,
  type TestSite,
} from './testing/test-site.ts'

const probe = await probeBrowser()
if (probe.kind === 'unavailable') process.stderr.write(`skipped: ${probe.reason}\n`)

/** The operator has opened the canary's port; only the missing permit keeps a page from it. */
describe.skipIf(probe.kind === 'unavailable')('a page and a canary that no permit names', () => {
  let site: TestSite
  let canary: Canary
  let browser: TestBrowsers

  beforeAll(async () => {
    canary = await openCanary()
    site = await openTestSite((request, response) => {
      const path = request.url ?? '/'
      if (path === '/led') response.writeHead(302, { location: `http://127.0.0.1:${canary.port}/led` }).end()
      else response.writeHead(200, { 'content-type': 'text/html' }).end(pageAt(path, canary.port))
    })
    browser = openTestBrowsers([site.port, canary.port])
    await browser.act({ action: 'navigate', url: `${site.origin}/empty` })
  })
  afterEach(() => expect(canary.touched()).toBe(0))
  afterAll(async () => {
    await browser.pool.close()
    await site.close()
    await canary.close()
  })

  const open = (path: string) => browser.act({ action: 'navigate', url: `${site.origin}${path}` })
  const evaluate = async (code: string): Promise<BrowserResult | Failure> => {
    await open('/empty')
    return browser.act({ action: 'evaluate', url: `${site.origin}/empty`, code })
  }
  const place = () => `127.0.0.1:${canary.port}`

  it('loads no image, script, style, frame, font or prefetch from it, and says so', async () => {
    const outcome = await open('/embeds')
    expect(outcome).toMatchObject({ kind: 'seen', status: 200 })
    expect((outcome as BrowserResult).notes.join()).toMatch(
      new RegExp(`^\\d+ requests to other hosts were blocked: 127.0.0.1:${canary.port}.$`),
    )
  })

  it('cannot fetch, post, beacon or open a socket or an event stream to it', async () => {
    const outcome = await evaluate(`
      const done = await Promise.allSettled([
        fetch('http://${place()}/', { mode: 'no-cors' }).then((r) => r.type),
        fetch('http://${place()}/', { method: 'POST', body: 'x' }),
        new Promise((resolve, reject) => {
          const socket = new WebSocket('ws://${place()}/')
          socket.onopen = resolve
          socket.onerror = () => reject(new Error('closed'))
        }),
        new Promise((resolve, reject) => {
          const events = new EventSource('http://${place()}/')
          events.onopen = resolve
          events.onerror = () => { events.close(); reject(new Error('closed')) }
        }),
      ])
      navigator.sendBeacon('http://${place()}/', 'x')
      new Worker(URL.createObjectURL(new Blob(["fetch('http://${place()}/worker')"])))
      done.slice(1).map(({ status }) => status)`)
    expect(outcome).toMatchObject({ text: '["rejected","rejected","rejected"]' })
    expect((outcome as BrowserResult).notes.join()).toContain(`blocked: ${place()}`)
  })

  it('cannot reach it by WebRTC or WebTransport, on which the browser speaks UDP', async () => {
    const outcome = await evaluate(`
      const candidates = []
      const peer = new RTCPeerConnection({ iceServers: [
        { urls: 'stun:${place()}' },
        { urls: 'turn:${place()}?transport=udp', username: 'a', credential: 'b' },
        { urls: 'turn:${place()}?transport=tcp', username: 'a', credential: 'b' },
      ] })
      peer.onicecandidate = ({ candidate }) => candidate && candidates.push(candidate.candidate)
      peer.createDataChannel('x')
      await peer.setLocalDescription(await peer.createOffer())
      const transport = await new WebTransport('https://${place()}/').ready.then(() => 'open', () => 'closed')
      await new Promise((resolve) => setTimeout(resolve, 1500))
      JSON.stringify([candidates.length, transport])`)
    expect(outcome).toMatchObject({ text: '[0,"closed"]' })
  })

  it('is not led there by a redirect, a link, a script, a form or a refresh', async () => {
    const led = await open('/led')
    expect(led).toMatchObject({ kind: 'failed' })
    expect((led as Failure).reason).toContain(`The page led to http://${place()}/led`)
    for (const path of ['/link', '/form']) {
      await open(path)
      const outcome = await browser.act({ action: 'click', url: `${site.origin}${path}`, selector: '#go' })
      expect(outcome).toMatchObject({ kind: 'seen', url: 'about:blank' })
      expect((outcome as BrowserResult).notes.join()).toContain(`The page led to http://${place()}/`)
    }
    const script = await evaluate(`location.href = 'http://${place()}/'; await new Promise(() => 0)`)
    expect(script).toMatchObject({ kind: 'seen', url: 'about:blank' })
    expect(await open('/refresh')).toMatchObject({ kind: 'failed' })
    expect(await open('/empty')).toMatchObject({ kind: 'seen' })
  })

  it('sends nothing there when it is left or closed', async () => {
    await open('/unload')
    expect(await open('/empty')).toMatchObject({ kind: 'seen' })
    const other = openTestBrowsers([site.port, canary.port])
    await other.act({ action: 'navigate', url: `${site.origin}/unload` })
    await other.pool.close()
  })

  it('is not led to a file, an inner page of the browser or an address that is a page itself', async () => {
    await open('/empty')
    for (const url of [
      'file:///etc/passwd',
      'chrome://version',
      'view-source:about:blank',
      'data:text/html,x',
    ]) {
      const script = await evaluate(`location.href = ${JSON.stringify(url)}; 'asked'`)
      expect(script).toMatchObject({ url: `${site.origin}/empty` })
    }
    const inner = await evaluate(`await fetch('file:///etc/passwd').then((r) => r.text(), () => 'closed')`)
    expect(inner).toMatchObject({ text: 'closed' })
    const direct = await browser.act({ action: 'navigate', url: 'file:///etc/passwd' })
    expect(direct).toMatchObject({ kind: 'failed' })
    expect(JSON.stringify(direct)).not.toContain('root:')
  })

  it('does not open what only another session was allowed', async () => {
    const other = await browser.act(
      { action: 'navigate', url: `${site.origin}/empty` },
      { session: 'ses_two', also: [site.port] },
    )
    expect(other).toMatchObject({ kind: 'seen' })
    const third = await browser.pool.act(
      {
        session: 'ses_three',
        action: { action: 'navigate', url: `${site.origin}/empty` },
        opens: [],
        label: operatorLabel,
      },
      10_000,
      new AbortController().signal,
    )
    expect(third).toMatchObject({ kind: 'failed' })
  })
})

describe.skipIf(probe.kind === 'unavailable')('a page and a second place that the permit names', () => {
  it('reaches it, so the canary above could have been reached', async () => {
    const second = await openCanary()
    const site = await openTestSite((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end(pageAt('/embeds', second.port))
    })
    const browser = openTestBrowsers([site.port, second.port])
    const outcome = await browser.act({ action: 'navigate', url: `${site.origin}/` }, { also: [second.port] })
    expect(outcome).toMatchObject({ kind: 'seen', notes: [] })
    expect(second.touched()).toBeGreaterThan(3)
    await browser.pool.close()
    await site.close()
    await second.close()
  })

  it('is refused a place that the operator has not opened, whatever the permit says', async () => {
    const second = await openCanary()
    const browser = openTestBrowsers([])
    const outcome = await browser.act({ action: 'navigate', url: `http://127.0.0.1:${second.port}/` })
    expect(JSON.stringify(outcome)).toContain(`Refused 127.0.0.1:${second.port}`)
    expect(second.touched()).toBe(0)
    await browser.pool.close()
    await second.close()
  })
})

function pageAt(path: string, port: number): string {
  const canary = `http://127.0.0.1:${port}`
  switch (path) {
    case '/embeds':
      return `<link rel="dns-prefetch" href="//127.0.0.1:${port}"><link rel="preconnect" href="${canary}">
        <link rel="prefetch" href="${canary}/prefetch"><link rel="prerender" href="${canary}/prerender">
        <link rel="stylesheet" href="${canary}/style.css"><link rel="icon" href="${canary}/icon">
        <style>@font-face { font-family: f; src: url(${canary}/font) } p { font-family: f }</style>
        <script type="speculationrules">{"prefetch":[{"urls":["${canary}/speculate"],"eagerness":"immediate"}]}</script>
        <script src="${canary}/script.js"></script><img src="${canary}/image.png"><iframe src="${canary}/frame"></iframe>
        <video src="${canary}/video"></video><object data="${canary}/object"></object><p>text</p>`
    case '/link':
      return `<a id="go" href="${canary}/link" ping="${canary}/ping">go</a>`
    case '/form':
      return `<form method="post" action="${canary}/form"><input name="a" value="b"><button id="go">go</button></form>`
    case '/refresh':
      return `<meta http-equiv="refresh" content="0;url=${canary}/refresh">`
    case '/unload':
      return `<script>for (const name of ['pagehide', 'unload', 'visibilitychange'])
        addEventListener(name, () => { navigator.sendBeacon('${canary}/beacon', 'x');
          fetch('${canary}/alive', { keepalive: true, method: 'POST', body: 'x' }) })</script>`
    default:
      return '<title>Empty</title>'
  }
}
