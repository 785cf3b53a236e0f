/**
 * A small internet: names with public addresses, behind which one local server answers for all of them. Only the
 * dialler knows; to the client a socket looks as if it led where it was dialled. Addresses of this machine are dialled
 * in truth, so that a client which may not go there is caught by who is there. Nothing ever leaves the machine.
 */
import { createServer } from 'node:http'
import { type AddressInfo, Socket } from 'node:net'
import { addressClass } from '../../../../../packages/executor/src/egress/address.ts'
import type { EgressOptions, Lookup } from '../../../../../packages/executor/src/egress/egress.ts'
import type { AddressCanary } from './canaries.ts'

export type Dialler = NonNullable<EgressOptions['connect']>

export interface WebPage {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** What a name answers, asked for the nth time. */
export type Answers = (time: number) => readonly string[]

export const publicAddress = '93.184.216.34'
export const otherAddress = '151.101.1.1'
/** Public, and nobody answers there. */
export const deadAddress = '8.8.4.4'

export interface Internet {
  /** By path. */
  readonly pages: Map<string, WebPage>
  readonly names: Map<string, Answers>
  readonly lookup: Lookup
  readonly dial: Dialler
  /** Like `dial`, but whatever is dialled, the other end is this place. */
  dialTo(place: AddressCanary): Dialler
  /** The hosts that were asked since the last look. */
  look(): string[]
  /** The addresses elsewhere, and not public, that were dialled since the last look. Nothing is sent there. */
  lookAstray(): string[]
  forget(): void
  close(): void
}

export async function openInternet(): Promise<Internet> {
  const pages = new Map<string, WebPage>()
  const names = new Map<string, Answers>()
  const asked = new Map<string, number>()
  let visited: string[] = []
  let astray: string[] = []
  const server = createServer((request, response) => {
    visited.push((request.headers.host ?? '').replace(/:\d+$/, ''))
    const page = pages.get(request.url ?? '') ?? { status: 200, headers: {}, body: 'a public page' }
    response.writeHead(page.status, page.headers).end(page.body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    pages,
    names,
    async lookup(host) {
      const time = asked.get(host) ?? 0
      asked.set(host, time + 1)
      const answers = names.get(host)?.(time)
      if (!answers) throw new Error(`ENOTFOUND ${host}`)
      return answers
    },
    dial({ hostname, port: wanted }, callback) {
      if (hostname === publicAddress || hostname === otherAddress)
        dialLocal({ address: '127.0.0.1', port }, callback, { address: hostname, port: Number(wanted) })
      else if (here.test(hostname)) dialLocal({ address: hostname, port: Number(wanted) }, callback)
      else {
        if (addressClass(hostname) !== 'public') astray.push(`${hostname} was dialled`)
        callback(new Error('unreachable'), null)
      }
    },
    dialTo: (place) => (_options, callback) => dialLocal(place, callback),
    look() {
      const last = visited
      visited = []
      return last
    },
    lookAstray() {
      const last = astray
      astray = []
      return last
    },
    forget() {
      pages.clear()
      names.clear()
      asked.clear()
      visited = []
    },
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** Leads to this machine and no further. */
const here = /^(127\.[\d.]+|::1|::|0\.0\.0\.0|::ffff:(127\.[\d.]+|7f[\da-f]{2}:[\da-f]+))$/

function dialLocal(place: AddressCanary, callback: Parameters<Dialler>[1], as?: AddressCanary): void {
  const socket = new Socket()
  socket.once('error', (error) => callback(error, null))
  socket.once('connect', () => {
    socket.removeAllListeners('error')
    if (as)
      Object.defineProperties(socket, {
        remoteAddress: { value: as.address },
        remotePort: { value: as.port },
      })
    callback(null, socket)
  })
  socket.connect(place.port, place.address)
}
