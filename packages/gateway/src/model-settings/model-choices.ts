/** Owns how the operator's choices of providers, routes and models are kept as records, and what they come to. */
import {
  CountersignError,
  type JsonObject,
  ModelRef,
  OverrideModel,
  ProviderKind,
  ProviderName,
  Purpose,
  type Records,
  type StoredRecord,
  Strategy,
} from '@countersign/contract'
import { kinds } from '@countersign/models'
import { z } from 'zod'

export const providersCollection = 'providers'
export const routesCollection = 'model-routes'
export const overridesCollection = 'model-overrides'
export const catalogueCollection = 'model-catalogue'

export const modelSettingsCollections = [
  providersCollection,
  routesCollection,
  overridesCollection,
  catalogueCollection,
] as const

/** The name of the configuration's provider where the operator has one that is called like its kind. */
export const configuredName = 'configured'

export const StoredProvider = z.strictObject({
  kind: ProviderKind,
  url: z.string(),
  timeoutMs: z.int(),
  priority: z.int(),
  enabled: z.boolean(),
})
export type StoredProvider = z.infer<typeof StoredProvider>

export const StoredRoute = z.strictObject({ strategy: Strategy, models: z.array(ModelRef) })
export type StoredRoute = z.infer<typeof StoredRoute>

/** The data lies in a file, which this names by its hash. */
export const StoredCatalogue = z.strictObject({ hash: z.string(), source: z.string(), date: z.string() })
export type StoredCatalogue = z.infer<typeof StoredCatalogue>

/** What the file or the environment of the gateway says. */
export interface ConfiguredModel {
  readonly provider: ProviderKind
  readonly model: string
  readonly url?: string
  readonly key?: string
}

export interface ProviderChoice extends StoredProvider {
  readonly name: string
  readonly source: 'operator' | 'configuration'
}

export interface ModelChoices {
  /** By priority, then by name. */
  readonly providers: readonly ProviderChoice[]
  /** What the operator set, and the configuration's model for chat where they set nothing. */
  readonly routes: ReadonlyMap<Purpose, StoredRoute>
  readonly overrides: ReadonlyMap<string, OverrideModel>
  readonly catalogue: StoredCatalogue | null
}

const silenceMs = 60_000
const usualPriority = 100

export async function readModelChoices(
  rows: Records,
  configured: ConfiguredModel | null,
  onProblem: (problem: unknown) => void,
): Promise<ModelChoices> {
  const all = async <Shape extends z.ZodType>(collection: string, shape: Shape) => {
    const { records } = await rows.list(collection, { limit: 10_000 })
    return records.flatMap((record) => {
      const read = readRecord(record, shape)
      if (read === undefined) onProblem(damaged(collection, record.id))
      return read === undefined ? [] : [{ id: record.id, data: read }]
    })
  }
  const own = (await all(providersCollection, StoredProvider)).flatMap(({ id, data }): ProviderChoice[] =>
    ProviderName.safeParse(id).success ? [{ name: id, ...data, source: 'operator' }] : [],
  )
  const fromConfiguration = configured && configuredProvider(configured, own)
  const providers = fromConfiguration ? [...own, fromConfiguration] : own
  const routes = new Map<Purpose, StoredRoute>()
  if (configured && fromConfiguration)
    routes.set('chat', { strategy: 'fallback', models: [`${fromConfiguration.name}/${configured.model}`] })
  for (const { id, data } of await all(routesCollection, StoredRoute)) {
    const purpose = Purpose.safeParse(id)
    if (purpose.success) routes.set(purpose.data, data)
  }
  const overrides = await all(overridesCollection, OverrideModel)
  const [catalogue] = await all(catalogueCollection, StoredCatalogue)
  return {
    providers: providers.toSorted(
      (one, other) => one.priority - other.priority || (one.name < other.name ? -1 : 1),
    ),
    routes,
    overrides: new Map(overrides.map(({ id, data }) => [id, data])),
    catalogue: catalogue?.data ?? null,
  }
}

export function readRecord<Shape extends z.ZodType>(
  record: Pick<StoredRecord, 'data'>,
  shape: Shape,
): z.output<Shape> | undefined {
  return shape.safeParse(record.data).data
}

/** As it is kept: what is not given is not there. */
export function asData(value: object): JsonObject {
  return JSON.parse(JSON.stringify(value)) as JsonObject
}

function configuredProvider(configured: ConfiguredModel, own: readonly ProviderChoice[]): ProviderChoice {
  const { provider: kind, url } = configured
  return {
    name: own.some(({ name }) => name === kind) ? configuredName : kind,
    kind,
    url: (url ?? kinds[kind].baseUrl ?? '').replace(/\/+$/, ''),
    timeoutMs: silenceMs,
    priority: usualPriority,
    enabled: true,
    source: 'configuration',
  }
}

function damaged(collection: string, id: string): CountersignError {
  return new CountersignError(
    'config_invalid',
    `The record ${id} of ${collection} is damaged and is ignored.`,
    {
      next: 'Set it again.',
    },
  )
}
