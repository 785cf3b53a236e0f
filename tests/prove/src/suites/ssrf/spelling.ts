/** The many ways to write where a place is. Some are addresses, some only look like one to somebody. */
import type { Random } from '../../../../../packages/executor/src/testing/random.ts'
import type { AddressCanary } from './canaries.ts'

export interface Spelling {
  readonly how: string
  readonly host: string
}

export function spellHost(random: Random, { address }: AddressCanary): Spelling {
  const table = address.includes(':') ? spellingsOfSix : spellingsOfFour
  const how = random.pick(Object.keys(table))
  return { how, host: table[how]?.(random, address) ?? address }
}

/** A whole URL, written more or less well. */
export function spellUrl(random: Random, canary: AddressCanary, host: string): { how: string; url: string } {
  const how = random.below(3) === 0 ? random.pick(Object.keys(urls)) : 'plain'
  const url = urls[how] ?? plainUrl
  return { how, url: url(random, host, canary.port) }
}

export const schemesOfOthers = [
  (place: string) => `ftp://${place}/`,
  (place: string) => `gopher://${place}/_GET%20/`,
  (place: string) => `ws://${place}/`,
  (place: string) => `file://${place}/etc/passwd`,
  (place: string) => `dict://${place}/info`,
  (place: string) => `jar:http://${place}!/`,
  (place: string) => `view-source:http://${place}/`,
  (place: string) => `blob:http://${place}/x`,
  (place: string) => `data:text/html,<meta http-equiv=refresh content=0;url=http://${place}/>`,
  (place: string) => `javascript:fetch('http://${place}/')`,
  (place: string) => `//${place}/`,
  (place: string) => place,
] as const

export const schemesOfSockets = [
  (path: string) => `unix:${path}`,
  (path: string) => `http+unix://${encodeURIComponent(path)}/`,
  (path: string) => `http://unix:${path}:/`,
  (path: string) => `unix://${path}`,
  (path: string) => `file://${path}`,
] as const

/** Two hosts in one address: a careless reader sees the first, another goes to the second. */
export const userinfoTricks = [
  (shown: string, real: string) => `http://${shown}@${real}/`,
  (shown: string, real: string) => `http://${shown}:80@${real}/`,
  (shown: string, real: string) => `http://${shown}:pw@${real}/`,
  (shown: string, real: string) => `https://${shown}@${real}/`,
  (_shown: string, real: string) => `http://user:pw@${real}/`,
  (_shown: string, real: string) => `http://@${real}/`,
  (_shown: string, real: string) => `http://:@${real}/`,
  (shown: string, real: string) => `http://${shown}@x@${real}/`,
  (shown: string, real: string) => `http://${shown}%40${real}/`,
  (shown: string, real: string) => `http://${shown}\\@${real}/`,
  (shown: string, real: string) => `http://${shown}\t@${real}/`,
  (shown: string, real: string) => `http://${shown} @${real}/`,
  (shown: string, real: string) => `http://${shown};@${real}/`,
  (shown: string, real: string) => `http://${shown}&@${real}#@x/`,
] as const

/** Where the trick is only in the path, and the host is the one that is shown. */
export const pathTricks = [
  (shown: string, real: string) => `http://${shown}/@${real}/`,
  (shown: string, real: string) => `http://${shown}#@${real}/`,
  (shown: string, real: string) => `http://${shown}?@${real}/`,
  (shown: string, real: string) => `http://${shown}/%0d%0aHost:%20${real}`,
  (shown: string, real: string) => `http://${shown}/..//${real}/`,
] as const

type Speller = (random: Random, address: string) => string

const bytesOf = (address: string) => address.split('.').map(Number)
const wordOf = (address: string) => bytesOf(address).reduce((sum, byte) => sum * 256 + byte, 0)
const hex = (value: number) => value.toString(16)
const pairs = (address: string) => {
  const [a = 0, b = 0, c = 0, d = 0] = bytesOf(address)
  return [hex(a * 256 + b), hex(c * 256 + d)] as const
}

function inBase(random: Random, value: number): string {
  const zeros = '0'.repeat(random.below(4))
  return random.pick([
    () => String(value),
    () => `0${zeros}${value.toString(8)}`,
    () => `0x${zeros}${hex(value)}`,
    () => `0X${zeros}${hex(value).toUpperCase()}`,
  ])()
}

const swapped = (text: string, from: string, to: readonly string[]) =>
  Array.from(text)
    .map((character) => (from.includes(character) ? to[from.indexOf(character)] : character))
    .join('')

const digits = '0123456789'
const scripts = ['０１２３４５６７８９', '⓪①②③④⑤⑥⑦⑧⑨', '𝟎𝟏𝟐𝟑𝟒𝟓𝟔𝟕𝟖𝟗', '⁰¹²³⁴⁵⁶⁷⁸⁹', '₀₁₂₃₄₅₆₇₈₉'].map(
  (script) => Array.from(script),
)

function sprinkled(random: Random, text: string, what: string): string {
  const at = random.below(text.length + 1)
  return text.slice(0, at) + what + text.slice(at)
}

const encoded = (random: Random, text: string, share: number) =>
  Array.from(text)
    .map((character) =>
      random.below(share) === 0 ? `%${hex(character.charCodeAt(0)).padStart(2, '0')}` : character,
    )
    .join('')

const spellingsOfFour: Readonly<Record<string, Speller>> = {
  decimal: (_random, address) => address,
  'parts in any base': (random, address) =>
    bytesOf(address)
      .map((byte) => inBase(random, byte))
      .join('.'),
  'one number': (random, address) => inBase(random, wordOf(address)),
  'two parts': (random, address) => {
    const [first = 0] = bytesOf(address)
    return `${inBase(random, first)}.${inBase(random, wordOf(address) % 2 ** 24)}`
  },
  'three parts': (random, address) => {
    const [first = 0, second = 0] = bytesOf(address)
    return `${inBase(random, first)}.${inBase(random, second)}.${inBase(random, wordOf(address) % 2 ** 16)}`
  },
  'a number too large': (_random, address) => String(wordOf(address) + 2 ** 32),
  'dots at the end': (random, address) => `${address}${'.'.repeat(1 + random.below(3))}`,
  'other digits': (random, address) => swapped(address, digits, random.pick(scripts)),
  'other dots': (random, address) =>
    address.replaceAll('.', random.pick(['。', '．', '｡', '․', '%2e', '%E3%80%82'])),
  'percent signs': (random, address) => encoded(random, address, 2),
  'percent signs twice': (random, address) => encoded(random, encoded(random, address, 2), 3),
  'signs that are not seen': (random, address) =>
    sprinkled(random, address, random.pick(['\u00ad', '\u200b', '\u2060', '\ufeff', '\u200d', '\ufe0f'])),
  'signs of control': (random, address) =>
    sprinkled(random, address, random.pick(['\t', '\n', '\r', '\0', ' ', '%00', '%09', '%0a', '\u0085'])),
  mapped: (_random, address) => `[::ffff:${address}]`,
  'mapped in hex': (_random, address) => `[::FFFF:${pairs(address).join(':')}]`,
  'mapped in full': (_random, address) => `[0000:0:00:0:0:ffff:${pairs(address).join(':')}]`,
  compatible: (_random, address) => `[::${address}]`,
  translated: (_random, address) => `[::ffff:0:${address}]`,
  nat64: (random, address) =>
    random.pick([
      `[64:ff9b::${address}]`,
      `[64:ff9b::${pairs(address).join(':')}]`,
      `[64:ff9b:1::${address}]`,
    ]),
  '6to4': (random, address) => `[2002:${pairs(address).join(':')}::${random.pick(['', '1'])}]`,
  teredo: (_random, address) => {
    const inverted = bytesOf(address).map((byte) => 255 - byte)
    return `[2001:0:${pairs(address).join(':')}:0:ffff:${pairs(inverted.join('.')).join(':')}]`
  },
  isatap: (_random, address) => `[fe80::5efe:${address}]`,
  'with a zone': (random, address) => `[::ffff:${address}%25${random.pick(['lo', '1', 'eth0'])}]`,
  'any address of this host': (random) =>
    random.pick(['0.0.0.0', '0', '0x0', '00', '[::]', '[::0]', '[0:0::0]', '0.0']),
  localhost: (random) =>
    random.pick([
      'localhost',
      'LOCALHOST',
      'localhost.',
      'ⓛocalhost',
      'loc%61lhost',
      'ｌocalhost',
      'local\u00adhost',
      'LocalHost',
    ]),
  metadata: (random) =>
    random.pick(['169.254.169.254', '0xa9fea9fe', '[fd00:ec2::254]', '100.100.100.200', '[fe80::1]']),
}

const spellingsOfSix: Readonly<Record<string, Speller>> = {
  short: () => '[::1]',
  full: () => '[0000:0000:0000:0000:0000:0000:0000:0001]',
  'parts in full': (random) =>
    `[${Array.from({ length: 7 }, () => '0'.repeat(1 + random.below(4))).join(':')}:${'0'.repeat(random.below(4))}1]`,
  'the gap anywhere': (random) =>
    random.pick(['[0::1]', '[::0:1]', '[0:0::1]', '[::0:0:0:1]', '[0:0:0:0::0:1]']),
  'dots at the end': () => '[::0.0.0.1]',
  'with a zone': (random) => `[::1%25${random.pick(['lo', '0', '1', 'eth0'])}]`,
  'with a bare zone': (random) => `[::1%${random.pick(['lo', '0', '1'])}]`,
  'without brackets': () => '::1',
  'percent signs': () => '[%3a%3a1]',
  'other digits': () => '[::１]',
  localhost: (random) => random.pick(['localhost', 'ip6-localhost', 'localhost.localdomain']),
}

type UrlSpeller = (random: Random, host: string, port: number) => string

const plainUrl: UrlSpeller = (random, host, port) =>
  `${random.pick(['http', 'http', 'https', 'HTTP', 'hTtPs'])}://${host}:${port}${random.pick(['/', '', '/a?b=c', '/#d', '?e'])}`

const urls: Readonly<Record<string, UrlSpeller>> = {
  'other slashes': (random, host, port) =>
    `http${random.pick([':', ':/', ':///', ':\\\\', ':/\\', ':\\/', ':////', ':/\t/', '://\\'])}${host}:${port}/`,
  'space around': (random, host, port) =>
    random.pick([
      ` http://${host}:${port}/`,
      `\nhttp://${host}:${port}/`,
      `http://${host}:${port}/ `,
      `ht\ttp://${host}:${port}/`,
      `http://\t${host}:${port}/`,
      `\u0000http://${host}:${port}/`,
      `http://${host}:\n${port}/`,
    ]),
  'other ports': (random, host, port) =>
    random.pick([
      `http://${host}:0${port}/`,
      `http://${host}:00000${port}/`,
      `http://${host}:${port + 65536}/`,
      `http://${host}:${swapped(String(port), digits, scripts[0] ?? [])}/`,
      `http://${host}:${port}:80/`,
      `http://${host}:80:${port}/`,
      `http://${host}:0x${hex(port)}/`,
      `http://${host}:+${port}/`,
      `http://${host}:%3${String(port).slice(0, 1)}${String(port).slice(1)}/`,
    ]),
  'backslash at the end': (_random, host, port) => `http://${host}:${port}\\.site.test/`,
  'a line in the path': (_random, host, port) => `http://${host}:${port}/x\r\nHost: site.test\r\n\r\n`,
}
