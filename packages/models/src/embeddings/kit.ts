/**
 * Opens what a provider of the AI SDK offers besides chat: embeddings. Loads only the package that is asked for, and
 * lets none of them read the environment.
 */
import type { createOpenAI } from '@ai-sdk/openai'
import type { ProviderKind } from '@countersign/contract'
import { checkedProvider, type RefusedProvider } from '../providers/checked.ts'
import type { ProviderConfig } from '../providers/config.ts'

export type EmbeddingModel = ReturnType<ReturnType<typeof createOpenAI>['embeddingModel']>

/** What a provider does not offer is left out. */
export interface EmbeddingKit {
  readonly embedding?: (model: string) => EmbeddingModel
}

export type EmbeddingKitResult = { readonly kind: 'ready'; readonly kit: EmbeddingKit } | RefusedProvider

export async function openKit(
  config: ProviderConfig,
  fetch: typeof globalThis.fetch,
): Promise<EmbeddingKitResult> {
  const checked = checkedProvider(config)
  if (checked.kind === 'refused') return checked
  const { apiKey, baseURL } = checked
  const open = openers[config.kind]
  return { kind: 'ready', kit: open === undefined ? {} : await open({ apiKey, baseURL, fetch }) }
}

interface Settings {
  readonly apiKey: string
  readonly baseURL: string
  readonly fetch: typeof globalThis.fetch
}

const openers: Partial<Readonly<Record<ProviderKind, (settings: Settings) => Promise<EmbeddingKit>>>> = {
  async openai(settings) {
    const provider = (await import('@ai-sdk/openai')).createOpenAI(settings)
    return { embedding: (model) => provider.embeddingModel(model) }
  },
  async google(settings) {
    const provider = (await import('@ai-sdk/google')).createGoogle(settings)
    return { embedding: (model) => provider.embeddingModel(model) }
  },
  async mistral(settings) {
    const provider = (await import('@ai-sdk/mistral')).createMistral(settings)
    return { embedding: (model) => provider.embedding(model) }
  },
  async together(settings) {
    const provider = (await import('@ai-sdk/togetherai')).createTogetherAI(settings)
    return { embedding: (model) => provider.embeddingModel(model) }
  },
  async fireworks(settings) {
    const provider = (await import('@ai-sdk/fireworks')).createFireworks(settings)
    return { embedding: (model) => provider.embeddingModel(model) }
  },
  async cohere(settings) {
    const provider = (await import('@ai-sdk/cohere')).createCohere(settings)
    return { embedding: (model) => provider.embeddingModel(model) }
  },
  async ollama({ baseURL, fetch, apiKey }) {
    const headers = apiKey === '' ? {} : { Authorization: `Bearer ${apiKey}` }
    const provider = (await import('ollama-ai-provider-v2')).createOllama({ baseURL, headers, fetch })
    return { embedding: (model) => provider.embedding(model) }
  },
  async 'openai-compatible'(settings) {
    const { apiKey, ...rest } = settings
    const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
    const named = { ...rest, name: 'compatible' }
    const provider = createOpenAICompatible(apiKey === '' ? named : { ...named, apiKey })
    return { embedding: (model) => provider.embeddingModel(model) }
  },
}
