/** Reads what a provider says it used. Its figures decide about money, so nonsense counts as nothing. */
import type { ModelUsage } from '@countersign/agent'
import type { ProviderPart } from '../providers/provider-model.ts'

type ProviderUsage = Extract<ProviderPart, { type: 'finish' }>['usage']

const MOST_TOKENS = 1_000_000_000

/** All zero when the provider said nothing. */
export function usageOf(usage: ProviderUsage): ModelUsage {
  const { inputTokens, outputTokens } = usage
  const cached = tokensOf(inputTokens.cacheRead)
  const reasoning = tokensOf(outputTokens.reasoning)
  const written = tokensOf(inputTokens.cacheWrite)
  const input = inputTokens.total ?? tokensOf(inputTokens.noCache) + cached + written
  const output = outputTokens.total ?? tokensOf(outputTokens.text) + reasoning
  return {
    input: Math.max(tokensOf(input), cached + written),
    output: Math.max(tokensOf(output), reasoning),
    cached,
    ...(written > 0 ? { written } : {}),
    reasoning,
  }
}

export function tokensOf(value: unknown): number {
  if (typeof value !== 'number' || !(value > 0)) return 0
  return Math.min(Math.ceil(value), MOST_TOKENS)
}
