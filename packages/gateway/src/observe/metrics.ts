/**
 * Owns what Prometheus is told. Counters are kept here; what lies in the database is read when somebody asks, once for
 * all who ask at the same time, and left out when it cannot be read in time.
 */
import type { BudgetView, ProviderHealth } from '@countersign/contract'
import type { CallObserver } from '@countersign/models'
import { createCallMetrics } from './call-metrics.ts'
import { expositionOf, type MetricFamily, type MetricLabels } from './exposition.ts'
import { openProcessMetrics } from './process-metrics.ts'

/** What is so at the moment. */
export interface GaugeReading {
  readonly runs: { readonly running: number; readonly parked: number; readonly queued: number }
  readonly approvals: number
  readonly questions: number
  readonly ledger: { readonly size: number; readonly signed: number }
  readonly breakers: readonly { readonly provider: string; readonly state: ProviderHealth['breaker'] }[]
  readonly budgets: readonly Pick<
    BudgetView,
    'name' | 'scope' | 'subject' | 'limitUsd' | 'extraUsd' | 'spentUsd'
  >[]
}

export interface Metrics {
  readonly observer: CallObserver
  /** With what is so at the moment, read once for all who ask at the same time. */
  text(read: () => Promise<GaugeReading>): Promise<string>
  close(): void
}

export interface MetricsOptions {
  readonly version: string
  /** Whether the operator configured a model. */
  readonly isKnown: (provider: string, model: string) => boolean
  readonly onProblem: (problem: unknown) => void
  /** The most pairs of provider and model, providers, and budgets that are told apart. */
  readonly most?: number
  readonly patienceMs?: number
}

export function openMetrics(options: MetricsOptions): Metrics {
  const { most = 100, patienceMs = 3_000 } = options
  const calls = createCallMetrics({ isKnown: options.isKnown, mostModels: most })
  const processMetrics = openProcessMetrics()
  let reading: Promise<GaugeReading> | undefined

  function begin(ask: () => Promise<GaugeReading>): Promise<GaugeReading> {
    reading ??= ask().finally(() => {
      reading = undefined
    })
    return reading
  }

  async function read(ask: () => Promise<GaugeReading>): Promise<GaugeReading | null> {
    try {
      return await inTime(begin(ask), patienceMs)
    } catch (problem) {
      options.onProblem(problem)
      return null
    }
  }

  return {
    observer: calls,
    async text(ask) {
      const now = await read(ask)
      return expositionOf([
        gauge('countersign_info', 'The version of the gateway.', [{ version: options.version }, 1]),
        gauge('countersign_readable', '1 if everything could be read, 0 if the rest is incomplete.', [
          {},
          now ? 1 : 0,
        ]),
        ...(now ? familiesOf(now, most) : []),
        ...calls.families(),
        ...processMetrics.families(),
      ])
    },
    close: () => processMetrics.close(),
  }
}

function familiesOf(now: GaugeReading, most: number): MetricFamily[] {
  return [
    gauge(
      'countersign_runs',
      'Runs that are not over, and inputs that wait for one.',
      ...Object.entries(now.runs).map(([state, count]): Point => [{ state }, count]),
    ),
    gauge('countersign_approvals_pending', 'Requests that wait for a verdict.', [{}, now.approvals]),
    gauge('countersign_questions_open', 'Questions that wait for an answer.', [{}, now.questions]),
    gauge('countersign_ledger_entries', 'Entries in the ledger.', [{}, now.ledger.size]),
    gauge('countersign_ledger_signed_entries', 'Entries under the last checkpoint.', [{}, now.ledger.signed]),
    gauge(
      'countersign_provider_breaker',
      '1 for the state of the breaker of a provider. While it is open, the provider is not called.',
      ...now.breakers
        .slice(0, most)
        .flatMap(({ provider, state }) =>
          breakerStates.map((each): Point => [{ provider, state: each }, each === state ? 1 : 0]),
        ),
    ),
    gauge(
      'countersign_budget_spent_ratio',
      'The spent part of a budget in its current period.',
      ...budgetPoints(now.budgets, most),
    ),
  ]
}

type Point = readonly [labels: MetricLabels, value: number]

const breakerStates = ['closed', 'open', 'half-open'] as const

/** Budgets of single sessions and runs come and go; of those, and of those above the number, the fullest counts. */
function budgetPoints(budgets: GaugeReading['budgets'], most: number): Point[] {
  const ratios = new Map<string, number>()
  for (const { name, scope, subject, limitUsd, extraUsd, spentUsd } of budgets) {
    if (spentUsd === null) continue
    const passing = subject !== null && (scope === 'session' || scope === 'run')
    const budget = passing || ratios.size >= most ? 'other' : name
    const ratio = spentUsd === 0 ? 0 : spentUsd / (limitUsd + extraUsd)
    ratios.set(budget, Math.max(ratio, ratios.get(budget) ?? 0))
  }
  return Array.from(ratios, ([budget, ratio]): Point => [{ budget }, ratio])
}

function gauge(name: string, help: string, ...points: readonly Point[]): MetricFamily {
  return { name, help, type: 'gauge', samples: points.map(([labels, value]) => ({ labels, value })) }
}

async function inTime<Value>(work: Promise<Value>, ms: number): Promise<Value> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    late.reject(new Error(`The figures for /metrics could not be read within ${ms} ms.`))
  }, ms)
  try {
    return await Promise.race([work, late.promise])
  } finally {
    clearTimeout(timer)
  }
}
