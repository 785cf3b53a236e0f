/**
 * Owns under which name a request came, and from which address. Only exact names are ours: those of this computer, and
 * the operator's public origins. What a proxy says of a request counts only when the operator trusts that proxy; then
 * it came from elsewhere, and no name of this computer is believed.
 */
import type { IncomingHttpHeaders } from 'node:http'
import { isIP } from 'node:net'
import { hostOfOrigin } from '@countersign/contract'

export interface ReceivedRequest {
  readonly headers: IncomingHttpHeaders
  /** Of the connection; undefined where it is gone. */
  readonly peer: string | undefined
}

export interface RequestPlace {
  /** The public origin that it was made at; null on this computer. */
  readonly origin: string | null
  /** Whose attempts are counted together. */
  readonly sender: string
}

export interface RequestPlaces {
  /** Undefined for a name that is not ours. */
  of(request: ReceivedRequest): RequestPlace | undefined
  /** Whether a page of this origin may speak to this place. */
  isPage(origin: string, place: RequestPlace): boolean
}

/** Everybody who comes through a proxy that is not trusted: nobody knows who is who. */
export const everybodyElsewhere = 'elsewhere'
export const thisComputer = 'this computer'

export function createRequestPlaces(options: {
  readonly port: () => number
  readonly publicOrigins: readonly string[]
  readonly trustedProxies: readonly string[]
}): RequestPlaces {
  const trusted = new Set(options.trustedProxies.map(plainAddress))
  const locals = () => ['localhost', '127.0.0.1', '[::1]'].map((name) => `${name}:${options.port()}`)
  const originNamed = (host: string) => options.publicOrigins.find((origin) => hostOfOrigin(origin) === host)

  function through({ headers }: ReceivedRequest): RequestPlace | undefined {
    const origin = originNamed(last(headers['x-forwarded-host']) ?? headers.host ?? '')
    if (origin === undefined || `${last(headers['x-forwarded-proto']) ?? ''}:` !== new URL(origin).protocol)
      return undefined
    const senders = listIn(headers['x-forwarded-for']).map(plainAddress)
    const sender = senders.findLast((address) => !trusted.has(address))
    return {
      origin,
      sender: sender !== undefined && isIP(sender) !== 0 ? network(sender) : everybodyElsewhere,
    }
  }

  return {
    of(request) {
      const { headers, peer } = request
      const bears = (names: readonly string[]) => names.some((name) => headers[name] !== undefined)
      const isForwarded = bears(forwarding)
      if (isForwarded && peer !== undefined && trusted.has(plainAddress(peer))) return through(request)
      const host = headers.host ?? ''
      // Nobody on this computer asks by way of a proxy: it passes on a name that somebody elsewhere chose.
      if (locals().includes(host))
        return bears(ofProxies) ? undefined : { origin: null, sender: thisComputer }
      const origin = originNamed(host)
      return origin === undefined ? undefined : { origin, sender: everybodyElsewhere }
    },
    isPage: (origin, place) =>
      place.origin === null ? locals().some((name) => origin === `http://${name}`) : origin === place.origin,
  }
}

const forwarding = ['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto'] as const
/** What proxies add. Nothing else in them is read. */
const ofProxies = [...forwarding, 'forwarded', 'x-real-ip', 'via'] as const

/** A proxy adds its own at the end; what stands before came from further away. */
function last(header: string | string[] | undefined): string | undefined {
  return listIn(header).at(-1)
}

function listIn(header: string | string[] | undefined): string[] {
  return [header ?? []]
    .flat()
    .flatMap((each) => each.split(','))
    .map((each) => each.trim())
    .filter((each) => each !== '')
}

/** An address of IPv4 may come in the form of IPv6. */
function plainAddress(address: string): string {
  return address.toLowerCase().replace(/^::ffff:(?=\d+\.)/, '')
}

/** A household has a whole network of IPv6, so its first half stands for all of it. */
function network(address: string): string {
  if (isIP(address) !== 6) return address
  const [head = '', tail] = address.replace(/%.*$/, '').split('::')
  const parts = head.split(':').filter((part) => part !== '')
  const rest = (tail ?? '').split(':').filter((part) => part !== '')
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - parts.length - rest.length)
  const all = [...parts, ...Array.from({ length: zeros }, () => '0'), ...rest]
  return `${all
    .slice(0, 4)
    .map((part) => part.replace(/^0+(?=.)/, ''))
    .join(':')}::/64`
}
