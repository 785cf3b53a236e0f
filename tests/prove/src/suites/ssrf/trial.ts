/** Makes trials: an address that must lead nowhere, and the world in which it is asked for. */
import type { Random } from '../../../../../packages/executor/src/testing/random.ts'
import type { AddressCanaries, AddressCanary } from './canaries.ts'
import { type Answers, deadAddress, otherAddress, publicAddress, type WebPage } from './internet.ts'
import {
  pathTricks,
  schemesOfOthers,
  schemesOfSockets,
  spellHost,
  spellUrl,
  userinfoTricks,
} from './spelling.ts'

export interface Trial {
  readonly kind: string
  /** What it is, for a report. */
  readonly how: string
  readonly url: string
  readonly via: 'client' | 'astray client' | 'page tool' | 'reader'
  readonly names: Readonly<Record<string, Answers>>
  readonly pages: Readonly<Record<string, WebPage>>
  /** The only hosts of the internet that the first request may ask. */
  readonly mayAsk: readonly string[]
  /** Addresses that would carry something away. */
  isCarrying?(url: string): boolean
}

type Maker = (random: Random, canaries: SomePlaces) => Omit<Trial, 'kind'>

/** The canaries, and places that the operator has named for their own calls. */
export type SomePlaces = Pick<AddressCanaries, 'places' | 'socketPath'> & {
  readonly named: readonly AddressCanary[]
}

const steady =
  (...addresses: string[]): Answers =>
  () =>
    addresses

const site = { 'site.test': steady(publicAddress), 'other.test': steady(otherAddress) }
const base = { via: 'client', names: site, pages: {}, mayAsk: ['site.test'] } as const

export function makeTrial(random: Random, canaries: SomePlaces, index: number): Trial {
  const kind = rotation[index % rotation.length] ?? ''
  const maker = makers[kind]
  if (!maker) throw new Error('no trials')
  return { kind, ...maker(random, canaries) }
}

const makers: Readonly<Record<string, Maker>> = {
  spelling: (random, { places }) => ({ ...base, ...spelled(random, random.pick(places)) }),
  'other scheme': (random, { places, socketPath }) => {
    const { address, port } = random.pick(places)
    const place = `${address.includes(':') ? `[${address}]` : address}:${port}`
    const url =
      random.below(3) === 0 ? random.pick(schemesOfSockets)(socketPath) : random.pick(schemesOfOthers)(place)
    return { ...base, how: url, url, mayAsk: [] }
  },
  userinfo: (random, { places }) => {
    const { port } = random.pick(places)
    const [shown, real] = random.pick([
      ['site.test', `127.0.0.1:${port}`],
      ['127.0.0.1', 'site.test'],
      [`127.0.0.1:${port}`, 'site.test'],
      ['site.test', 'other.test'],
      ['site.test', `localhost:${port}`],
      ['site.test', `near.test:${port}`],
    ] as const)
    const url = random.pick(userinfoTricks)(shown, real)
    const names = { ...site, 'near.test': steady('127.0.0.1'), localhost: steady('127.0.0.1', '::1') }
    return { ...base, how: url, url, names, mayAsk: [] }
  },
  'trick in the path': (random, { places }) => {
    const { address, port } = random.pick(places)
    const url = random.pick(pathTricks)('site.test', `${address}:${port}`)
    return { ...base, how: url, url }
  },
  'name of a near place': (random, { places }) => {
    const near = nearName(random, random.pick(places))
    return { ...base, ...near, names: { ...site, ...near.names }, mayAsk: [] }
  },
  redirect: (random, { places }) => {
    const canary = random.pick(places)
    const { how, url } = random.below(4) === 0 ? nearName(random, canary) : spelled(random, canary)
    const spelledAs = random.pick([
      url,
      url,
      url.replace(/^https?:/i, ''),
      url.replace(/^(https?:)\/\//i, '$1\\\\'),
    ])
    return { ...base, ...chain(random, spelledAs, how), names: { ...site, ...allNear(canary) } }
  },
  'redirect to another host': (random) => ({
    ...base,
    ...chain(
      random,
      random.pick(['http://other.test/', '//other.test/', 'https://other.test/x', '/\\other.test']),
      'other',
    ),
  }),
  'page that refreshes': (random, { places }) => {
    const { how, url } = spelled(random, random.pick(places))
    const body = `<html><head><meta http-equiv="refresh" content="0; url=${url.replaceAll('"', '&quot;')}">
      <base href="${url.replaceAll('"', '&quot;')}"><link rel=stylesheet href="${url.replaceAll('"', '&quot;')}">
      </head><body><img src="/x"><iframe src="/y"></iframe>moved</body></html>`
    const page: WebPage = { status: 200, headers: { 'content-type': 'text/html' }, body }
    return { ...base, how, via: 'page tool', url: 'http://site.test/page', pages: { '/page': page } }
  },
  'name that turns': (random, { places }) => {
    const canary = random.pick(places)
    const turning = random.pick<Answers>([
      (time) => [time % 2 === 0 ? publicAddress : canary.address],
      (time) => [time % 2 === 1 ? publicAddress : canary.address],
      (time) => (time === 0 ? [publicAddress] : [publicAddress, canary.address]),
      (time) => [time < 1 + random.below(3) ? publicAddress : canary.address],
    ])
    const port = canary.port
    const length = 1 + random.below(5)
    const pages: Record<string, WebPage> = {}
    for (let hop = 0; hop < length; hop += 1) {
      const next = random.pick([
        `/${hop + 1}`,
        `http://turns.test:${port}/${hop + 1}`,
        `//turns.test:${port}/${hop + 1}`,
      ])
      pages[`/${hop}`] = { status: statusOf(random), headers: { location: next }, body: '' }
    }
    const url = `http://turns.test:${port}/0`
    return {
      ...base,
      how: `${length} hops`,
      url,
      names: { 'turns.test': turning },
      pages,
      mayAsk: ['turns.test'],
    }
  },
  'one near answer among many': (random, { places }) => {
    const { address, port } = random.pick(places)
    const near = random.pick([address, address.includes('.') ? `::ffff:${address}` : address])
    const answers = random.below(3) === 0 ? [near, deadAddress] : [deadAddress, near]
    if (random.below(2) === 0) answers.unshift(deadAddress)
    const names = { 'both.test': steady(...answers) }
    return { ...base, how: answers.join(' '), url: `http://both.test:${port}/`, names, mayAsk: [] }
  },
  'look of a reader': (random, { places, named }) => {
    const { how, url } = spelled(random, random.pick([...places, ...named, ...named]))
    return { ...base, how, via: 'reader', url }
  },
  'reader led on': (random, { places, named }) => {
    const canary = random.pick([...places, ...named])
    const { how, url } = random.below(3) === 0 ? nearName(random, canary) : spelled(random, canary)
    return { ...base, ...chain(random, url, how), via: 'reader', names: { ...site, ...allNear(canary) } }
  },
  'reader at a name that turns': (random, { places }) => {
    const { address } = random.pick(places)
    const after = random.below(3)
    const names = { 'turns.test': (time: number) => [time < after ? publicAddress : address] }
    return {
      ...base,
      how: `after ${after}`,
      via: 'reader',
      url: 'http://turns.test/0',
      names,
      pages: round(),
    }
  },
  'reader with a key': (random) => {
    const key = random.pick(['a1b2c3d4'.repeat(4), 'Zm9vYmFyYmF6cXV1eA9'.repeat(2), 'f'.repeat(64)])
    const place = random.pick([`/${key}`, `/x?token=${key}`, `/reset/${key}/now`, `/?k=${key}&a=b`])
    const url = `https://site.test${place}`
    return { ...base, how: place, via: 'reader', url, isCarrying: (asked: string) => asked.includes(key) }
  },
  'reader at an inner address': (random) => {
    const host = random.pick([
      '127.0.0.1',
      '10.0.0.1',
      '192.168.1.1',
      '169.254.169.254',
      '[::1]',
      '[fe80::1]',
    ])
    const url = `${random.pick(['http', 'https'])}://${host}/`
    return { ...base, how: host, via: 'reader', url, isCarrying: () => true }
  },
  'reader at an odd port': (random, { places, named }) => {
    const { port } = random.pick([...places, ...named])
    const url = `${random.pick(['http', 'https'])}://site.test:${port}/`
    return { ...base, how: String(port), via: 'reader', url, isCarrying: () => true }
  },
  'dialler led astray': (random) => ({
    ...base,
    how: 'the socket leads elsewhere',
    via: 'astray client',
    url: random.pick([
      'http://site.test/',
      'https://site.test/',
      `http://${publicAddress}/`,
      'http://other.test:80/x',
    ]),
    mayAsk: [],
  }),
}

/** The kinds with the most ways come more often. */
const rotation = [...Object.keys(makers), 'spelling', 'spelling', 'spelling', 'redirect', 'redirect']

function spelled(random: Random, canary: AddressCanary): { how: string; url: string } {
  const host = spellHost(random, canary)
  const { how, url } = spellUrl(random, canary, host.host)
  return { how: `${host.how}, ${how}`, url }
}

/** Names as a service gives them that answers any name with the address in it. */
function nearName(
  random: Random,
  canary: AddressCanary,
): { how: string; url: string; names: Record<string, Answers> } {
  const names = allNear(canary)
  const name = random.pick(Object.keys(names))
  const written = random.pick([name, name.toUpperCase(), name])
  return { how: name, url: `${random.pick(['http', 'https'])}://${written}:${canary.port}/`, names }
}

function allNear({ address }: AddressCanary): Record<string, Answers> {
  const label = address.replaceAll(/[.:]/g, '-')
  const answers = steady(address)
  return {
    [`${label}.nip.test`.replace(/^-/, '0-')]: answers,
    'near.test': answers,
    'a.b.c.near.test': answers,
    '_service.near.test': answers,
    'xn--bcher-kva.test': answers,
    localhost: steady('127.0.0.1', '::1'),
    'mapped.test': steady(address.includes('.') ? `::ffff:${address}` : address),
    'metadata.test': steady('169.254.169.254'),
    'any.test': steady('0.0.0.0'),
    'any6.test': steady('::'),
    'zone.test': steady('fe80::1%lo'),
  }
}

/** Up to five redirects of the same host, and then one to the end. */
function chain(random: Random, end: string, how: string): Pick<Trial, 'how' | 'url' | 'pages'> {
  const length = 1 + random.below(5)
  const pages: Record<string, WebPage> = {}
  for (let hop = 0; hop < length; hop += 1) {
    const next = random.pick([`/${hop + 1}`, `//site.test/${hop + 1}`, `https://site.test/${hop + 1}`])
    const location = hop === length - 1 ? headerSafe(end) : next
    pages[`/${hop}`] = { status: statusOf(random), headers: { location }, body: 'moved' }
  }
  const url = `${random.pick(['http', 'https'])}://site.test/0`
  return { how: `${length} hops to ${how}`, url, pages }
}

/** The same host again and again, which is asked for by name each time. */
function round(): Record<string, WebPage> {
  const pages = [0, 1, 2, 3].map((hop): [string, WebPage] => [
    `/${hop}`,
    { status: 302, headers: { location: `http://turns.test/${hop + 1}` }, body: '' },
  ])
  return Object.fromEntries(pages)
}

function statusOf(random: Random): number {
  return random.pick([301, 302, 303, 307, 308])
}

/** A header holds bytes, and no line ends. */
function headerSafe(text: string): string {
  return Buffer.from(text.replaceAll(/[\r\n\0]/g, '\t'), 'utf8').toString('latin1')
}
