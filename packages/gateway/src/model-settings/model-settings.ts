/** Owns how the gateway speaks to models: settings, keys, catalogue, router and what is seen of their calls, put together once. */
import type { Meter, ModelPort } from '@countersign/agent'
import type { OperatorId, ProviderKind, ProviderTested, Purpose } from '@countersign/contract'
import type { Vault } from '@countersign/executor'
import type { RecordTransactions } from '@countersign/kernel'
import {
  type CallObserver,
  type Catalogue,
  compareData,
  costNanos,
  createHealth,
  createModel,
  createRouter,
  createTraces,
  detectProviders,
  estimatedUsage,
  type Health,
  isMediaPurpose,
  type ListedModels,
  listModels,
  type ModelFacts,
  type ProviderConfig,
  type Router,
  type RouterOptions,
  type RouterSettings,
  refreshCatalogue,
  worstNanos,
} from '@countersign/models'
import type { ActingOperator, SecretAdmin } from '../server/secrets.ts'
import { createCatalogueStore } from './catalogue-store.ts'
import { modelsOf } from './known-models.ts'
import { createLiveModels, listsItsOwnModels } from './live-models.ts'
import { createModelAdmin, type ModelAdmin } from './model-admin.ts'
import type { ConfiguredModel, ModelChoices, ProviderChoice } from './model-choices.ts'
import { createModelStatus, type ModelStatus } from './model-status.ts'
import { createProviderAdmin, type ProviderAdmin, type ProviderEnvironmentKey } from './provider-admin.ts'
import { createProviderKeys } from './provider-keys.ts'
import { runProviderTest, type TrialWish } from './provider-test.ts'
import { createRouteAdmin } from './route-admin.ts'
import { createStoredChoices } from './stored-choices.ts'

export interface ModelSettingsParts {
  readonly records: Pick<RecordTransactions, 'read' | 'settingsState' | 'change'>
  readonly operator: OperatorId
  readonly vault: Pick<Vault, 'check' | 'value' | 'list'>
  readonly secrets: Pick<SecretAdmin, 'store' | 'remove'>
  readonly configured: ConfiguredModel | null
  readonly environmentKeys: ReadonlyMap<ProviderKind, ProviderEnvironmentKey>
  /** Whose money a test of a provider is. */
  readonly meterFor: (speaker: ActingOperator) => Meter
  /** Takes every secret out of all strings of a value. */
  readonly mask: <T>(value: T) => T
  /** Where refreshed prices are kept. */
  readonly folder: string
  readonly clock: () => Date
  readonly fetch?: typeof globalThis.fetch
  /** Told of every call besides the traces, such as spans and metrics. */
  readonly observers?: readonly CallObserver[]
  readonly onProblem: (problem: unknown) => void
}

export interface ModelSettings {
  readonly model: ModelPort
  /** The model that the next call for a purpose would take. */
  readonly next: Router['next']
  /** Whether the next model would answer, as far as that is known without spending. */
  readonly reach: () => Promise<ModelStatus>
  readonly providers: ProviderAdmin
  readonly models: ModelAdmin
  /** Drops what is kept of the requests of these runs. */
  readonly forgetRequests: (runs: readonly string[]) => void
  readonly health: Health
  /** For ports that route to models of their own kind. */
  readonly settings: () => Promise<RouterSettings>
  readonly facts: (provider: ProviderConfig, model: string) => ModelFacts
}

/** Whose models can be tested by talking to them. */
const conversationPurposes = [
  'chat',
  'planning',
  'summaries',
  'extraction',
  'vision',
] as const satisfies Purpose[]
const detectionMs = 1_500
const listingMs = 2_000
/** For each of two packages, so that an answer comes before whoever asks gives up. */
const fetchMs = 60_000

export function createModelSettings(parts: ModelSettingsParts): ModelSettings {
  const { clock, onProblem, fetch = globalThis.fetch } = parts
  const settings = createStoredChoices(parts)
  const keys = createProviderKeys(parts)
  const catalogueStore = createCatalogueStore(parts)
  const health = createHealth({ clock: () => clock().getTime() })
  const traces = createTraces({ mask: parts.mask })
  const live = createLiveModels({ ask: askServer, clock })

  let catalogue: Catalogue | undefined
  let providers: readonly ProviderChoice[] = []

  async function configOf(provider: ProviderChoice): Promise<ProviderConfig> {
    const { name, kind, url, timeoutMs } = provider
    const apiKey = await keys.valueOf(provider)
    return { name, kind, baseUrl: url, timeoutMs, fetch, ...(apiKey === undefined ? {} : { apiKey }) }
  }

  async function askServer(provider: ProviderChoice): Promise<ListedModels> {
    return listModels({ ...(await configOf(provider)), timeoutMs: listingMs }, fetch)
  }

  /** Comes before every choice, so that what is chosen from is as the operator left it. */
  async function read(state?: string): Promise<ModelChoices> {
    const choices = await settings.read(state)
    catalogue = (await catalogueStore.open(choices)).catalogue
    ;({ providers } = choices)
    return choices
  }

  async function routed(choices: ModelChoices): Promise<RouterSettings> {
    return {
      providers: await Promise.all(
        choices.providers.map(async (provider) => ({
          config: await configOf(provider),
          enabled: provider.enabled,
          priority: provider.priority,
        })),
      ),
      routes: Object.fromEntries(choices.routes),
    }
  }

  async function routerSettings(state?: string): Promise<RouterSettings> {
    const choices = await read(state)
    // A server that nobody publishes the models of is asked, where no model is named.
    if ((choices.routes.get('chat')?.models ?? []).length === 0)
      await Promise.all(
        choices.providers.filter((each) => each.enabled && listsItsOwnModels(each)).map(live.list),
      )
    return routed(choices)
  }

  function facts({ name, kind, baseUrl }: ProviderConfig, model: string): ModelFacts {
    if (!catalogue) throw new Error('The settings are read before a model is looked up.')
    return catalogue.factsFor({ name, kind, baseUrl }, model)
  }

  const keyUse: CallObserver = {
    began({ provider: name }) {
      const provider = providers.find((each) => each.name === name)
      if (provider) keys.used(provider).catch(onProblem)
    },
    ended() {},
  }

  const options: RouterOptions = {
    settings: routerSettings,
    facts,
    models: (provider) =>
      listsItsOwnModels(provider)
        ? live.known(provider.name)
        : (catalogue?.list(provider.kind) ?? []).map(({ model }) => model),
    health,
    open: createModel,
    prices: { cost: costNanos, worst: worstNanos, estimate: estimatedUsage },
    observers: [traces, keyUse, ...(parts.observers ?? [])],
    clock: () => performance.now(),
    now: clock,
    onProblem: (sentence, cause) => onProblem(new Error(sentence, { cause })),
  }
  const router = createRouter(options)

  /** The way of a run, but for one model, switched on or not, and however it fared before. */
  function onlyTo(provider: ProviderChoice, ref: string): ModelPort {
    return createRouter({
      ...options,
      async settings() {
        const { providers: all } = await routed({
          ...(await read()),
          providers: [{ ...provider, enabled: true }],
        })
        return { providers: all, routes: { chat: { strategy: 'cheapest', models: [ref] } } }
      },
      health: {
        ...health,
        admit: () => ({
          kind: 'admitted',
          leave: (call) => {
            if (call) health.record(call)
          },
        }),
      },
    })
  }

  async function tryOut(
    provider: ProviderChoice,
    { model: wanted, prompt }: TrialWish,
    meter: Meter,
    signal: AbortSignal,
  ): Promise<ProviderTested> {
    const prefix = `${provider.name}/`
    const model = wanted?.startsWith(prefix)
      ? wanted.slice(prefix.length)
      : (wanted ?? (await usualModel({ ...provider, enabled: true })))
    if (model === undefined) return nothingToTry(provider, live.problem(provider.name))
    await read()
    const config = { name: provider.name, kind: provider.kind, baseUrl: provider.url, timeoutMs: 0 }
    const tools = facts(config, model).capabilities.includes('tools')
    const trial = { provider, model, tools, ...(prompt === undefined ? {} : { prompt }) }
    return runProviderTest(trial, onlyTo(provider, `${prefix}${model}`), meter, signal)
  }

  /** The one that is chosen, else the cheapest with tools, else the first that the server has. */
  async function usualModel(provider: ProviderChoice): Promise<string | undefined> {
    const choices = await read()
    const named = conversationPurposes
      .flatMap((purpose) => choices.routes.get(purpose)?.models ?? [])
      .find((ref) => ref.startsWith(`${provider.name}/`))
    if (named !== undefined) return named.slice(provider.name.length + 1)
    const open = await catalogueStore.open(choices)
    const [cheapest] = open.catalogue
      .list(provider.kind)
      .filter(({ price, capabilities }) => price && price.output > 0 && capabilities.includes('tools'))
      .toSorted((one, other) => (one.price?.output ?? 0) - (other.price?.output ?? 0))
    return cheapest?.model ?? (await modelsOf(provider, choices, open, live))[0]
  }

  /** No route leads to a model that draws or speaks but one that the operator set. */
  const next: Router['next'] = async (purpose, needs) => {
    if (!isMediaPurpose(purpose)) return router.next(purpose, needs)
    const [named] = (await read()).routes.get(purpose)?.models ?? []
    return named === undefined
      ? { next: null, problem: `No model is chosen for ${purpose}.` }
      : { next: named, problem: null }
  }
  const routes = createRouteAdmin({ settings, catalogueStore, live, next })
  return {
    model: router,
    next,
    reach: createModelStatus({
      next,
      health,
      async list(name) {
        const provider = (await read()).providers.find((each) => each.name === name)
        return provider && askServer(provider)
      },
      clock: () => clock().getTime(),
    }),
    health,
    forgetRequests: traces.forget,
    settings: routerSettings,
    facts,
    providers: createProviderAdmin({
      settings,
      keys,
      environmentKeys: parts.environmentKeys,
      health,
      detect: async (choices) => {
        const environment = Object.fromEntries(
          Array.from(parts.environmentKeys.values(), ({ variable, value }) => [variable, value]),
        )
        const configured = choices.providers.map(({ kind, url }) => ({ kind, baseUrl: url }))
        return detectProviders({ fetch, environment, configured, timeoutMs: detectionMs })
      },
      tryOut,
      meterFor: parts.meterFor,
    }),
    models: createModelAdmin({
      settings,
      catalogueStore,
      live,
      routes,
      fetchData: (before) => refreshCatalogue({ fetch, now: clock, before, timeoutMs: fetchMs }),
      compare: compareData,
      traces: (filter) => traces.list(filter),
      onProblem,
    }),
  }
}

function nothingToTry({ name, url }: ProviderChoice, reason: string | null): ProviderTested {
  return {
    ok: false,
    model: '',
    firstTokenMs: null,
    totalMs: 0,
    tokens: { input: 0, output: 0 },
    usd: 0,
    text: '',
    tools: null,
    problem: `No model of ${name} is known.${reason === null ? '' : ` ${reason}`}`,
    next: `Is the server at ${url} running? To try one by name: \`countersign provider test ${name} --model <model>\`.`,
  }
}
