/**
 * Owns the figures of calls to models since the gateway started. Labels are bounded: a model that is not configured,
 * and every pair of provider and model above a number, is counted as `other`.
 */
import { nanosPerDollar } from '@countersign/contract'
import type { CallObserver, ObservedCall } from '@countersign/models'
import type { MetricFamily, MetricLabels } from './exposition.ts'
import { createCounter, createHistogram } from './series.ts'

export interface CallMetrics extends CallObserver {
  families(): readonly MetricFamily[]
}

export interface CallMetricsOptions {
  /** Whether the operator configured it. */
  readonly isKnown: (provider: string, model: string) => boolean
  /** The most pairs of provider and model that are told apart. */
  readonly mostModels?: number
}

const other = 'other'
const secondsToFirstToken = [0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60]
const secondsInAll = [0.25, 0.5, 1, 2, 4, 8, 15, 30, 60, 120, 300, 600]

export function createCallMetrics({ isKnown, mostModels = 100 }: CallMetricsOptions): CallMetrics {
  const seen = new Map<string, MetricLabels>()
  const calls = createCounter('countersign_model_calls_total', 'Calls to providers, by outcome.')
  const tokens = createCounter(
    'countersign_model_tokens_total',
    'Tokens. Those of kind cached are part of input, those of kind reasoning part of output.',
  )
  const cost = createCounter('countersign_model_cost_dollars_total', 'What calls to providers cost.')
  const firstToken = createHistogram(
    'countersign_model_first_token_seconds',
    'From the request to the first token.',
    secondsToFirstToken,
  )
  const duration = createHistogram(
    'countersign_model_call_seconds',
    'From the request to the end of the reply.',
    secondsInAll,
  )

  function labelsOf({ provider, model }: ObservedCall): MetricLabels {
    const key = `${provider}/${model}`
    const labels = seen.get(key)
    if (labels) return labels
    if (seen.size >= mostModels || !isKnown(provider, model)) return { provider: other, model: other }
    seen.set(key, { provider, model })
    return { provider, model }
  }

  return {
    began() {},
    ended(call, { spent }) {
      const labels = labelsOf(call)
      calls.add({ ...labels, outcome: spent.outcome }, 1)
      const { input, output, cached, reasoning } = spent.usage
      for (const [kind, count] of Object.entries({ input, output, cached, reasoning }))
        tokens.add({ ...labels, kind }, count)
      cost.add(labels, spent.costNanos / nanosPerDollar)
      if (spent.firstTokenMs !== null) firstToken.observe(labels, spent.firstTokenMs / 1000)
      duration.observe(labels, spent.totalMs / 1000)
    },
    families: () => [calls, tokens, cost, firstToken, duration].map((each) => each.family()),
  }
}
