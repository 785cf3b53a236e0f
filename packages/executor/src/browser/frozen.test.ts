import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { probeBrowser } from './program.ts'
import { siteOf } from './site.ts'
import { openTestBrowsers, openTestSite, type TestBrowsers, type TestSite } from './testing/test-site.ts'

const probe = await probeBrowser()
if (probe.kind === 'unavailable') process.stderr.write(`skipped: ${probe.reason}\n`)

describe.skipIf(probe.kind === 'unavailable')('a page between calls', () => {
  let site: TestSite
  let browser: TestBrowsers

  beforeAll(async () => {
    site = await openTestSite((request, response) => {
      response.setHeader('content-type', 'text/html')
      if (request.url === '/one') response.setHeader('set-cookie', 'from=one; path=/')
      response.end(request.url === '/' ? livelyPage : `<title>${request.headers.cookie ?? ''}</title>`)
    })
    browser = openTestBrowsers([site.port])
  })
  afterAll(async () => {
    await browser.pool.close()
    await site.close()
  })

  it('has no process that runs, and none of its timers, workers, frames and animations goes on', async () => {
    const url = `${site.origin}/`
    expect(await browser.act({ action: 'navigate', url })).toMatchObject({ kind: 'seen' })
    const pid = browser.pool.pid('ses_one') ?? 0
    await stopped(pid)
    const requests = site.seen.length
    const began = Date.now()
    await setTimeout(300)
    await browser.act({ action: 'text', url, selector: 'p' })
    await browser.act({ action: 'screenshot', url, fullPage: true })
    expect([...new Set(statesOf(pid))]).toEqual(['T'])
    const ended = Date.now()
    expect(site.seen.length).toBe(requests)
    const outcome = await browser.act({ action: 'evaluate', url, code: 'JSON.stringify(lives)' })
    const lives: Record<string, number[]> = JSON.parse(outcome.kind === 'seen' ? outcome.text : '')
    for (const name of ['timer', 'worker', 'frame', 'animation']) {
      const times = lives[name] ?? []
      expect([name, times.some((time) => time <= began)]).toEqual([name, true])
      expect([name, times.filter((time) => time > began && time < ended)]).toEqual([name, []])
    }
    await stopped(pid)
  })

  it('is not woken by a call that names another page', async () => {
    await browser.act({ action: 'navigate', url: `${site.origin}/still` })
    const requests = site.seen.length
    const pid = browser.pool.pid('ses_one') ?? 0
    await stopped(pid)
    const click = browser.act({ action: 'click', url: `${site.origin}/other`, selector: 'a' })
    expect(await click).toMatchObject({ kind: 'failed' })
    expect([...new Set(statesOf(pid))]).toEqual(['T'])
    expect(site.seen.length).toBe(requests)
  })

  it('keeps the cookies of its own site, and those of another port are apart', async () => {
    const second = await openTestSite((request, response) => response.end(request.headers.cookie ?? 'none'))
    const both = openTestBrowsers([site.port, second.port])
    await both.act({ action: 'navigate', url: `${site.origin}/one` })
    expect(await both.act({ action: 'navigate', url: `${second.origin}/` })).toMatchObject({ text: 'none' })
    expect(await both.act({ action: 'text', url: `${site.origin}/one`, selector: null })).toMatchObject({
      kind: 'failed',
    })
    expect(await both.act({ action: 'navigate', url: `${site.origin}/two` })).toMatchObject({
      title: 'from=one',
    })
    await both.pool.close()
    await second.close()
  })

  it('reaches during a click what the click names, not what the navigation named', async () => {
    const second = await openTestSite((_request, response) =>
      response.setHeader('access-control-allow-origin', '*').end('second'),
    )
    const both = openTestBrowsers([site.port, second.port])
    const url = `${site.origin}/still`
    const also = [second.port]
    await both.act({ action: 'navigate', url }, { also })
    const code = `await fetch('${second.origin}/').then((answer) => answer.text(), () => 'closed')`
    expect(await both.act({ action: 'evaluate', url, code })).toMatchObject({ text: 'closed' })
    expect(await both.act({ action: 'evaluate', url, code }, { also })).toMatchObject({ text: 'second' })
    await both.pool.close()
    await second.close()
  })

  it('loses its connections, also one that its server holds open', async () => {
    const sockets = new Set<Socket>()
    const holding = createServer((request, response) => {
      response.setHeader('content-type', 'text/html')
      if (request.url === '/events') response.write('data: x\n\n')
      else response.end("<title>Stream</title><script>fetch('/events')</script>")
    })
    holding.on('connection', (socket) => {
      sockets.add(socket)
      socket.once('close', () => sockets.delete(socket))
    })
    await new Promise<void>((resolve) => holding.listen(0, '127.0.0.1', resolve))
    const { port } = holding.address() as AddressInfo
    const stream = openTestBrowsers([port])
    const opened = await stream.act({ action: 'navigate', url: `http://127.0.0.1:${port}/` })
    expect(opened).toMatchObject({ kind: 'seen', title: 'Stream' })
    await expect.poll(() => sockets.size).toBe(0)
    await stream.pool.close()
    await new Promise((resolve) => holding.close(resolve))
  })
})

describe('the site of an address', () => {
  it('is its host, and the port where that is unusual', () => {
    expect(siteOf('http://Shop.test/a')).toBe('shop.test')
    expect(siteOf('https://shop.test/b')).toBe('shop.test')
    expect(siteOf('https://www.shop.test/')).toBe('www.shop.test')
    expect(siteOf('http://shop.test:8080/')).toBe('shop.test:8080')
    expect(siteOf('file:///etc/passwd')).toBeUndefined()
  })
})

describe.skipIf(probe.kind === 'unavailable')('a frozen browser', () => {
  it('ends with the process that froze it, however that ends', async () => {
    const program = `
      import { createFreezer } from ${JSON.stringify(new URL('./freezer.ts', import.meta.url).href)}
      import { spawn } from 'node:child_process'
      const child = spawn('/bin/sleep', ['600'], { detached: true, stdio: 'ignore' })
      createFreezer(child.pid).freeze()
      console.log(child.pid)
      setInterval(() => 0, 1000)`
    const owner = spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const pid = await new Promise<number>((resolve) =>
      owner.stdout.once('data', (data: Buffer) => resolve(Number(data.toString()))),
    )
    await expect.poll(() => statesOf(pid)).toEqual(['T'])
    owner.kill('SIGKILL')
    await expect.poll(() => statesOf(pid).filter((state) => state !== 'Z')).toEqual([])
  })
})

/** A process that waits for a processor shows that it is stopped when it gets one. */
async function stopped(group: number): Promise<void> {
  await expect.poll(() => [...new Set(statesOf(group))]).toEqual(['T'])
}

/** The states of all processes in the group. */
function statesOf(group: number): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
        const [state = '', , pgrp] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
        return Number(pgrp) === group ? [state] : []
      } catch {
        // It ended meanwhile.
        return []
      }
    })
}

/** Whatever can live in a page writes down when it did. */
const livelyPage = `<!doctype html><title>Lively</title><p>text</p>
<style>@keyframes turn { to { margin-left: 1px } } p { animation: turn 50ms infinite alternate }</style>
<script>
  const lives = { timer: [], worker: [], frame: [], animation: [] }
  const live = (name, time = Date.now()) => {
    lives[name].push(time)
    if (lives[name].length > 1000) lives[name].shift()
  }
  setInterval(() => live('timer'), 10)
  const onFrame = () => {
    live('frame')
    requestAnimationFrame(onFrame)
  }
  onFrame()
  document.querySelector('p').addEventListener('animationiteration', () => live('animation'))
  const source = 'setInterval(() => postMessage(Date.now()), 10)'
  new Worker(URL.createObjectURL(new Blob([source]))).onmessage = ({ data }) => live('worker', data)
</script>`
