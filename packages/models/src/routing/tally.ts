/** Owns what one call used, as far as it is known. What the provider did not say is estimated from what arrived. */
import type {
  ModelChunk,
  ModelFailure,
  ModelReply,
  ModelRequest,
  ModelUsage,
  SpentCall,
} from '@countersign/agent'
import type { ProviderKind } from '@countersign/contract'
import type { ModelFacts } from '../catalogue/facts.ts'
import type { Candidate } from './candidate.ts'

export interface CallPrices {
  /** Billionths of a dollar. */
  cost(facts: ModelFacts, usage: ModelUsage): number
  /** The most that the request can cost. */
  worst(facts: ModelFacts, request: ModelRequest): number
  estimate(request: ModelRequest, producedText: string): ModelUsage | Promise<ModelUsage>
}

export type ModelCallEnd =
  | { readonly kind: 'delivered'; readonly reply: ModelReply }
  | { readonly kind: 'failed'; readonly failure: ModelFailure }

export interface Tally {
  /** The request is on its way. */
  sent(): void
  /** What the provider said of its use before the end. */
  heard(usage: Partial<ModelUsage>): void
  saw(chunk: ModelChunk): void
  spent(ending: ModelCallEnd, candidate: Pick<Candidate, 'facts' | 'provider'>): Promise<SpentCall>
}

const nothing: ModelUsage = { input: 0, output: 0, cached: 0, reasoning: 0 }

export function createTally(request: ModelRequest, prices: CallPrices, clock: () => number): Tally {
  const startedMs = clock()
  let firstTokenMs: number | null = null
  let endedMs: number | null = null
  let told: Partial<ModelUsage> | undefined
  let text = ''
  let sent = false

  /** A provider that refused or was never reached charges nothing; one that nobody waited for may have read it all. */
  async function usageOf(
    ending: ModelCallEnd,
    unseen: boolean,
  ): Promise<Pick<SpentCall, 'usage' | 'estimated'>> {
    if (ending.kind === 'delivered' && !isNothing(ending.reply.usage)) {
      return { usage: ending.reply.usage, estimated: false }
    }
    const began =
      firstTokenMs !== null || told !== undefined || isCutReply(ending) || (sent && wasLeft(ending))
    if (!began) return { usage: nothing, estimated: false }
    const usage = merged(told ?? {}, await prices.estimate(request, text))
    const cut = ending.kind === 'failed' && told?.output === undefined
    // What it thought without saying is paid for, and nobody knows how much that was.
    const output = cut && unseen ? Math.max(usage.output, request.maxOutputTokens) : usage.output
    return { usage: { ...usage, output }, estimated: true }
  }

  return {
    sent: () => {
      sent = true
    },
    heard: (usage) => {
      told = { ...told, ...usage }
    },
    saw: (chunk) => {
      if (chunk.type === 'text' || chunk.type === 'reasoning' || chunk.type === 'call') text += chunk.text
      if (chunk.type === 'end' || chunk.type === 'failed') endedMs = clock() - startedMs
      if (chunk.type !== 'failed' && chunk.type !== 'again') firstTokenMs ??= clock() - startedMs
    },
    spent: async (ending, { facts, provider }) => {
      const totalMs = endedMs ?? clock() - startedMs
      const { usage, estimated } = await usageOf(ending, thinksUnseen(facts, provider.kind))
      return {
        outcome: ending.kind === 'delivered' ? 'delivered' : ending.failure.kind,
        usage,
        estimated,
        costNanos: isNothing(usage) && ending.kind === 'failed' ? 0 : prices.cost(facts, usage),
        firstTokenMs,
        totalMs,
      }
    },
  }
}

/** Providers that charge for thoughts which they do not stream. */
const silentThinkers: ReadonlySet<ProviderKind> = new Set(['openai', 'google', 'xai', 'openrouter'])

function thinksUnseen({ capabilities }: ModelFacts, kind: ProviderKind): boolean {
  return capabilities.includes('reasoning') && silentThinkers.has(kind)
}

function isNothing({ input, output }: ModelUsage): boolean {
  return input === 0 && output === 0
}

function isCutReply(ending: ModelCallEnd): boolean {
  return ending.kind === 'delivered' || ending.failure.kind === 'truncated'
}

function wasLeft(ending: ModelCallEnd): boolean {
  return ending.kind === 'failed' && ['timeout', 'cancelled'].includes(ending.failure.kind)
}

/** A provider states the input when it begins; of the output it has then counted next to nothing. */
function merged(told: Partial<ModelUsage>, estimated: ModelUsage): ModelUsage {
  const input = told.input || estimated.input
  const output = Math.max(told.output ?? 0, estimated.output)
  return {
    input,
    output,
    cached: Math.min(told.cached ?? estimated.cached, input),
    ...(told.written === undefined ? {} : { written: Math.min(told.written, input) }),
    reasoning: Math.min(Math.max(told.reasoning ?? 0, estimated.reasoning), output),
  }
}
