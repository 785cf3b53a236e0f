/** Asks as an obedient agent would, goes on wherever it is told to, and says who was reached that must not be. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ApprovalSubject, UrlResource } from '@countersign/contract'
import type { ToolCapabilities } from '@countersign/tools'
import { webCapabilities } from '../../../../../packages/executor/src/capabilities/web.ts'
import {
  createEgress,
  defaultEgressLimits,
  type Egress,
  type EgressResult,
} from '../../../../../packages/executor/src/egress/egress.ts'
import { describeTarget } from '../../../../../packages/executor/src/egress/target.ts'
import type { Random } from '../../../../../packages/executor/src/testing/random.ts'
import { fetchWebPage } from '../../../../../packages/tools/src/web/fetch-web-page.ts'
import { type AddressCanaries, type AddressCanary, openCanaries } from './canaries.ts'
import { type Internet, openInternet, publicAddress } from './internet.ts'
import { openReaderDoor, type ReaderDoor } from './reader-door.ts'
import type { Trial } from './trial.ts'

export interface SsrfBench {
  readonly canaries: AddressCanaries
  readonly named: readonly AddressCanary[]
  /** What went wrong, in words. */
  attempt(trial: Trial): Promise<string[]>
  /** An address that is allowed; it must be reached. */
  control(random: Random): Promise<string[]>
  /** What came late. */
  settle(): Promise<string[]>
  close(): void
}

export async function openBench(): Promise<SsrfBench> {
  const canaries = await openCanaries()
  const internet = await openInternet()
  const open = { four: await openControl('127.0.0.1'), six: await openControl('::1') }
  const allow = {
    ports: [...canaries.places.map(({ port }) => port), open.four.port, open.six.port],
    allowPrivate: [
      { host: '127.0.0.1', port: open.four.port },
      { host: 'allowed.test', port: open.four.port },
      { host: '::1', port: open.six.port },
    ],
  }
  const { lookup } = internet
  const limits = { ...defaultEgressLimits, timeoutMs: 5_000 }
  const client = createEgress({ allow, limits, lookup, connect: internet.dial })
  const astray = createEgress({ allow, limits, lookup, connect: internet.dialTo(canaries.astray) })
  const untouched = createEgress({ allow, limits, lookup })
  const door = openReaderDoor()
  return {
    /** Places that the operator has named for their own calls. */
    named: [
      { address: '127.0.0.1', port: open.four.port },
      { address: '::1', port: open.six.port },
    ],
    canaries,
    async attempt(trial) {
      internet.forget()
      for (const [name, answers] of Object.entries(trial.names)) internet.names.set(name, answers)
      for (const [path, page] of Object.entries(trial.pages)) internet.pages.set(path, page)
      const wrong: string[] = []
      const reached = open.four.reached() + open.six.reached()
      if (trial.via === 'page tool') await readPage(trial.url, client)
      else if (trial.via === 'reader') await lookOn(door, client, trial, wrong)
      else await goOn(trial.via === 'client' ? client : astray, trial, internet, wrong)
      if (trial.via === 'reader' && open.four.reached() + open.six.reached() > reached)
        wrong.push('a reader reached a place that the operator named for themselves')
      return [...wrong, ...internet.lookAstray(), ...canaries.look()]
    },
    async control(random) {
      internet.forget()
      internet.names.set('allowed.test', () => ['127.0.0.1'])
      internet.names.set('site.test', () => [publicAddress])
      const hops = random.below(6)
      const [url, egress] = random.pick([
        [`http://127.0.0.1:${open.four.port}/${hops}`, untouched],
        [`http://allowed.test:${open.four.port}/${hops}`, untouched],
        [`http://[::1]:${open.six.port}/${hops}`, untouched],
        ['http://site.test/', client],
      ] as const)
      const result = await ask(url, egress)
      if (!door.isOpen('https://site.test/news')) return ['the control failed: a reader may look nowhere']
      const isReached = result.kind === 'response' && result.status === 200
      return isReached ? canaries.look() : [`the control ${url} was not reached: ${JSON.stringify(result)}`]
    },
    async settle() {
      await new Promise((resolve) => setTimeout(resolve, 100))
      return canaries.look()
    },
    close() {
      door.close()
      canaries.close()
      internet.close()
      for (const { server } of Object.values(open)) {
        server.closeAllConnections()
        server.close()
      }
    },
  }
}

/** Each redirect that is handed back is asked for, as another call that somebody decided about. */
async function goOn(egress: Egress, trial: Trial, internet: Internet, wrong: string[]): Promise<void> {
  let result = await ask(trial.url, egress)
  for (const host of internet.look()) {
    if (!trial.mayAsk.includes(host)) wrong.push(`asked ${host} without a decision`)
  }
  if (result.kind === 'response' && Buffer.from(result.body).toString() === 'canary')
    wrong.push('read a canary')
  for (let call = 0; call < 5 && result.kind === 'response' && result.location !== null; call += 1)
    result = await ask(result.location, egress)
}

/** A reader that does whatever a page says, and whose every look is judged. */
async function lookOn(door: ReaderDoor, egress: Egress, trial: Trial, wrong: string[]): Promise<void> {
  let url: string | null = trial.url
  for (let looks = 0; looks < 6 && url !== null; looks += 1) {
    if (!door.isOpen(url)) return
    if (trial.isCarrying?.(url)) wrong.push(`a reader may ask for ${url}`)
    const result = await ask(url, egress)
    url = result.kind === 'response' ? result.location : null
  }
}

function ask(url: string, egress: Egress): Promise<EgressResult> {
  const request = {
    method: 'GET',
    url,
    headers: {},
    body: null,
    maxBytes: 100_000,
    timeoutMs: 5_000,
  } as const
  return egress.request({ ...request, redirects: 'same-host' }, new AbortController().signal)
}

async function readPage(url: string, egress: Egress): Promise<void> {
  const target = describeTarget(url)
  if (target.kind === 'refused' || fetchWebPage.runs !== 'executor') throw new Error(`${url} cannot be read`)
  const resource: UrlResource = {
    type: 'url',
    scheme: target.scheme,
    host: target.asciiHost,
    port: target.port,
    method: 'GET',
    addressClass: 'name',
    redirects: 'same-host',
    carries: 'address',
  }
  const subject = { resources: [resource], secrets: [] } as unknown as ApprovalSubject
  const capabilities = { web: webCapabilities(subject, { egress }) } as unknown as ToolCapabilities
  const result = await fetchWebPage.run(
    { url, maxChars: 1000, from: 0 },
    capabilities,
    new AbortController().signal,
  )
  if (!result.ok) throw new Error(result.text)
}

/** `/3` leads to `/2` and so on to `/0`, which answers. */
async function openControl(host: string): Promise<{ server: Server; port: number; reached: () => number }> {
  let reached = 0
  const server = createServer((request, response) => {
    reached += 1
    const left = Number(request.url?.slice(1))
    if (left > 0) response.writeHead(302, { location: `/${left - 1}` }).end()
    else response.end('open')
  })
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  return { server, port: (server.address() as AddressInfo).port, reached: () => reached }
}
