/**
 * The media port: pictures, speech and recordings by the provider that the operator chose for them, each one call that is
 * paid for once. No retries, and no provider that nobody named. Speech may be named that the programs of this machine
 * make, which is free and kept in the books all the same.
 */
import type { MediaPort } from '@countersign/agent'
import {
  localSpeechPurpose,
  type MakingTask,
  type MediaReply,
  purposeOfTask,
  type SpeechTask,
} from '@countersign/contract'
import type { ModelFacts } from '../catalogue/facts.ts'
import { type MeteredContext, meteredCall, noUsage } from '../embeddings/metered-embedding.ts'
import { type PricedAnswer, paidCall, watchFetch } from '../embeddings/provider-call.ts'
import { checkedProvider } from '../providers/checked.ts'
import type { ProviderConfig } from '../providers/config.ts'
import { partsOf } from '../routing/ref.ts'
import type { RouterSettings } from '../routing/settings.ts'
import { mediaNanos, worstMediaNanos } from './media-price.ts'
import { doesOffer, mediaVerbs, whoOffers } from './offers.ts'
import { askProvider, type MediaAnswer, mostAnswerBytes } from './wire.ts'

export interface MediaOptions {
  readonly settings: () => Promise<RouterSettings>
  readonly facts: (provider: ProviderConfig, model: string) => ModelFacts
  /** The programs of this machine that speak and listen. Never rejects. */
  readonly speech: (task: SpeechTask, signal: AbortSignal) => Promise<MediaReply>
  readonly now?: () => number
}

/** A picture takes longer than the first word of a reply. */
const patienceMs = 180_000

export function createMedia({
  settings,
  facts,
  speech,
  now = () => performance.now(),
}: MediaOptions): MediaPort {
  return {
    async make(task, signal, meter) {
      const chosen = chosenFor(task, await settings())
      if ('reason' in chosen) return { kind: 'failed', reason: chosen.reason }
      if ('local' in chosen) {
        const { provider, model } = partsOf(chosen.local)
        const planned = { provider, model, purpose: purposeOfTask[chosen.task.kind], worstNanos: 0 }
        return localSpeech(() => speech(chosen.task, signal), { meter, planned, signal, now })
      }
      const config = { ...chosen.config, timeoutMs: Math.max(chosen.config.timeoutMs, patienceMs) }
      const checked = checkedProvider(config)
      if (checked.kind === 'refused') return { kind: 'failed', reason: checked.message }
      const known = facts(config, config.model)
      const mostBytes = mostAnswerBytes(task)
      const watch = watchFetch(config.fetch ?? globalThis.fetch, mostBytes)
      const wire = { config, baseUrl: checked.baseURL, apiKey: checked.apiKey, fetch: watch.fetch }
      const worstNanos = worstMediaNanos(known, task)
      const purpose = purposeOfTask[task.kind]
      const answer = await paidCall(
        { config, purpose, worstNanos, signal, meter, now, mostBytes },
        watch,
        async (ending): Promise<PricedAnswer<MediaAnswer['reply']>> => {
          const made = await askProvider(task, wire, ending)
          return {
            kind: 'made',
            made: made.reply,
            usage: made.usage ?? noUsage,
            estimated: made.usage === null && (made.seconds ?? null) === null,
            costNanos: mediaNanos(known, task, made),
          }
        },
      )
      return answer.kind === 'made' ? answer.made : failedReply(answer.failure.message, task, config.name)
    },
  }
}

type Chosen =
  | { readonly config: ProviderConfig & { readonly model: string } }
  | { readonly local: string; readonly task: SpeechTask }
  | { readonly reason: string }

function chosenFor(task: MakingTask, { providers, routes }: RouterSettings): Chosen {
  const purpose = purposeOfTask[task.kind]
  const [named] = routes[purpose]?.models ?? []
  const next = `Choose one under Models, or with \`countersign model use <provider/model> --for ${purpose}\`.`
  if (named === undefined)
    return {
      reason: `No model is chosen that ${mediaVerbs[task.kind]}. ${next} Providers that can: ${whoOffers(task.kind)}.`,
    }
  if (localSpeechPurpose(named) !== undefined) {
    return task.kind === 'speech' || task.kind === 'transcript'
      ? { local: named, task }
      : { reason: `${named} does not do this (${mediaVerbs[task.kind]}). ${next}` }
  }
  const { provider: name, model } = partsOf(named)
  const provider = providers.find(({ config, enabled }) => enabled && config.name === name)
  if (!provider)
    return { reason: `The provider ${name} of ${named} is not configured or switched off. ${next}` }
  if (!doesOffer(provider.config.kind, task.kind))
    return {
      reason: `No model of ${name} (${provider.config.kind}) ${mediaVerbs[task.kind]}. ${next} Providers that can: ${whoOffers(task.kind)}.`,
    }
  return { config: { ...provider.config, model } }
}

async function localSpeech(work: () => Promise<MediaReply>, context: MeteredContext): Promise<MediaReply> {
  const answer = await meteredCall<MediaReply>(context, async () => {
    const reply = await work()
    return {
      answer:
        reply.kind === 'failed'
          ? { kind: 'failed', failure: { kind: 'unknown', message: reply.reason } }
          : { kind: 'made', made: reply },
      usage: noUsage,
      estimated: false,
      costNanos: 0,
    }
  })
  return answer.kind === 'made' ? answer.made : { kind: 'failed', reason: answer.failure.message }
}

function failedReply(message: string, task: MakingTask, provider: string): MediaReply {
  return { kind: 'failed', reason: `${provider} did not do it (${mediaVerbs[task.kind]}): ${message}` }
}
