/**
 * Owns asking a provider what it billed for whole UTC days. The key goes to the provider's own address and is kept
 * nowhere. Refuses redirects, answers without an end and amounts that cannot be read exactly.
 */
import type { ProviderKind } from '@countersign/contract'
import { cappedText } from '@countersign/models'
import { z } from 'zod'
import { providerAddressOf } from './provider-address.ts'

export interface InvoicingProvider {
  readonly name: string
  readonly kind: ProviderKind
  readonly baseUrl: string
}

export interface InvoiceRequest {
  readonly provider: InvoicingProvider
  readonly adminKey: string | undefined
  /** Midnights in UTC. */
  readonly from: Date
  readonly to: Date
  readonly now: Date
  readonly fetch: typeof globalThis.fetch
  readonly waitMs: number
}

export type ProviderInvoice =
  | {
      readonly kind: 'billed'
      /** In billionths of a dollar, for each day such as `2026-11-03`. */
      readonly days: ReadonlyMap<string, number>
      /** A day that is left out cost nothing, and not: nothing is known of it. */
      readonly whole: boolean
    }
  | { readonly kind: 'unavailable'; readonly problem: string }

export const dayMs = 24 * 60 * 60_000

export async function fetchInvoice(request: InvoiceRequest): Promise<ProviderInvoice> {
  const { provider, adminKey } = request
  const { name, kind, baseUrl } = provider
  const source = sources[kind]
  if (!source) return unavailable(`${name} has no usage API, so its bill cannot be fetched.`)
  if (adminKey === undefined)
    return unavailable(
      `${name} shows its bill only with ${source.key}. Create one at ${source.keysAt} and run \`countersign cost reconcile ${name}\`.`,
    )
  if (!/^[\x21-\x7e]+$/.test(adminKey))
    return unavailable('The admin key contains invalid characters. Copy it again from the provider.')
  const address = providerAddressOf(baseUrl)
  if (address.kind === 'refused') return unavailable(`${address.reason} ${address.next}`)
  const reaches = source.reachesDays
  if (reaches !== null && request.from.getTime() < startOfDay(request.now) - reaches * dayMs)
    return unavailable(
      `${name} has data for the last ${reaches} days only. Choose a later start with --from.`,
    )
  return readPages(request, source, `${address.url}${source.path}`, adminKey)
}

/** Whether a provider of this kind can be asked at all. */
export function hasInvoiceApi(kind: ProviderKind): boolean {
  return sources[kind] !== undefined
}

export function startOfDay(at: Date): number {
  return Math.floor(at.getTime() / dayMs) * dayMs
}

interface InvoiceSource {
  readonly key: string
  readonly keysAt: string
  readonly path: string
  readonly whole: boolean
  /** How far back it tells; null where that is not known to end. */
  readonly reachesDays: number | null
  query(from: Date, to: Date): Record<string, string>
  headers(key: string): Record<string, string>
  /** Undefined where the answer has another form. */
  read(answer: unknown): InvoicePage | undefined
}

interface InvoicePage {
  readonly amounts: readonly { readonly day: string; readonly parts: bigint }[]
  readonly next: string | null
}

const bucketsPerPage = '31'
const mostPages = 60
const mostBytes = 4_194_304

/** A billionth of a billionth of a dollar: fine enough that rounding happens once for each day. */
const partDigits = 18
const partsPerNano = 1_000_000_000n

/** Numbers arrive as the text that was sent, since a binary fraction is not the amount. */
const Amount = z.string().regex(/^-?\d{1,12}(\.\d{1,60})?([eE][+-]?\d{1,2})?$/)
const Dollar = z.string().regex(/^usd$/i)
const paged = { has_more: z.boolean(), next_page: z.string().nullish() }

const OpenAiCosts = z.object({
  data: z.array(
    z.object({
      start_time: z.string().regex(/^\d{1,12}$/),
      results: z.array(z.object({ amount: z.object({ value: Amount, currency: Dollar }) })),
    }),
  ),
  ...paged,
})

const AnthropicCosts = z.object({
  data: z.array(
    z.object({
      starting_at: z.iso.datetime({ offset: true }),
      results: z.array(z.object({ amount: Amount, currency: Dollar })),
    }),
  ),
  ...paged,
})

const OpenRouterActivity = z.object({
  data: z.array(z.object({ date: z.string().regex(/^\d{4}-\d\d-\d\d/), usage: Amount })),
})

const bearer = (key: string) => ({ authorization: `Bearer ${key}` })

const sources: Partial<Record<ProviderKind, InvoiceSource>> = {
  openai: {
    key: 'an admin key of the organisation',
    keysAt: 'https://platform.openai.com/settings/organization/admin-keys',
    path: '/organization/costs',
    whole: false,
    reachesDays: null,
    query: (from, to) => ({
      start_time: String(from.getTime() / 1_000),
      end_time: String(to.getTime() / 1_000),
      bucket_width: '1d',
      limit: bucketsPerPage,
    }),
    headers: bearer,
    read(answer) {
      const page = OpenAiCosts.safeParse(answer).data
      return (
        page && {
          amounts: page.data.flatMap(({ start_time, results }) => [
            { day: dayOf(new Date(Number(start_time) * 1_000)), parts: 0n },
            ...results.map(({ amount }) => ({
              day: dayOf(new Date(Number(start_time) * 1_000)),
              parts: partsOf(amount.value, 0),
            })),
          ]),
          next: page.has_more ? (page.next_page ?? '') : null,
        }
      )
    },
  },
  anthropic: {
    key: 'an admin key of the organisation',
    keysAt: 'https://console.anthropic.com/settings/admin-keys',
    path: '/organizations/cost_report',
    whole: false,
    reachesDays: null,
    query: (from, to) => ({
      starting_at: from.toISOString(),
      // A day more, since it is not said whether a day that ends exactly there is among them.
      ending_at: new Date(to.getTime() + dayMs).toISOString(),
      bucket_width: '1d',
      limit: bucketsPerPage,
    }),
    headers: (key) => ({ 'x-api-key': key, 'anthropic-version': '2023-06-01' }),
    read(answer) {
      const page = AnthropicCosts.safeParse(answer).data
      return (
        page && {
          amounts: page.data.flatMap(({ starting_at, results }) => [
            { day: dayOf(new Date(starting_at)), parts: 0n },
            // In cents.
            ...results.map(({ amount }) => ({
              day: dayOf(new Date(starting_at)),
              parts: partsOf(amount, -2),
            })),
          ]),
          next: page.has_more ? (page.next_page ?? '') : null,
        }
      )
    },
  },
  openrouter: {
    key: 'a management key',
    keysAt: 'https://openrouter.ai/settings/management-keys',
    path: '/activity',
    whole: true,
    reachesDays: 30,
    query: () => ({}),
    headers: bearer,
    read(answer) {
      const page = OpenRouterActivity.safeParse(answer).data
      return (
        page && {
          amounts: page.data.map(({ date, usage }) => ({ day: date.slice(0, 10), parts: partsOf(usage, 0) })),
          next: null,
        }
      )
    },
  },
}

async function readPages(
  { provider: { name }, from, to, fetch, waitMs }: InvoiceRequest,
  source: InvoiceSource,
  url: string,
  key: string,
): Promise<ProviderInvoice> {
  const [first, last] = [dayOf(from), dayOf(new Date(to.getTime() - dayMs))]
  const days = new Map<string, bigint>()
  const seen = new Set<string>()
  const signal = AbortSignal.timeout(waitMs)
  let page = ''
  do {
    if (seen.has(page) || seen.size >= mostPages)
      return unavailable(`The bill of ${name} is too long. Choose a shorter period with --from and --to.`)
    seen.add(page)
    const query = new URLSearchParams({ ...source.query(from, to), ...(page === '' ? {} : { page }) })
    const answer = await ask(fetch, `${url}?${query.toString()}`, source.headers(key), signal)
    if (answer.kind === 'problem') return unavailable(sentenceOf(answer.problem, name, source))
    const read = source.read(answer.value)
    if (!read) return unavailable(sentenceOf('malformed', name, source))
    for (const { day, parts } of read.amounts)
      if (day >= first && day <= last) days.set(day, (days.get(day) ?? 0n) + parts)
    if (read.next === '') return unavailable(sentenceOf('malformed', name, source))
    page = read.next ?? ''
  } while (page !== '')
  const nanos = new Map(Array.from(days, ([day, parts]) => [day, nanosOf(parts)]))
  if (![...nanos.values()].every(Number.isSafeInteger))
    return unavailable(sentenceOf('malformed', name, source))
  return { kind: 'billed', days: nanos, whole: source.whole }
}

type Problem = 'key' | 'moved' | 'busy' | 'silent' | 'unreachable' | 'malformed' | { readonly status: number }
type InvoiceReply =
  | { readonly kind: 'answer'; readonly value: unknown }
  | { readonly kind: 'problem'; readonly problem: Problem }

/** What went wrong is named and never quoted: a provider may repeat the key that it refuses. */
async function ask(
  fetch: typeof globalThis.fetch,
  url: string,
  headers: Record<string, string>,
  signal: AbortSignal,
): Promise<InvoiceReply> {
  const problem = (what: Problem): InvoiceReply => ({ kind: 'problem', problem: what })
  try {
    const response = await fetch(url, { headers, signal, redirect: 'manual' })
    const { status } = response
    if (!response.ok) await response.body?.cancel()
    if (status === 401 || status === 403) return problem('key')
    if (status >= 300 && status < 400) return problem('moved')
    if (status === 429) return problem('busy')
    if (!response.ok) return problem({ status })
    const text = await cappedText(response, mostBytes)
    return text === undefined ? problem('malformed') : { kind: 'answer', value: exactly(text) }
  } catch (error) {
    if (error instanceof SyntaxError) return problem('malformed')
    return problem(signal.aborted ? 'silent' : 'unreachable')
  }
}

type ReadNumbers = (
  text: string,
  reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
) => unknown

/** Every number as the text that stands there. */
function exactly(text: string): unknown {
  const parse = JSON.parse as ReadNumbers
  return parse(text, (_key, value, { source }) => (typeof value === 'number' ? source : value))
}

function sentenceOf(problem: Problem, name: string, source: InvoiceSource): string {
  if (typeof problem === 'object')
    return `${name} answered with status ${problem.status} instead of the bill. Try again later.`
  return {
    key: `${name} refused the key. It needs ${source.key}; create one at ${source.keysAt}.`,
    moved: `${name} redirected the request, and the key is not sent to another address. Check the address with \`countersign provider list\`.`,
    busy: `${name} limits requests. Try again in a minute.`,
    silent: `${name} did not send its bill in time. Try again, or choose a shorter period with --from and --to.`,
    unreachable: `${name} could not be reached. Check the address with \`countersign provider list\`.`,
    malformed: `The bill of ${name} is not in the expected format. Check the address with \`countersign provider list\`.`,
  }[problem]
}

/** The text must match `Amount`. What is finer than a part is left out. */
function partsOf(text: string, shift: number): bigint {
  const [number = '', exponent = '0'] = text.toLowerCase().split('e')
  const [whole = '', fraction = ''] = number.split('.')
  const places = partDigits + shift + Number(exponent) - fraction.length
  const digits = BigInt(`${whole.replace('-', '')}${fraction}`)
  const parts = places >= 0 ? digits * 10n ** BigInt(places) : digits / 10n ** BigInt(-places)
  return whole.startsWith('-') ? -parts : parts
}

function nanosOf(parts: bigint): number {
  const half = partsPerNano / 2n
  return Number((parts < 0n ? parts - half : parts + half) / partsPerNano)
}

export function dayOf(at: Date): string {
  return at.toISOString().slice(0, 10)
}

function unavailable(problem: string): ProviderInvoice {
  return { kind: 'unavailable', problem }
}
