/** Providers, models and money of the scripted gateway: lists that a test fills, and what was asked of them. */
import {
  AddProvider,
  type BudgetView,
  type CatalogueView,
  type CostlyRun,
  type CostReport,
  CountersignError,
  type DetectedProvider,
  type IdleSpend,
  type ModelTrace,
  type ModelView,
  OverrideModel,
  type ProviderTested,
  type ProviderView,
  type ReconciliationReply,
  type RouteView,
  SetBudget,
  SetProvider,
  SetRoute,
} from '@countersign/contract'

export interface SeenRequest {
  readonly method: string
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly body: unknown
}

export interface FakeModels {
  readonly asked: SeenRequest[]
  providers: ProviderView[]
  detected: DetectedProvider[]
  tested: Partial<ProviderTested>
  models: ModelView[]
  routes: RouteView[]
  catalogue: CatalogueView
  traces: ModelTrace[]
  /** By what it is asked for, so that today and the month can differ. */
  costs: (query: Readonly<Record<string, string>>) => Partial<CostReport>
  costlyRuns: CostlyRun[]
  idle: IdleSpend
  budgets: BudgetView[]
  reconciled: ReconciliationReply[]
  /** The lines that the installation of a part answers with. */
  partSteps: readonly unknown[]
  /** Undefined when the request is about something else. */
  answer(request: SeenRequest): unknown
}

const emptyLine = { key: '', calls: 0, undelivered: 0, input: 0, output: 0, cached: 0, reasoning: 0, usd: 0 }

export function fakeModels(): FakeModels {
  const fake: FakeModels = {
    asked: [],
    providers: [],
    detected: [],
    tested: {},
    models: [],
    routes: [],
    catalogue: { source: 'the bundled list', date: '2026-08-01', models: 812, refreshed: false },
    traces: [],
    costs: () => ({}),
    costlyRuns: [],
    idle: { usd: 0, calls: 0, lines: [] },
    budgets: [],
    reconciled: [],
    partSteps: [],
    answer(request) {
      const [, , noun = '', ref = '', verb = ''] = request.path.split('/').map(decodeURIComponent)
      fake.asked.push(request)
      switch (noun) {
        case 'providers':
          return verb === 'test' ? testOf(ref) : providers(request, ref)
        case 'detected-providers':
          return fake.detected
        case 'models':
          return fake.models
        case 'model':
          return model(request)
        case 'routes':
          return ref === '' ? fake.routes : route(ref, SetRoute.parse(request.body))
        case 'model-catalogue':
          return ref === 'refresh'
            ? {
                catalogue: { ...fake.catalogue, refreshed: true },
                added: 12,
                changed: 30,
                removed: 2,
                ledger: 7,
              }
            : fake.catalogue
        case 'model-traces':
          return fake.traces
        case 'costs':
          return costs(ref, request)
        case 'budgets':
          return budgets(request, ref)
        case 'parts':
          return fake.partSteps.map((step) => `${JSON.stringify(step)}\n`).join('')
        default:
          fake.asked.pop()
          return undefined
      }
    },
  }

  function known(name: string): ProviderView {
    return fake.providers.find((each) => each.name === name) ?? missing(`provider ${name}`)
  }

  function testOf(name: string): ProviderTested {
    known(name)
    return {
      ok: true,
      model: 'large-1',
      firstTokenMs: 412,
      totalMs: 1_240,
      tokens: { input: 12, output: 4 },
      usd: 0.0001,
      text: 'ready',
      tools: true,
      problem: null,
      next: null,
      ...fake.tested,
    }
  }

  function providers({ method, body }: SeenRequest, name: string): unknown {
    if (method === 'GET') return fake.providers
    if (method === 'POST') {
      const { keyFromEnvironment, key, ...added } = AddProvider.parse(body)
      if (fake.providers.some((each) => each.name === added.name))
        throw new CountersignError('conflict', `There is a provider ${added.name} already.`)
      const provider = providerView({
        ...added,
        key: keyFromEnvironment || key !== undefined ? 'vault' : 'none',
        url: added.url ?? `https://api.${added.kind}.example/v1`,
      })
      fake.providers.push(provider)
      return { provider, ledger: 7 }
    }
    const provider = known(name)
    if (method === 'DELETE') {
      fake.providers = fake.providers.filter((each) => each !== provider)
      return { name, ledger: 9 }
    }
    const { key, url, timeoutMs, priority, enabled } = SetProvider.parse(body)
    const changed: ProviderView = {
      ...provider,
      url: url ?? provider.url,
      timeoutMs: timeoutMs ?? provider.timeoutMs,
      priority: priority ?? provider.priority,
      enabled: enabled ?? provider.enabled,
      key: key === undefined ? provider.key : 'vault',
    }
    fake.providers = fake.providers.map((each) => (each === provider ? changed : each))
    return { provider: changed, ledger: 8 }
  }

  function model({ method, query, body }: SeenRequest): unknown {
    const found = fake.models.find((each) => each.ref === query['ref']) ?? missing(`model ${query['ref']}`)
    if (method === 'GET') return found
    if (method === 'DELETE') return { model: { ...found, overridden: false }, ledger: 8 }
    const { input, output, cacheRead, cacheWrite } = OverrideModel.parse(body)
    const before = found.price ?? { input: 0, output: 0, cacheRead: null, cacheWrite: null }
    const price = {
      input: input ?? before.input,
      output: output ?? before.output,
      cacheRead: cacheRead ?? before.cacheRead,
      cacheWrite: cacheWrite ?? before.cacheWrite,
      source: 'you',
      date: '2026-08-01',
    }
    return { model: { ...found, price, overridden: true }, ledger: 7 }
  }

  function route(purpose: string, given: SetRoute): unknown {
    const models = given.models ?? []
    const made = {
      purpose,
      strategy: given.strategy ?? 'fallback',
      models,
      next: models[0] ?? fake.models[0]?.ref ?? null,
      problem: null,
      own: true,
    }
    const unknown = models.find((ref) => !fake.models.some((each) => each.ref === ref))
    const problem = unknown === undefined ? null : `No provider has ${unknown}.`
    return { route: { ...made, problem, next: problem === null ? made.next : null }, ledger: 7 }
  }

  function costs(ref: string, { query }: SeenRequest): unknown {
    if (ref === 'runs') return fake.costlyRuns
    if (ref === 'idle') return fake.idle
    if (ref === 'guard') return { ok: true, ledger: 7 }
    if (ref === 'reconcile') return fake.reconciled
    return costReport({
      from: query['from'] ?? '',
      to: query['to'] ?? '',
      group: (query['by'] ?? 'model') as CostReport['group'],
      ...fake.costs(query),
    })
  }

  function budgets({ method, body }: SeenRequest, name: string): unknown {
    if (method === 'GET') return fake.budgets
    if (method === 'DELETE') {
      if (!fake.budgets.some((each) => each.name === name)) return missing(`budget ${name}`)
      return { name, ledger: 8 }
    }
    const given = SetBudget.parse(body)
    const parts = [given.scope, ...(given.subject === null ? [] : [given.subject])]
    const timed = given.scope === 'run' || given.scope === 'call' ? parts : [...parts, given.period]
    return { budget: budgetView({ ...given, name: timed.join(':') }), ledger: 7 }
  }

  return fake
}

export function providerView(
  given: Pick<ProviderView, 'name' | 'kind' | 'url'> & Partial<ProviderView>,
): ProviderView {
  return {
    title: given.kind.charAt(0).toUpperCase() + given.kind.slice(1),
    key: 'vault',
    enabled: true,
    priority: 100,
    timeoutMs: 60_000,
    source: 'operator',
    health: { calls: 0, failures: 0, medianMs: null, breaker: 'closed', opensAgainAt: null },
    ...given,
  }
}

export function modelView(ref: string, given: Partial<ModelView> = {}): ModelView {
  const [provider = '', ...model] = ref.split('/')
  return {
    ref,
    provider,
    model: model.join('/'),
    title: model.join('/'),
    capabilities: ['tools'],
    streaming: true,
    context: 200_000,
    output: 64_000,
    price: { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75, source: 'a list', date: '2026-08-01' },
    overridden: false,
    quality: 80,
    usedFor: [],
    ...given,
  }
}

export function budgetView(
  given: Pick<BudgetView, 'name' | 'scope' | 'limitUsd'> & Partial<BudgetView>,
): BudgetView {
  return {
    subject: null,
    period: 'month',
    hard: true,
    spentUsd: 0,
    reservedUsd: 0,
    extraUsd: 0,
    startsAgainAt: null,
    builtIn: false,
    ...given,
  }
}

export function costReport(given: Partial<CostReport>): CostReport {
  return {
    from: '',
    to: '',
    total: emptyLine,
    beforeUsd: 0,
    unattendedUsd: 0,
    reservedUsd: 0,
    estimatedUsd: 0,
    adjustedUsd: 0,
    usdPerOutcome: null,
    cacheHitRate: null,
    group: 'model',
    lines: [],
    guard: null,
    ...given,
  }
}

export const costLine = (key: string, usd: number, given: Partial<typeof emptyLine> = {}) => ({
  ...emptyLine,
  key,
  usd,
  calls: 10,
  input: 120_000,
  output: 4_000,
  ...given,
})

function missing(what: string): never {
  throw new CountersignError('not_found', `There is no ${what}.`)
}
