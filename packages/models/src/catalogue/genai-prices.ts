/**
 * Reads the prices that the package genai-prices publishes inside its program. The program is not run: its data is read
 * as text. Of its rules for names only the exact ones are taken, since a prefix would fit models that it never meant.
 */
import type { ProviderKind } from '@countersign/contract'
import { z } from 'zod'
import type { CatalogueModel, DataPrice } from './data.ts'
import { readLiteral } from './literal.ts'

export const genaiPricesPackage = '@pydantic/genai-prices'

export interface PricedModel {
  readonly kind: ProviderKind
  readonly id: string
  readonly aliases: string[]
  readonly title: string
  readonly context: number | null
  readonly price: DataPrice
  readonly later: NonNullable<CatalogueModel['later']>
  readonly serves: 'chat' | 'embeddings'
}

export type ReadPrices =
  | { readonly kind: 'read'; readonly models: readonly PricedModel[] }
  | { readonly kind: 'refused'; readonly message: string }

export function isGenaiPricesFile(path: string): boolean {
  return path === program
}

/** The prices that hold on the day, and those that are announced for later. */
export function readGenaiPrices(files: ReadonlyMap<string, string>, day: string): ReadPrices {
  const text = files.get(program)
  const start = text?.search(beginning) ?? -1
  if (text === undefined || start === -1) {
    return { kind: 'refused', message: `${genaiPricesPackage} has no data where it is looked for.` }
  }
  const literal = readLiteral(text, text.indexOf('[', start))
  if (literal.kind === 'refused') return literal
  const providers = z.array(z.unknown()).safeParse(literal.value).data ?? []
  const models = providers.flatMap((value) => {
    const provider = Provider.safeParse(value).data
    const kind = provider === undefined ? undefined : kindsById.get(provider.id)
    if (provider === undefined || kind === undefined) return []
    return provider.models.flatMap((entry) => {
      const model = Model.safeParse(entry).data
      return model === undefined ? [] : (pricedModelOf(kind, model, day) ?? [])
    })
  })
  return { kind: 'read', models }
}

const program = 'dist/index.js'
const beginning = /\bconst [\w$]+ ?= ?\[\s*\{\s*id: ?"/

const kindsById: ReadonlyMap<string, ProviderKind> = new Map([
  ['anthropic', 'anthropic'],
  ['openai', 'openai'],
  ['google', 'google'],
  ['mistral', 'mistral'],
  ['groq', 'groq'],
  ['deepseek', 'deepseek'],
  ['x-ai', 'xai'],
  ['together', 'together'],
  ['fireworks', 'fireworks'],
  ['perplexity', 'perplexity'],
  ['cohere', 'cohere'],
  ['openrouter', 'openrouter'],
])

const Tiered = z.object({
  base: z.number(),
  tiers: z.array(z.object({ start: z.int().min(0), price: z.number() })),
})
const Prices = z.record(z.string(), z.union([z.number(), Tiered]))
type Prices = z.infer<typeof Prices>
const Constraint = z.discriminatedUnion('type', [
  z.object({ type: z.literal('start_date'), start_date: z.string() }),
  z.object({ type: z.literal('time_of_date') }),
])
const Conditional = z.object({ constraint: Constraint.optional(), prices: Prices })
type Conditional = z.infer<typeof Conditional>
const Equals = z.object({ equals: z.string() })
const Model = z.object({
  id: z.string(),
  name: z.string().optional(),
  context_window: z.int().positive().optional(),
  match: z.unknown(),
  prices: z.union([Prices, z.array(Conditional).min(1)]),
})
const Provider = z.object({ id: z.string(), models: z.array(z.unknown()) })

function pricedModelOf(
  kind: ProviderKind,
  model: z.infer<typeof Model>,
  day: string,
): PricedModel | undefined {
  if (!isPlainModel(kind, model.id)) return undefined
  const { now, later } = schedule(
    Array.isArray(model.prices) ? model.prices : [{ prices: model.prices }],
    day,
  )
  const embeds = /embed/.test(model.id)
  const price = priceOf(now, embeds)
  if (price === undefined) return undefined
  const [id, aliases] = namesOf(kind, model.id, exactNames(model.match))
  return {
    kind,
    id,
    aliases,
    title: model.name ?? model.id,
    context: model.context_window ?? null,
    price,
    later: later.flatMap(({ from, prices }) => {
      const next = priceOf(prices, embeds)
      return next === undefined ? [] : [{ from, price: next }]
    }),
    serves: embeds ? 'embeddings' : 'chat',
  }
}

/**
 * Left out: models of others that only Vertex has, names that stand for many fine-tuned models, names of OpenRouter
 * under another provider, and models that are not paid for by the token of text.
 */
function isPlainModel(kind: ProviderKind, id: string): boolean {
  if (kind === 'google' && id.startsWith('claude')) return false
  if (/^ft:|\.ft-|-$/.test(id)) return false
  if (kind !== 'openrouter' && id.includes(':')) return false
  return !/(?:audio|tts|-image|realtime|transcribe|-live|whisper|voice|-ocr|moderation)/.test(id)
}

/** What its program would take for exactly these names. */
function exactNames(match: unknown): string[] {
  const either = z.object({ or: z.array(z.unknown()) }).safeParse(match).data?.or ?? [match]
  return either.flatMap((rule) => Equals.safeParse(rule).data?.equals ?? [])
}

/** The name that the provider's API has goes first. */
function namesOf(kind: ProviderKind, id: string, names: readonly string[]): [string, string[]] {
  const all = [...new Set([id, ...names])]
  const called = all.find(
    (name) =>
      (kind === 'fireworks' && name.startsWith('accounts/')) ||
      (kind === 'cohere' && name !== id && new RegExp(`^${RegExp.escape(id)}-\\d{2}-20\\d{2}$`).test(name)),
  )
  const first = called ?? id
  return [first, all.filter((name) => name !== first).toSorted()]
}

/**
 * The last rule that fits counts. A rule for hours of the day may fit at any time, so the dearest of what can hold on
 * the day is taken.
 */
function schedule(rules: readonly Conditional[], day: string) {
  let hourly: Prices[] = []
  const later: { from: string; prices: Prices[] }[] = []
  for (const { constraint, prices } of rules.toReversed()) {
    if (constraint?.type === 'time_of_date') {
      hourly.push(prices)
    } else if (constraint !== undefined && constraint.start_date > day) {
      later.unshift({ from: constraint.start_date, prices: [prices, ...hourly] })
    } else {
      return { now: [prices, ...hourly], later }
    }
  }
  const first = rules[0]
  hourly = first === undefined ? hourly : [first.prices, ...hourly]
  return { now: hourly, later }
}

/** Undefined where it is not paid for by tokens. */
function priceOf(alternatives: readonly Prices[], embeds: boolean): DataPrice | undefined {
  const dearest = (name: string, above: number): number | undefined => {
    const prices = alternatives.flatMap((prices) => at(prices[name], above) ?? [])
    return prices.length === 0 ? undefined : Math.max(...prices)
  }
  const ratesAt = (above: number) => {
    const input = dearest('input_mtok', above)
    const output = dearest('output_mtok', above) ?? (embeds ? 0 : undefined)
    if (input === undefined || output === undefined) return undefined
    return {
      input,
      output: Math.max(output, dearest('output_reasoning_mtok', above) ?? 0),
      cacheRead: dearest('cache_read_mtok', above) ?? null,
      cacheWrite: dearest('cache_write_mtok', above) ?? null,
    }
  }
  const rates = ratesAt(0)
  if (rates === undefined) return undefined
  const starts = alternatives
    .flatMap((prices) => ['input_mtok', 'output_mtok', 'cache_read_mtok'].map((name) => prices[name]))
    .flatMap((price) => (typeof price === 'object' ? price.tiers.map(({ start }) => start) : []))
  const tiers = [...new Set(starts)]
    .filter((start) => start > 0)
    .toSorted((one, other) => one - other)
    .map((above) => ({ above, ...(ratesAt(above) ?? rates) }))
  const perCall = (dearest('requests_kcount', 0) ?? 0) / 1_000
  return {
    ...rates,
    ...(tiers.length === 0 ? {} : { tiers }),
    ...(perCall === 0 ? {} : { perCall }),
  }
}

/** The price of a request with more tokens than `above`. */
function at(price: Prices[string] | undefined, above: number): number | undefined {
  if (typeof price !== 'object') return price
  return price.tiers
    .filter(({ start }) => start <= above && start > 0)
    .toSorted((one, other) => one.start - other.start)
    .map((tier) => tier.price)
    .reduce((_, next) => next, price.base)
}
