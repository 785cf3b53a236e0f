/**
 * Makes the catalogue's data out of the packages of others: from pi-ai what a model can do, from genai-prices what it
 * costs. Used for the data that comes with the program and for refreshing it. No code of the packages is run.
 */
import { CatalogueData, type CatalogueModel, type DataPrice, type DataSource } from './data.ts'
import { genaiPricesPackage, isGenaiPricesFile, type PricedModel, readGenaiPrices } from './genai-prices.ts'
import { isPiAiFile, type PiAiModel, piAiPackage, readPiAi } from './pi-ai.ts'
import type { FetchedPackage } from './registry.ts'
import { readTarball } from './tarball.ts'

export interface SourcePackages {
  readonly piAi: FetchedPackage
  readonly genaiPrices: FetchedPackage
}

export type MadeData =
  | {
      readonly kind: 'made'
      readonly data: CatalogueData
      /** How many prices are known from both sources. */
      readonly compared: number
      readonly differences: readonly PriceDifference[]
    }
  | { readonly kind: 'refused'; readonly message: string }

/** The two sources say prices that are more than one part in a hundred apart. */
export interface PriceDifference {
  readonly model: string
  readonly piAi: DataPrice
  readonly genaiPrices: DataPrice
}

export const sourcePackages = { piAi: piAiPackage, genaiPrices: genaiPricesPackage } as const

/** The data as it is on the day. */
export function makeData({ piAi, genaiPrices }: SourcePackages, day: string): MadeData {
  const models = readTarball(piAi.tarball, isPiAiFile)
  if (models.kind === 'refused') return refused(piAi, models.message)
  const program = readTarball(genaiPrices.tarball, isGenaiPricesFile)
  if (program.kind === 'refused') return refused(genaiPrices, program.message)
  const prices = readGenaiPrices(program.files, day)
  if (prices.kind === 'refused') return refused(genaiPrices, prices.message)

  const sources = [sourceOf(names.piAi, piAi), sourceOf(names.genaiPrices, genaiPrices)]
  const merged = merge(readPiAi(models.files), prices.models)
  const checked = CatalogueData.safeParse({
    source: sources.map(({ name, version }) => `${name} ${version}`).join(', '),
    date: sources
      .map(({ date }) => date)
      .toSorted()
      .at(-1),
    sources,
    models: merged.models,
  })
  if (!checked.success) {
    const issue = checked.error.issues[0]
    return {
      kind: 'refused',
      message: `The data does not have its form: ${issue?.path.join('.')}: ${issue?.message}.`,
    }
  }
  return { kind: 'made', data: checked.data, compared: merged.compared, differences: merged.differences }
}

const names = { piAi: 'pi-ai', genaiPrices: 'genai-prices' } as const

function sourceOf(
  name: string,
  { name: packaged, version, date, licence, integrity }: FetchedPackage,
): DataSource {
  return { name, package: packaged, version, date, licence, integrity }
}

function merge(
  described: readonly PiAiModel[],
  priced: readonly PricedModel[],
): { models: CatalogueModel[]; compared: number; differences: PriceDifference[] } {
  let compared = 0
  const differences: PriceDifference[] = []
  const prices = new Map<string, PricedModel>()
  for (const model of priced) {
    for (const name of [...model.aliases, model.id]) {
      if (name === model.id || !prices.has(keyOf(model.kind, name)))
        prices.set(keyOf(model.kind, name), model)
    }
  }
  const models = new Map<string, CatalogueModel>()
  for (const model of described) {
    const found = prices.get(keyOf(model.kind, model.id))
    if (found !== undefined && model.price !== null) {
      compared += 1
      if (areApart(model.price, found.price)) {
        differences.push({ model: keyOf(model.kind, model.id), piAi: model.price, genaiPrices: found.price })
      }
    }
    models.set(keyOf(model.kind, model.id), describedEntry(model, found))
  }
  for (const model of priced) {
    const key = keyOf(model.kind, model.id)
    if (!models.has(key)) models.set(key, pricedEntry(model))
  }
  return {
    models: [...models]
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([, model]) => withoutTakenAliases(model, models)),
    compared,
    differences,
  }
}

/** The price is that of genai-prices, unless pi-ai says clearly more: whichever of the two is behind, money is not. */
function describedEntry(model: PiAiModel, found: PricedModel | undefined): CatalogueModel {
  const { price, ...described } = model
  const facts = { ...described, ...(isForLater(model.id) ? { listed: false as const } : {}) }
  if (found === undefined) {
    return { ...facts, price, ...(price === null ? {} : { source: names.piAi }) }
  }
  const aliases = found.id === model.id ? found.aliases : []
  const dearer = price !== null && areApart(price, found.price) && weight(price) > weight(found.price)
  return {
    ...facts,
    price: dearer ? withTiers(price, found.price) : withTiers(found.price, price),
    ...(found.later.length === 0 ? {} : { later: found.later }),
    source: dearer ? names.piAi : names.genaiPrices,
    ...(aliases.length === 0 ? {} : { aliases }),
  }
}

/** Answers within a day and not at once. */
function isForLater(id: string): boolean {
  return id.endsWith(':batch')
}

/** A tier that only one of the two knows of is kept: without it a long request would be taken to be cheaper. */
function withTiers(price: DataPrice, other: DataPrice | null): DataPrice {
  const tiers = price.tiers ?? other?.tiers
  return tiers === undefined ? price : { ...price, tiers }
}

function pricedEntry(model: PricedModel): CatalogueModel {
  const offered = offeredElsewhere.get(keyOf(model.kind, model.id))
  return {
    kind: model.kind,
    id: model.id,
    title: model.title,
    capabilities: [...(offered?.capabilities ?? [])],
    context: offered?.context ?? model.context,
    output: offered?.output ?? null,
    price: model.price,
    ...(model.later.length === 0 ? {} : { later: model.later }),
    source: names.genaiPrices,
    ...(model.aliases.length === 0 ? {} : { aliases: model.aliases }),
    ...(model.serves === 'embeddings' ? { serves: 'embeddings' as const } : {}),
    ...(offered === undefined && model.serves === 'chat' ? { listed: false as const } : {}),
  }
}

/** Providers that pi-ai does not describe, by what they document themselves. */
const offeredElsewhere: ReadonlyMap<
  string,
  Pick<CatalogueModel, 'capabilities' | 'context' | 'output'>
> = new Map([
  ['cohere/command-a-03-2025', { capabilities: ['tools'], context: 256_000, output: 8_000 }],
  ['cohere/command-r-08-2024', { capabilities: ['tools'], context: 128_000, output: 4_000 }],
  ['cohere/command-r-plus-08-2024', { capabilities: ['tools'], context: 128_000, output: 4_000 }],
  ['cohere/command-r7b-12-2024', { capabilities: ['tools'], context: 128_000, output: 4_000 }],
  ['perplexity/sonar', { capabilities: ['vision'], context: 128_000, output: null }],
  ['perplexity/sonar-pro', { capabilities: ['vision'], context: 200_000, output: null }],
  [
    'perplexity/sonar-reasoning-pro',
    { capabilities: ['vision', 'reasoning'], context: 128_000, output: null },
  ],
  ['perplexity/sonar-deep-research', { capabilities: ['reasoning'], context: 128_000, output: null }],
])

function withoutTakenAliases(
  model: CatalogueModel,
  all: ReadonlyMap<string, CatalogueModel>,
): CatalogueModel {
  const { aliases, ...facts } = model
  const free = (aliases ?? []).filter((alias) => !all.has(keyOf(model.kind, alias)))
  return free.length === 0 ? facts : { ...facts, aliases: free }
}

function areApart(one: DataPrice, other: DataPrice): boolean {
  const apart = (first: number, second: number) => Math.abs(first - second) > 0.01 * Math.max(first, second)
  return apart(one.input, other.input) || apart(one.output, other.output)
}

/** A conversation sends several times what it receives. */
function weight(price: DataPrice): number {
  return price.input * 4 + price.output
}

function keyOf(kind: string, id: string): string {
  return `${kind}/${id}`
}

function refused(from: FetchedPackage, message: string): MadeData {
  return { kind: 'refused', message: `${from.name} ${from.version} cannot be read. ${message}` }
}
