/**
 * Owns which looks at the web carry nothing of the operator's: plain requests for public addresses, from a run that knows
 * nothing private. Whose address it is says the rest: typed by the operator, found on a page, or made up by a model.
 */
import type { Effect, JsonObject, UrlResource } from '@countersign/contract'
import { isOfArguments, standsIn, standsWithin, typedHosts } from './address-words.ts'
import { isInnerAddress } from './classify.ts'
import { type CallInTask, isOwnCall, type TaskSoFar } from './task-so-far.ts'
import { wordsOf } from './words-of.ts'

export interface PlainLook {
  readonly url: URL
  /** As it stands in the call. */
  readonly address: string
  /** For a search: the words, and that the service is one that the operator has a key for. */
  readonly search: string | null
  /** Strangers' words may have led to it. */
  readonly isTainted: boolean
}

/** After these a person looks again. */
export const mostLooks = 20
/** In characters. Enough for a topic, and little for anything else. */
const longest = { path: 80, search: 120, word: 12 } as const

/** Little can be put into it. */
export function isBrief({ search, pathname }: URL): boolean {
  return search === '' && pathname.length <= longest.path
}

/** The look that the call is, where the records of its task could speak for it. */
export function lookOf(call: CallInTask): PlainLook | undefined {
  return isOwnCall(call) ? plainLookOf(call) : undefined
}

/** The look that the call is, whoever makes it: nothing private is known to it, and nothing of the operator's goes along. */
export function plainLookOf(call: CallInTask): PlainLook | undefined {
  if (call.label.confidentiality !== 'public') return undefined
  const asked = bareLookOf(call)
  return asked && { ...asked, isTainted: call.label.integrity === 'untrusted' }
}

/** Whatever its run knows: an address or a search goes out, and what is there comes back. */
export function bareLookOf({
  tool,
  args,
  effects,
  resources,
  secrets,
  uses,
}: Omit<CallInTask, 'label'>): AskedLook | undefined {
  if (uses.length > 0) return undefined
  if (weatherTools.has(tool.name)) return onlyFetches(effects) ? weatherOf(args, resources) : undefined
  const [resource, ...others] = resources
  if (resource?.type !== 'url' || others.length > 0 || !isPlain(resource)) return undefined
  if (!onlyFetches(effects)) return undefined
  if (tool.name === searcher) return secrets.length > 0 ? searchOf(args, resource) : undefined
  return lookers.has(tool.name) && secrets.length === 0 ? addressOf(args, resource) : undefined
}

export function onlyFetches(effects: readonly Effect[]): boolean {
  const isFetch = ({ verb, outward, reversible }: Effect) => verb === 'fetch' && !outward && reversible
  return effects.length > 0 && effects.every(isFetch)
}

/** They send an address and bring back what is there. A page in the browser lives on, has cookies and runs programs. */
const lookers: ReadonlySet<string> = new Set(['fetch_web_page', 'http_request', 'json_api'])
const searcher = 'search_web'
export const webTools: readonly string[] = [...lookers, searcher]

/** They send the name of a place to a service that the operator switched on, and bring back numbers. */
const weatherTools: ReadonlySet<string> = new Set(['get_weather', 'get_weather_forecast'])
const weatherHosts: ReadonlySet<string> = new Set([
  'geocoding-api.open-meteo.com',
  'api.open-meteo.com',
  'customer-geocoding-api.open-meteo.com',
  'customer-api.open-meteo.com',
])

function weatherOf(
  { location, country, endpoint }: JsonObject,
  resources: CallInTask['resources'],
): AskedLook | undefined {
  const isOwn = (one: CallInTask['resources'][number]) =>
    one.type === 'url' && one.scheme === 'https' && weatherHosts.has(one.host) && isPlain(one)
  if (typeof location !== 'string' || endpoint !== undefined || resources.length === 0) return undefined
  const [first] = resources
  const url = first?.type === 'url' && resources.every(isOwn) ? URL.parse(`https://${first.host}/`) : null
  const search = typeof country === 'string' ? `${location} ${country}` : location
  return url ? { url, address: url.href, search } : undefined
}

function isPlain(resource: UrlResource): boolean {
  const { scheme, port, method, carries } = resource
  const isUsual = (scheme === 'https' && port === 443) || (scheme === 'http' && port === 80)
  const isLook = (method === 'GET' || method === 'HEAD') && carries === 'address'
  return isUsual && isLook && !isInnerAddress(resource)
}

type AskedLook = Omit<PlainLook, 'isTainted'>

function addressOf({ url: address }: JsonObject, { host }: UrlResource): AskedLook | undefined {
  const url = typeof address === 'string' ? URL.parse(address) : null
  if (!url || typeof address !== 'string' || url.hostname !== host || odd.test(address)) return undefined
  return url.username === '' && url.password === '' ? { url, address, search: null } : undefined
}

/** What an address is never written with, and what is written in another way where it is repeated. */
const odd = /["'<>\\^`{|}\s]/

function searchOf({ query, endpoint }: JsonObject, { scheme, host }: UrlResource): AskedLook | undefined {
  if (typeof query !== 'string' || endpoint !== undefined) return undefined
  const url = URL.parse(`${scheme}://${host}/`)
  return url ? { url, address: url.href, search: query } : undefined
}

/** Whether nothing can leave by it but a choice among public addresses, or few words to a place that the operator chose. */
export function isExpectedLook({ url, address, search, isTainted }: PlainLook, soFar: TaskSoFar): boolean {
  if (soFar.looks >= mostLooks || soFar.wasInside) return false
  if (search !== null) return search.length <= longest.search && (!isTainted || hasKnownWords(search, soFar))
  if (soFar.said.some((words) => standsIn(words, address))) return true
  const isTyped = soFar.said.some((words) => typedHosts(words).has(url.hostname))
  if (isFound(url, address, soFar))
    return url.search === '' || ((isTyped || soFar.visited.has(url.hostname)) && !hasToken(url))
  if (!isBrief(url)) return false
  return isTyped || (soFar.visited.has(url.hostname) && saysNothing(url, soFar))
}

/**
 * Whoever the host belongs to reads the path, and a stranger may have led there. So it is a few short words in small
 * letters, as people name pages, and none of them is the operator's, whole or in parts.
 */
function saysNothing({ pathname }: URL, { said, looks }: TaskSoFar): boolean {
  if (looks >= mostLooks / 2 || !/^(?:\/[a-z0-9]+(?:[-_.][a-z0-9]+)*)+\/?$/.test(pathname)) return false
  const words = wordsOf(pathname)
  const told = words.join('')
  const own = new Set(said.flatMap(spelledWords))
  return (
    words.length <= mostMade &&
    words.every((word) => word.length > 1 && word.length <= longest.word && !own.has(word)) &&
    ![...own].some((word) => word.length >= 4 && told.includes(word))
  )
}

/** As addresses write them: without marks over letters, and with what some write instead of these. */
function spelledWords(text: string): string[] {
  const small = text.normalize('NFC').toLowerCase()
  const long = small.replaceAll(/[äæöœüß]/g, (letter) => spelled[letter] ?? letter)
  const short = small.replaceAll(/[øłđı]/g, (letter) => spelled[letter] ?? letter)
  return [long, short].flatMap((each) => wordsOf(each.normalize('NFKD').replaceAll(/\p{M}/gu, '')))
}

const spelled: Readonly<Record<string, string>> = {
  ä: 'ae',
  æ: 'ae',
  ö: 'oe',
  œ: 'oe',
  ü: 'ue',
  ß: 'ss',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ı: 'i',
}
const mostMade = 6

export function isFound(url: URL, address: string, { read }: TaskSoFar): boolean {
  const asked = read.map(({ args }) => args)
  return read.some(({ text }) => standsWithin(text, address)) && !isOfArguments(url, asked)
}

/** Strangers can then choose among words that are public already, and bring in no other. */
function hasKnownWords(search: string, { said, read }: TaskSoFar): boolean {
  const known = new Set([...said, ...read.map(({ text }) => text)].flatMap(wordsOf))
  return wordsOf(search).every((word) => known.has(word))
}

/** A request that confirms, cancels or signs in has one. */
export function hasToken({ search }: URL): boolean {
  return /[\w%.~-]{20,}/.test(search.replaceAll(/[?&][\w.[\]-]{1,19}=/g, '&'))
}
