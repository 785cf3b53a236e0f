/**
 * Owns what is known of every model: the published data, and the operator's changes on top of it. Refuses to take one
 * model for another that is only alike, and to call a model cheap that nobody has a price for.
 */
import type { Capability, ModelPrice, OverrideModel, ProviderKind } from '@countersign/contract'
import { kinds } from '../providers/kinds.ts'
import { isNearby } from './address.ts'
import type { CatalogueData, CatalogueModel, DataPrice } from './data.ts'
import type { ModelFacts, ModelService, PriceTier } from './facts.ts'
import { dateIn, familyOf, resoldAs, spellingsOf } from './names.ts'
import { unknownPrice } from './price.ts'
import { qualityOf, type Scale } from './quality.ts'

export interface Catalogue {
  /** Undefined where the data has no such model. Says nothing of overrides, which belong to a provider. */
  find(kind: ProviderKind, model: string): ModelFacts | undefined
  /** What there is to choose from, by name. Old models that are only known for their price are not among it. */
  list(kind: ProviderKind, serves?: ModelService): readonly ModelFacts[]
  /** Always an answer: the data, the kind of the provider and the operator's changes taken together. */
  factsFor(provider: CataloguedProvider, model: string): ModelFacts
  readonly view: { readonly source: string; readonly date: string; readonly models: number }
}

export interface CataloguedProvider {
  readonly name: string
  readonly kind: ProviderKind
  readonly baseUrl?: string | undefined
}

export interface CatalogueParts {
  readonly data: CatalogueData
  /** By `provider/model`. Read at every question, so that a change holds at once. */
  readonly overrides: ReadonlyMap<string, OverrideModel>
  /** Decides which of the announced prices hold. Left out, the dearest of them counts. */
  readonly now?: () => Date
}

export function createCatalogue({ data, overrides, now }: CatalogueParts): Catalogue {
  const modelsByKind = new Map<ProviderKind, ModelsOfKind>()
  for (const entry of data.models) {
    let ofKind = modelsByKind.get(entry.kind)
    if (ofKind === undefined)
      modelsByKind.set(entry.kind, (ofKind = { byName: new Map(), families: new Map() }))
    addModel(ofKind, entry)
  }
  for (const ofKind of modelsByKind.values()) addAliases(ofKind)
  const scale = scaleOf(data)

  const factsOf = (entry: CatalogueModel, priced: CatalogueModel, model: string): ModelFacts => {
    const price = priceAt(priced, now?.())
    const capabilities = isUndescribed(entry) ? presumedOf(entry.kind) : entry.capabilities
    return {
      model,
      title: entry.title,
      capabilities,
      streaming: entry.serves === undefined,
      context: entry.context,
      output: entry.output,
      price: price === null ? null : modelPriceOf(price, priced.source, data),
      ...(price?.tiers === undefined ? {} : { tiers: price.tiers }),
      ...(price?.perCall === undefined ? {} : { perCall: price.perCall }),
      ...(entry.serves === undefined ? {} : { serves: entry.serves }),
      quality: qualityOf(
        {
          model: entry.id,
          capabilities,
          context: entry.context,
          outputPrice: paidTwinOf(modelsByKind.get(entry.kind), entry).price?.output ?? null,
        },
        scale,
      ),
      overridden: false,
    }
  }

  const find = (kind: ProviderKind, model: string): ModelFacts | undefined => {
    const found = findModel(modelsByKind.get(kind), kind, model)
    return found === undefined ? undefined : factsOf(found.entry, found.priced, model)
  }

  /** The same model at another's place: what it can do is known, and not what it costs there. */
  const resold = (kind: ProviderKind, model: string): ModelFacts | undefined => {
    const origin = resoldAs(kind, model)
    const facts = origin && find(origin.kind, origin.model)
    if (!facts) return undefined
    const { tiers: _tiers, perCall: _perCall, ...rest } = facts
    return { ...rest, model, price: null }
  }

  /**
   * A server nearby may pass its calls on to a hosted provider, whose bill comes all the same. So a model is free
   * there only where no provider is known to sell one of that name; otherwise the dearest of them counts.
   */
  const nearPrice = (
    { kind }: CataloguedProvider,
    model: string,
  ): Pick<ModelFacts, 'price' | 'tiers' | 'perCall'> => {
    const sold = kinds[kind].local ? [] : soldAs(modelsByKind, model)
    if (sold.length === 0) return { price: localPrice(data) }
    const dearest = sold.reduce(dearerOf)
    const { price, tiers, perCall } = factsOf(dearest, dearest, model)
    return { price, ...(tiers && { tiers }), ...(perCall !== undefined && { perCall }) }
  }

  return {
    find,
    list: (kind, serves = 'chat') =>
      [...new Set(modelsByKind.get(kind)?.byName.values() ?? [])]
        .filter((entry) => entry.listed !== false && (entry.serves ?? 'chat') === serves)
        .map((entry) => factsOf(entry, entry, entry.id))
        .toSorted((one, other) => (one.model < other.model ? -1 : 1)),
    factsFor: (provider, model) => {
      const known = find(provider.kind, model) ?? resold(provider.kind, model)
      const facts = known ?? unknownFacts(provider, model, scale)
      const override = overrides.get(`${provider.name}/${model}`)
      const placed =
        known === undefined && isNear(provider) ? { ...facts, ...nearPrice(provider, model) } : facts
      return override === undefined ? placed : overridden(placed, override, data)
    },
    view: { source: data.source, date: data.date, models: data.models.length },
  }
}

/** The models of one kind. */
interface ModelsOfKind {
  readonly byName: Map<string, CatalogueModel>
  /** By the name without a date. */
  readonly families: Map<string, CatalogueModel[]>
}

function addModel(ofKind: ModelsOfKind, entry: CatalogueModel): void {
  ofKind.byName.set(entry.id, entry)
  const family = familyOf(entry.id)
  const members = ofKind.families.get(family)
  if (members === undefined) ofKind.families.set(family, [entry])
  else members.push(entry)
}

/** A name of its own goes before an alias; of two models with one alias, the dearer has it. */
function addAliases(ofKind: ModelsOfKind): void {
  const own = new Set(ofKind.byName.keys())
  const entries = [...ofKind.byName.values()]
  for (const entry of entries) {
    for (const alias of entry.aliases ?? []) {
      if (own.has(alias)) continue
      const other = ofKind.byName.get(alias)
      ofKind.byName.set(alias, other === undefined ? entry : dearerOf(other, entry))
    }
  }
}

/**
 * By its name, then by its family. A dated model that is not known itself may be an earlier, dearer one, so the dearest
 * price of its family counts.
 */
function findModel(
  ofKind: ModelsOfKind | undefined,
  kind: ProviderKind,
  model: string,
): { entry: CatalogueModel; priced: CatalogueModel } | undefined {
  if (ofKind === undefined) return undefined
  const spellings = spellingsOf(kind, model)
  for (const spelling of spellings) {
    const entry = ofKind.byName.get(spelling)
    if (entry !== undefined) return { entry, priced: entry }
  }
  for (const spelling of spellings) {
    const family = familyOf(spelling)
    const undated = ofKind.byName.get(family)
    const dated = (ofKind.families.get(family) ?? []).filter((entry) => entry !== undated)
    const members = undated === undefined ? dated : [undated, ...dated]
    const entry = undated ?? dated.toSorted((one, other) => newness(other) - newness(one))[0]
    if (entry !== undefined) return { entry, priced: members.reduce(dearerOf) }
  }
  return undefined
}

function newness(entry: CatalogueModel): number {
  return entry.id.endsWith('-latest') ? Number.MAX_SAFE_INTEGER : (dateIn(entry.id) ?? 0)
}

/** No price is the dearest of all. */
function dearerOf(one: CatalogueModel, other: CatalogueModel): CatalogueModel {
  return weight(other) > weight(one) ? other : one
}

function weight({ price }: CatalogueModel): number {
  return price === null ? Number.POSITIVE_INFINITY : price.input * 4 + price.output
}

/** What a free version is like is told by the price of the same model where it is paid for. */
function paidTwinOf(ofKind: ModelsOfKind | undefined, entry: CatalogueModel): CatalogueModel {
  return ofKind?.byName.get(entry.id.replace(/:free$/, '')) ?? entry
}

function priceAt(entry: CatalogueModel, now: Date | undefined): DataPrice | null {
  if (entry.price === null || entry.later === undefined) return entry.price
  if (now === undefined) {
    return entry.later.reduce(
      (dearest, { price }) =>
        price.input * 4 + price.output > dearest.input * 4 + dearest.output ? price : dearest,
      entry.price,
    )
  }
  const day = now.toISOString().slice(0, 10)
  return entry.later.reduce((price, next) => (next.from <= day ? next.price : price), entry.price)
}

function modelPriceOf(price: DataPrice, name: string | undefined, data: CatalogueData): ModelPrice {
  const source = data.sources.find((candidate) => candidate.name === name)
  return {
    input: price.input,
    output: price.output,
    cacheRead: price.cacheRead,
    cacheWrite: price.cacheWrite,
    source: source === undefined ? data.source : `${source.name} ${source.version}`,
    date: source?.date ?? data.date,
  }
}

function scaleOf(data: CatalogueData): Scale {
  const outputPrices = data.models
    .filter((entry) => entry.listed !== false && entry.serves === undefined)
    .map((entry) => entry.price?.output ?? 0)
    .filter((price) => price > 0)
    .toSorted((one, other) => one - other)
  return { outputPrices, date: data.date }
}

function isNear({ kind, baseUrl }: CataloguedProvider): boolean {
  const address = baseUrl ?? kinds[kind].baseUrl
  return address !== null && isNearby(address)
}

/** What any provider sells under this name; a proxy may put the provider's name before it, as in `groq/llama`. */
function soldAs(modelsByKind: ReadonlyMap<ProviderKind, ModelsOfKind>, model: string): CatalogueModel[] {
  const names = [model]
  for (let slash = model.indexOf('/'); slash !== -1; slash = model.indexOf('/', slash + 1))
    names.push(model.slice(slash + 1))
  return [...modelsByKind].flatMap(([kind, ofKind]) =>
    names.flatMap((name) => findModel(ofKind, kind, name)?.priced ?? []),
  )
}

function localPrice(data: CatalogueData): ModelPrice {
  return { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, source: 'local', date: data.date }
}

function unknownFacts(provider: CataloguedProvider, model: string, scale: Scale): ModelFacts {
  const capabilities = presumedOf(provider.kind)
  return {
    model,
    title: model,
    capabilities,
    streaming: true,
    context: null,
    output: null,
    price: null,
    quality: qualityOf({ model, capabilities, context: null, outputPrice: null }, scale),
    overridden: false,
  }
}

function isUndescribed(entry: CatalogueModel): boolean {
  return entry.listed === false && entry.capabilities.length === 0
}

/** Of a model that nobody describes: tools, where its kind has them. Whether it does is seen at the first call. */
function presumedOf(kind: ProviderKind): Capability[] {
  return kinds[kind].tools ? ['tools'] : []
}

function overridden(facts: ModelFacts, change: OverrideModel, data: CatalogueData): ModelFacts {
  const { tiers, perCall, ...plain } = facts
  const repriced = change.input !== undefined || change.output !== undefined
  return {
    ...plain,
    // The operator's price is the whole price.
    ...(repriced || tiers === undefined ? {} : { tiers: tiers.map((tier) => withCachePrices(tier, change)) }),
    ...(repriced || perCall === undefined ? {} : { perCall }),
    capabilities: change.capabilities ?? facts.capabilities,
    context: change.context ?? facts.context,
    output: change.maxOutput ?? facts.output,
    quality: change.quality ?? facts.quality,
    price: overriddenPrice(facts.price, change, data),
    overridden: true,
  }
}

/** With a new price for input, the old prices of cached input mean nothing any more. */
function overriddenPrice(
  price: ModelPrice | null,
  change: OverrideModel,
  data: CatalogueData,
): ModelPrice | null {
  const { input, output, cacheRead, cacheWrite } = change
  if ([input, output, cacheRead, cacheWrite].every((value) => value === undefined)) return price
  const kept = price ?? unknownPrice
  return {
    input: input ?? kept.input,
    output: output ?? kept.output,
    cacheRead: cacheRead ?? (input === undefined ? kept.cacheRead : null),
    cacheWrite: cacheWrite ?? (input === undefined ? kept.cacheWrite : null),
    source: 'operator',
    date: data.date,
  }
}

function withCachePrices(tier: PriceTier, change: OverrideModel): PriceTier {
  return {
    ...tier,
    cacheRead: change.cacheRead ?? tier.cacheRead,
    cacheWrite: change.cacheWrite ?? tier.cacheWrite,
  }
}
