import { existsSync, readdirSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { type Label, operatorLabel } from '@countersign/contract'
import type { BrowserAction, BrowserResult } from '@countersign/tools'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { probeBrowser } from './program.ts'
import { openTestBrowsers, openTestSite, type TestBrowsers, type TestSite } from './testing/test-site.ts'

const probe = await probeBrowser()
if (probe.kind === 'unavailable') process.stderr.write(`skipped: ${probe.reason}\n`)

describe.skipIf(probe.kind === 'unavailable')('a browser room', () => {
  let site: TestSite
  let browser: TestBrowsers
  const held: ServerResponse[] = []

  beforeAll(async () => {
    site = await openTestSite((request, response) => {
      const path = new URL(request.url ?? '/', 'http://x').pathname
      if (path === '/file') response.setHeader('content-disposition', 'attachment; filename="a.bin"')
      if (path === '/cookie') response.setHeader('set-cookie', 'who=one')
      if (path === '/strict') response.setHeader('content-security-policy', "script-src 'none'")
      if (path === '/held') held.push(response)
      else if (path === '/moved') response.writeHead(302, { location: '/form' }).end()
      else if (path === '/missing') response.writeHead(404).end('nothing here')
      else {
        response.setHeader('content-type', 'text/html; charset=utf-8')
        response.end(pages[path] ?? `<title>Plain</title><p>${request.headers.cookie ?? 'no cookie'}</p>`)
      }
    })
    browser = openTestBrowsers([site.port], { graceMs: 500 })
  })
  afterAll(async () => {
    await browser.pool.close()
    await site.close()
  })

  const at = (path: string) => `${site.origin}${path}`
  /** The site hears that it began, and nobody that it ended. */
  const beginsAndHangs = (name: string) => `await fetch('/begun-${name}'); await new Promise(() => 0)`
  const begins = (name: string) =>
    expect.poll(() => site.seen.some(({ url }) => url === `/begun-${name}`)).toBe(true)
  const open = (path: string, session?: string) =>
    browser.act({ action: 'navigate', url: at(path) }, session ? { session } : {})
  const seen = async (action: BrowserAction): Promise<BrowserResult> => {
    const outcome = await browser.act(action)
    if (outcome.kind === 'failed') throw new Error(outcome.reason)
    return outcome
  }

  it('opens a page and gives its text, title and status', async () => {
    expect(await open('/form')).toMatchObject({
      kind: 'seen',
      url: at('/form'),
      title: 'Form',
      status: 200,
      text: expect.stringContaining('Grüße'),
      notes: [],
    })
    expect(await open('/missing')).toMatchObject({ status: 404, text: 'nothing here' })
    expect(await open('/moved')).toMatchObject({ status: 200, url: at('/form') })
  })

  it('waits until what the call names is seen, and says when it never was', async () => {
    const later = await seen({ action: 'navigate', url: at('/later'), waitFor: 'text=Ready' })
    expect(later).toMatchObject({ text: expect.stringContaining('Ready'), notes: [] })
    const never = await seen({ action: 'navigate', url: at('/later'), waitFor: '#never' })
    expect(never).toMatchObject({
      status: 200,
      notes: [expect.stringContaining('Nothing that "#never" finds was seen in time')],
    })
  })

  it('reads text and html, of the page or of what a selector finds', async () => {
    await open('/form')
    const url = at('/form')
    expect(await seen({ action: 'text', url, selector: 'li' })).toMatchObject({ text: 'one\ntwo' })
    const html = await seen({ action: 'html', url, selector: '#list' })
    expect(html.text).toBe('<ul id="list"><li>one</li><li>two</li></ul>')
    expect((await seen({ action: 'html', url, selector: null })).text).toMatch(/^<html>/)
    expect(await browser.act({ action: 'text', url, selector: '.none' })).toMatchObject({
      kind: 'failed',
      reason: expect.stringContaining('Nothing on the page matches .none'),
    })
    expect(await browser.act({ action: 'text', url, selector: '[' })).toMatchObject({
      kind: 'failed',
      reason: expect.stringContaining('not CSS'),
    })
  })

  it('cuts what is too long, in whole characters, whatever the page does to strings', async () => {
    await open('/long')
    const text = await seen({ action: 'text', url: at('/long'), selector: null })
    expect({ truncated: text.truncated, bytes: Buffer.byteLength(text.text) }).toEqual({
      truncated: true,
      bytes: 199_998,
    })
    expect(text.text.endsWith('€')).toBe(true)
    const html = await seen({ action: 'html', url: at('/long'), selector: null })
    expect(html.truncated).toBe(true)
    expect(Buffer.byteLength(html.text)).toBeLessThanOrEqual(1_000_000)
  })

  it('takes a picture of the view and of the whole page', async () => {
    await open('/tall')
    const sizeOf = (image: Uint8Array | null) => {
      const bytes = Buffer.from(image ?? [])
      expect(bytes.subarray(0, 8).toString('hex')).toBe('89504e470d0a1a0a')
      return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)]
    }
    const view = await seen({ action: 'screenshot', url: at('/tall'), fullPage: false })
    expect(sizeOf(view.image)).toEqual([1280, 800])
    const whole = await seen({ action: 'screenshot', url: at('/tall'), fullPage: true })
    expect(sizeOf(whole.image)).toEqual([1280, 8000])
    expect(whole.notes).toEqual(['Only the first 8000 pixels of the page are in the picture.'])
  })

  it('fills, clicks and evaluates, and the page changes', async () => {
    await open('/form')
    const url = at('/form')
    await seen({ action: 'fill', url, selector: '#name', value: 'Ada' })
    expect((await seen({ action: 'text', url, selector: '#name' })).text).toBe('Ada')
    await seen({ action: 'click', url, selector: 'text=Greet' })
    expect((await seen({ action: 'text', url, selector: '#out' })).text).toBe('Hello Ada')
    expect((await seen({ action: 'evaluate', url, code: 'const a = 20; a * 2 + 2' })).text).toBe('42')
    expect((await seen({ action: 'evaluate', url, code: 'await Promise.resolve({a: [1]})' })).text).toBe(
      '{"a":[1]}',
    )
    expect((await seen({ action: 'evaluate', url, code: 'document.querySelector("li")' })).text).toBe(
      '<li>one</li>',
    )
    expect(await browser.act({ action: 'evaluate', url, code: 'null.x' })).toMatchObject({
      reason: expect.stringContaining('TypeError'),
    })
  })

  it('evaluates on a page whose own policy forbids scripts', async () => {
    await open('/strict')
    expect((await seen({ action: 'evaluate', url: at('/strict'), code: '1 + 1' })).text).toBe('2')
  })

  it('follows a link and says where the page is then', async () => {
    await open('/form')
    expect(await seen({ action: 'click', url: at('/form'), selector: '#next' })).toMatchObject({
      url: at('/plain?x=1#y'),
      title: 'Plain',
    })
    expect(await seen({ action: 'text', url: at('/plain'), selector: null })).toMatchObject({
      title: 'Plain',
    })
  })

  it('does nothing on another page than the one that was approved', async () => {
    await open('/form')
    for (const action of [
      { action: 'click', selector: '#button' },
      { action: 'fill', selector: '#name', value: 'x' },
      { action: 'evaluate', code: 'document.title = "changed"' },
      { action: 'text', selector: null },
      { action: 'html', selector: null },
      { action: 'screenshot', fullPage: false },
    ] as const) {
      for (const url of [at('/other'), `http://localhost:${site.port}/form`, 'https://127.0.0.1/form'])
        expect(await browser.act({ ...action, url })).toMatchObject({
          kind: 'failed',
          reason: expect.stringContaining('Nothing was done.'),
        })
    }
    expect(await seen({ action: 'text', url: at('/form'), selector: '#out' })).toMatchObject({
      title: 'Form',
      text: '',
    })
  })

  it('does not reach into a frame, which is another page', async () => {
    await open('/framed')
    const inner = 'iframe >> internal:control=enter-frame >> #button'
    expect(await browser.act({ action: 'click', url: at('/framed'), selector: inner })).toMatchObject({
      kind: 'failed',
    })
  })

  it('asks for one element, not for the first of many', async () => {
    await open('/form')
    expect(await browser.act({ action: 'click', url: at('/form'), selector: 'li' })).toMatchObject({
      kind: 'failed',
      reason: expect.stringContaining('2 elements'),
    })
  })

  it('dismisses dialogs, closes windows and refuses downloads, and says so', async () => {
    await open('/form')
    const url = at('/form')
    const dialog = await seen({ action: 'evaluate', url, code: 'String(confirm("really?"))' })
    expect(dialog).toMatchObject({ text: 'false', notes: ['A dialog was dismissed: "really?".'] })
    const popup = await seen({ action: 'click', url, selector: '#window' })
    expect(popup.notes).toEqual([expect.stringContaining('A new window was closed')])
    const download = await seen({ action: 'click', url, selector: '#download' })
    expect(download.notes).toEqual(['A download was refused.'])
    expect(await open('/file')).toMatchObject({
      kind: 'failed',
      reason: expect.stringContaining('is a download'),
    })
  })

  it('keeps the cookies of two sessions apart', async () => {
    await open('/cookie')
    expect(await open('/plain')).toMatchObject({ text: 'who=one' })
    expect(await open('/plain', 'ses_two')).toMatchObject({ text: 'no cookie' })
    expect(
      await browser.act({ action: 'text', url: at('/plain'), selector: null }, { session: 'ses_three' }),
    ).toMatchObject({ reason: expect.stringContaining('No page is open') })
  })

  it('says what those knew who acted on a page', async () => {
    const label: Label = { ...operatorLabel, confidentiality: 'private' }
    const url = at('/form')
    const look = () => browser.act({ action: 'text', url, selector: '#name' })
    await open('/form')
    expect(await look()).toMatchObject({ knows: operatorLabel })
    await browser.act({ action: 'fill', url, selector: '#name', value: 'Ada' }, { label })
    expect(await look()).toMatchObject({ text: 'Ada', knows: label })
    expect(await open('/plain')).toMatchObject({ knows: label })
  })

  it('loses a page that never answers, and can open it again', async () => {
    await open('/form')
    const stuck = await browser.act(
      {
        action: 'evaluate',
        url: at('/form'),
        code: 'setTimeout(() => { for (;;); }, 0); await new Promise(() => 0)',
      },
      { timeoutMs: 500 },
    )
    expect(stuck).toMatchObject({ kind: 'failed', reason: expect.stringContaining('did not answer in time') })
    expect(await open('/form')).toMatchObject({ kind: 'seen', title: 'Form' })
  })

  it('ends a cancelled action', async () => {
    await open('/form')
    const stop = new AbortController()
    const pending = browser.act(
      { action: 'evaluate', url: at('/form'), code: beginsAndHangs('cancelled') },
      { signal: stop.signal, timeoutMs: 600_000 },
    )
    await begins('cancelled')
    stop.abort()
    expect(await pending).toMatchObject({ kind: 'failed', reason: expect.stringContaining('Cancelled') })
  })

  it('survives the end of Chromium in the middle of an action', async () => {
    await open('/form')
    const pid = browser.pool.pid('ses_one') ?? 0
    const action = browser.act(
      { action: 'evaluate', url: at('/form'), code: beginsAndHangs('killed') },
      { timeoutMs: 600_000 },
    )
    await begins('killed')
    process.kill(pid, 'SIGKILL')
    expect(await action).toMatchObject({ kind: 'failed', reason: expect.stringContaining('not known') })
    expect(await open('/form')).toMatchObject({ kind: 'seen', title: 'Form' })
    expect(browser.pool.pid('ses_one')).not.toBe(pid)
  })

  it('survives a page that floods it, without taking in what it says', async () => {
    await open('/form')
    const before = process.memoryUsage().rss
    const flood = 'console.log("\\u0001".repeat(2 ** 24)); await new Promise(() => 0)'
    const flooded = browser.act({ action: 'evaluate', url: at('/form'), code: flood }, { timeoutMs: 5_000 })
    expect(await flooded).toMatchObject({ kind: 'failed' })
    expect(process.memoryUsage().rss - before).toBeLessThan(300e6)
    expect(await open('/form')).toMatchObject({ kind: 'seen', title: 'Form' })
  })

  it('closes the browser that was used longest ago when another one needs its place', async () => {
    const small = openTestBrowsers([site.port], { browsers: 2 })
    const visit = (session: string) => small.act({ action: 'navigate', url: at('/plain') }, { session })
    const look = (session: string) =>
      small.act({ action: 'text', url: at('/plain'), selector: null }, { session })
    await visit('ses_a')
    await visit('ses_b')
    await look('ses_a')
    await visit('ses_c')
    expect((await look('ses_b')).kind).toBe('failed')
    expect([(await look('ses_a')).kind, (await look('ses_c')).kind]).toEqual(['seen', 'seen'])
    const busy = ['ses_a', 'ses_c'].map((session) =>
      small.act(
        { action: 'evaluate', url: at('/plain'), code: `await fetch('/held?${session}')` },
        { session },
      ),
    )
    await expect.poll(() => held.length).toBe(2)
    expect(await visit('ses_d')).toMatchObject({ kind: 'failed', reason: expect.stringContaining('in use') })
    for (const response of held.splice(0)) response.end()
    expect((await Promise.all(busy)).map(({ kind }) => kind)).toEqual(['seen', 'seen'])
    await small.pool.close()
    expect(await visit('ses_c')).toMatchObject({ kind: 'failed', reason: 'The browser is closed.' })
  })

  it('closes idle browsers while others come', async () => {
    const short = openTestBrowsers([site.port], { idleMs: 1 })
    const visit = (session: string) => short.act({ action: 'navigate', url: at('/plain') }, { session })
    for (const session of ['ses_a', 'ses_b', 'ses_c']) expect((await visit(session)).kind).toBe('seen')
    for (const session of ['ses_a', 'ses_b', 'ses_c'])
      await expect.poll(() => short.pool.pid(session)).toBeUndefined()
    expect((await visit('ses_a')).kind).toBe('seen')
    await short.pool.close()
  })

  it('leaves no folder behind', async () => {
    const mine = () =>
      readdirSync(tmpdir()).filter((name) => name.startsWith(`countersign-browser-${process.pid}-`))
    expect(mine().length).toBe(2)
    const pid = browser.pool.pid('ses_one')
    await browser.pool.close()
    expect(mine()).toEqual([])
    expect(existsSync(`/proc/${pid}`)).toBe(false)
  })
})

const pages: Readonly<Record<string, string>> = {
  '/later':
    "<title>Later</title><main>Wait</main><script>setTimeout(() => { document.querySelector('main').textContent = 'Rea' + 'dy' }, 1500)</script>",
  '/form': `<title>Form</title><p>Grüße</p><input id="name"><ul id="list"><li>one</li><li>two</li></ul>
    <button id="button" onclick="out.textContent = 'Hello ' + document.querySelector('#name').value">Greet</button>
    <p id="out"></p><a id="next" href="/plain?x=1#y">next</a> <a id="window" href="/plain" target="_blank">window</a>
    <a id="download" href="/file">file</a>`,
  '/long': `<script>for (const name of ['slice', 'substring']) String.prototype[name] = function () { return this }
    document.write('€'.repeat(400000))</script>`,
  '/tall':
    '<body style="margin:0"><div style="height:20000px;background:linear-gradient(red,blue)">tall</div>',
  '/framed': '<iframe src="/form"></iframe>',
}
