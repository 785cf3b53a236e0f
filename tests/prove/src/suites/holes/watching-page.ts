/**
 * A page that counts its own life: one beat after the other, each told to its server, and how many resizes it saw. A
 * number that was left out is a beat that happened while the server heard nothing.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Stage } from './stage.ts'

export interface WatchingPage {
  readonly port: number
  /** The numbers of the beats that arrived, in their order. */
  readonly beats: readonly number[]
  /** What the page told when it was clicked. */
  readonly told: readonly { readonly beat: number; readonly resizes: number }[]
}

export async function openWatchingPage(stage: Stage): Promise<WatchingPage> {
  const beats: number[] = []
  const told: { beat: number; resizes: number }[] = []
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://page')
    const beat = Number(searchParams.get('n'))
    if (pathname === '/beat') beats.push(beat)
    if (pathname === '/told') told.push({ beat, resizes: Number(searchParams.get('resizes')) })
    response.setHeader('content-type', 'text/html')
    response.end(pathname === '/' ? page : '')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  stage.afterwards(
    () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(resolve)
      }),
  )
  const { port } = server.address() as AddressInfo
  return { port, beats, told }
}

const page = `<!doctype html><title>News</title><button>More</button>
<div style="height:3000px">${'<p class=q>word</p>'.repeat(300)}</div>
<script>
  let n = 0, resizes = 0, isClicked = false
  const beat = () => isClicked || fetch('/beat?n=' + ++n).catch(() => 0).finally(() => setTimeout(beat, 10))
  addEventListener('resize', () => { resizes += 1 })
  new ResizeObserver(() => { resizes += 1 }).observe(document.documentElement)
  document.querySelector('button').onclick = () => {
    isClicked = true
    fetch('/told?n=' + n + '&resizes=' + resizes)
  }
  beat()
</script>`
