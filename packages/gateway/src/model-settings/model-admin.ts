/** Owns what the operator sees and changes of models: the catalogue, their own figures, and what is chosen for what. */
import {
  type Capability,
  type CatalogueRefreshed,
  type CatalogueView,
  CountersignError,
  type ModelChanged,
  type ModelEstimate,
  type ModelTrace,
  type ModelView,
  nanosPerDollar,
  type OverrideModel,
  ProviderKind,
  type Purpose,
} from '@countersign/contract'
import { type CatalogueData, costNanos, kinds, type ModelFacts, partsOf } from '@countersign/models'
import type { z } from 'zod'
import type { ActingOperator } from '../server/secrets.ts'
import type { CatalogueStore, LoadedCatalogue } from './catalogue-store.ts'
import { modelsOf, requireModel } from './known-models.ts'
import { type LiveModels, listsItsOwnModels } from './live-models.ts'
import type { ModelChoices, ProviderChoice } from './model-choices.ts'
import type { RouteAdmin } from './route-admin.ts'
import { providerNamed, requireKnown, type StoredChoices } from './stored-choices.ts'

export interface ModelFilter {
  readonly provider?: string | undefined
  readonly words?: string | undefined
  readonly needs?: readonly Capability[] | undefined
  /** Also of kinds that are not configured; their name stands for a provider. */
  readonly all?: boolean | undefined
}

export interface TraceFilter {
  readonly limit?: number | undefined
  readonly run?: string | undefined
}

export interface EstimatedTokens {
  readonly input: number
  readonly output: number
  readonly cached: number
}

export interface ModelAdmin extends RouteAdmin {
  models(filter?: ModelFilter): Promise<ModelView[]>
  model(ref: string): Promise<ModelView>
  estimate(ref: string, tokens: EstimatedTokens): Promise<ModelEstimate>
  override(by: ActingOperator, ref: string, change: OverrideModel): Promise<z.infer<typeof ModelChanged>>
  restore(by: ActingOperator, ref: string): Promise<z.infer<typeof ModelChanged>>
  catalogue(): Promise<CatalogueView>
  refresh(by: ActingOperator): Promise<z.infer<typeof CatalogueRefreshed>>
  traces(filter: TraceFilter): ModelTrace[]
}

export interface ModelAdminParts {
  readonly settings: StoredChoices
  readonly catalogueStore: CatalogueStore
  readonly live: LiveModels
  readonly routes: RouteAdmin
  readonly fetchData: (before: CatalogueData) => Promise<FetchedData>
  readonly compare: (before: CatalogueData, after: CatalogueData) => Differences
  readonly traces: (filter: { limit?: number; run?: string }) => readonly ModelTrace[]
  readonly onProblem: (problem: unknown) => void
}

export type FetchedData =
  | { readonly kind: 'refreshed'; readonly data: CatalogueData }
  | { readonly kind: 'failed'; readonly message: string }

export interface Differences {
  readonly added: number
  readonly changed: number
  readonly removed: number
}

export function createModelAdmin(parts: ModelAdminParts): ModelAdmin {
  const { settings, catalogueStore, live, routes } = parts

  async function now(): Promise<{ choices: ModelChoices; open: LoadedCatalogue }> {
    const choices = await settings.read()
    return { choices, open: await catalogueStore.open(choices) }
  }

  function changed(ledger: number) {
    return async (ref: string) => {
      const { choices, open } = await now()
      const { provider, model } = partsOf(ref)
      return { model: viewOfApproval(requireKnown(choices, provider), model, choices, open), ledger }
    }
  }

  async function modelNamed(ref: string): Promise<ModelView> {
    const { choices, open } = await now()
    const { provider: name, model } = partsOf(ref)
    const provider = providerNamed(choices, name) ?? unconfigured(name)
    if (!provider) throw noProvider(name)
    await requireModel(provider, model, choices, open, live)
    return viewOfApproval(provider, model, choices, open)
  }

  return {
    ...routes,
    async models({ provider, words = '', needs = [], all = false } = {}) {
      const { choices, open } = await now()
      const wanted = providersFor(choices, provider, all)
      const listed = await Promise.all(
        wanted.map(async (each) => {
          const names = await modelsOf(each, choices, open, live)
          return names.map((model) => viewOfApproval(each, model, choices, open))
        }),
      )
      const parts = words.toLowerCase().split(/\s+/).filter(Boolean)
      return listed.flat().filter(({ ref, title, capabilities }) => {
        const hay = `${ref} ${title}`.toLowerCase()
        return parts.every((word) => hay.includes(word)) && needs.every((need) => capabilities.includes(need))
      })
    },
    model: modelNamed,
    async estimate(ref, { input, output, cached }) {
      const { price } = await modelNamed(ref)
      if (cached > input)
        throw new CountersignError('usage', 'No more tokens can come from the cache than are sent.', {
          next: 'Give a smaller number of cached tokens.',
        })
      const { open, choices } = await now()
      const { provider: name, model } = partsOf(ref)
      const known = providerNamed(choices, name) ?? unconfigured(name)
      if (!price || !known) return { ref, input, output, cached, usd: null }
      const facts = open.catalogue.factsFor({ name, kind: known.kind, baseUrl: known.url }, model)
      const nanos = costNanos(facts, { input, output, cached, reasoning: 0 })
      return { ref, input, output, cached, usd: nanos / nanosPerDollar }
    },
    async override(by, ref, change) {
      if (Object.keys(change).length === 0)
        throw new CountersignError('usage', 'Nothing to change was given.', {
          next: 'Say what to change, for example `countersign model price <provider/model> --input 1.5 --output 6`.',
        })
      return changed(await settings.override(by, ref, change))(ref)
    },
    restore: async (by, ref) => changed(await settings.restore(by, ref))(ref),
    catalogue: async () => (await now()).open.view,
    async refresh(by) {
      const before = await now()
      const fetched = await parts.fetchData(before.open.data)
      if (fetched.kind === 'failed')
        throw new CountersignError(
          'model_unavailable',
          `The catalogue was not refreshed: ${fetched.message}`,
          {
            next: 'Try again later; the current prices stay in use.',
          },
        )
      const { added, changed: other, removed } = parts.compare(before.open.data, fetched.data)
      const differences = { added, changed: other, removed }
      const kept = catalogueStore.keep(fetched.data)
      const ledger = await settings.refreshed(by, kept, {
        ...differences,
        models: fetched.data.models.length,
      })
      const earlier = before.choices.catalogue
      if (earlier && earlier.hash !== kept.hash) await catalogueStore.forget(earlier).catch(parts.onProblem)
      return { catalogue: (await now()).open.view, ...differences, ledger }
    },
    traces: ({ limit, run }) => [
      ...parts.traces({ ...(limit === undefined ? {} : { limit }), ...(run === undefined ? {} : { run }) }),
    ],
  }
}

function viewOfApproval(
  provider: Pick<ProviderChoice, 'name' | 'kind' | 'url'>,
  model: string,
  choices: ModelChoices,
  { catalogue }: LoadedCatalogue,
): ModelView {
  const { name, kind, url } = provider
  const facts: ModelFacts = catalogue.factsFor({ name, kind, baseUrl: url }, model)
  const ref = `${name}/${model}`
  const { title, capabilities, streaming, context, output, price, overridden, quality } = facts
  return {
    ref,
    provider: name,
    model,
    title,
    capabilities: [...capabilities],
    streaming,
    context,
    output,
    price,
    overridden,
    quality,
    usedFor: usedFor(ref, choices),
  }
}

function usedFor(ref: string, { routes }: ModelChoices): Purpose[] {
  return [...routes].filter(([, { models }]) => models.includes(ref)).map(([purpose]) => purpose)
}

function providersFor(choices: ModelChoices, name: string | undefined, all: boolean): ProviderChoice[] {
  if (name !== undefined) {
    const found = providerNamed(choices, name) ?? (all ? unconfigured(name) : undefined)
    if (found) return [found]
    throw noProvider(name)
  }
  if (!all) return [...choices.providers]
  const covered = new Set(choices.providers.flatMap((provider) => [provider.name, provider.kind]))
  const others = ProviderKind.options.filter((kind) => !covered.has(kind) && !listsItsOwnModels({ kind }))
  return [...choices.providers, ...others.flatMap((kind) => unconfigured(kind) ?? [])]
}

/** What the provider of this kind would be if it were added under the name of its kind. */
function unconfigured(name: string): ProviderChoice | undefined {
  const kind = ProviderKind.safeParse(name)
  if (!kind.success) return undefined
  return {
    name,
    kind: kind.data,
    url: kinds[kind.data].baseUrl ?? '',
    timeoutMs: 0,
    priority: 0,
    enabled: false,
    source: 'operator',
  }
}

function noProvider(name: string): CountersignError {
  return new CountersignError('not_found', `There is no provider ${name}.`, {
    next: ProviderKind.safeParse(name).success
      ? `Add it with \`countersign provider add ${name}\`, or look at its models with \`countersign model list --all --provider ${name}\`.`
      : 'See them with `countersign provider list`.',
  })
}
