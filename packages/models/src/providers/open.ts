/** Opens a provider of the AI SDK for one configuration. Loads only the package that is asked for, and lets none of them read the environment or follow a redirect. */

import type { ProviderKind } from '@countersign/contract'
import { awsKeysIn, awsRegionOf } from './aws-keys.ts'
import { checkedProvider, type RefusedProvider } from './checked.ts'
import type { ModelConfig } from './config.ts'
import { withQuietStop } from './ollama-body.ts'
import { askContextLength, onceKnown, withOllamaOptions } from './ollama-options.ts'
import { withoutRefusedSummary } from './openai-summary.ts'
import type { ProviderModel, ProviderRequest } from './provider-model.ts'
import { accountTokens, type ServiceAccount, serviceAccountIn } from './service-account.ts'

export type OpenProviderResult =
  | {
      readonly kind: 'ready'
      readonly model: ProviderModel
      /** Goes with every request to this model. */
      readonly options?: NonNullable<ProviderRequest['providerOptions']>
      /** How many tokens it holds, where its server says so. */
      readonly context?: (signal: AbortSignal | undefined) => Promise<number | null>
    }
  | RefusedProvider

export async function openProvider(config: ModelConfig): Promise<OpenProviderResult> {
  const checked = checkedProvider(config)
  if (checked.kind === 'refused') return checked
  const { apiKey, baseURL } = checked
  return openers[config.kind]({ apiKey, baseURL, fetch: outward(config), model: config.model })
}

interface Opening {
  readonly apiKey: string
  readonly baseURL: string
  readonly fetch: typeof globalThis.fetch
  readonly model: string
}

type Opener = (opening: Opening) => Promise<OpenProviderResult>

const openers: Readonly<Record<ProviderKind, Opener>> = {
  async anthropic({ model, ...settings }) {
    const { createAnthropic } = await import('@ai-sdk/anthropic')
    return ready(createAnthropic(settings)(model))
  },
  async openai({ model, fetch, ...settings }) {
    const { createOpenAI } = await import('@ai-sdk/openai')
    const provider = createOpenAI({ ...settings, fetch: withoutRefusedSummary(fetch) })
    // Nothing is kept there between requests. The package asks models that do not reason for no summary.
    const options = { openai: { store: false, reasoningSummary: 'auto' } }
    return ready(provider.responses(model), options)
  },
  async google({ model, ...settings }) {
    const { createGoogle } = await import('@ai-sdk/google')
    const thinks = /gemini-(2\.5|[3-9])/.test(model)
    return ready(
      createGoogle(settings)(model),
      thinks ? { google: { thinkingConfig: { includeThoughts: true } } } : undefined,
    )
  },
  async mistral({ model, ...settings }) {
    const { createMistral } = await import('@ai-sdk/mistral')
    return ready(createMistral(settings)(model))
  },
  async groq({ model, ...settings }) {
    const { createGroq } = await import('@ai-sdk/groq')
    // Others refuse the question.
    const tells = /qwen3|qwq|deepseek-r1/i.test(model)
    return ready(createGroq(settings)(model), tells ? { groq: { reasoningFormat: 'parsed' } } : undefined)
  },
  async deepseek({ model, ...settings }) {
    const { createDeepSeek } = await import('@ai-sdk/deepseek')
    return ready(createDeepSeek(settings)(model))
  },
  async xai({ model, ...settings }) {
    const { createXai } = await import('@ai-sdk/xai')
    return ready(createXai(settings).responses(model), {
      xai: { store: false },
    })
  },
  async together({ model, ...settings }) {
    const { createTogetherAI } = await import('@ai-sdk/togetherai')
    return ready(createTogetherAI(settings).chatModel(model))
  },
  async fireworks({ model, ...settings }) {
    const { createFireworks } = await import('@ai-sdk/fireworks')
    return ready(createFireworks(settings).chatModel(model))
  },
  async perplexity({ model, ...settings }) {
    const { createPerplexity } = await import('@ai-sdk/perplexity')
    return ready(createPerplexity(settings)(model))
  },
  async cohere({ model, ...settings }) {
    const { createCohere } = await import('@ai-sdk/cohere')
    return ready(createCohere(settings)(model))
  },
  async openrouter({ model, ...settings }) {
    const { createOpenRouter } = await import('@openrouter/ai-sdk-provider')
    const provider = createOpenRouter({ ...settings, compatibility: 'strict' })
    return ready(provider.chat(model, { usage: { include: true } }))
  },
  async ollama({ model, baseURL, fetch, apiKey }) {
    const { createOllama } = await import('ollama-ai-provider-v2')
    const headers = apiKey === '' ? {} : { Authorization: `Bearer ${apiKey}` }
    const provider = createOllama({ baseURL, headers, fetch: withQuietStop(fetch) })
    // Others answer the question with an error.
    const thinks = /qwen3|qwq|deepseek-r1|gpt-oss|magistral/i.test(model)
    const context = onceKnown(askContextLength({ baseURL, model, headers, fetch }))
    return {
      kind: 'ready',
      model: withOllamaOptions(provider(model), context),
      ...(thinks ? { options: { ollama: { think: true } } } : {}),
      context,
    }
  },
  async bedrock({ model, apiKey, ...settings }) {
    const { createAmazonBedrock } = await import('@ai-sdk/amazon-bedrock')
    // An empty key of its own keeps the package from looking for one in the environment.
    const keys = awsKeysIn(apiKey)
    const provider = createAmazonBedrock({
      ...settings,
      region: awsRegionOf(settings.baseURL),
      ...(keys ? { ...keys, apiKey: '' } : { apiKey }),
    })
    return ready(provider(model))
  },
  async vertex({ model, apiKey, baseURL, fetch }) {
    const { createGoogle } = await import('@ai-sdk/google')
    const account = serviceAccountIn(apiKey)
    const provider = createGoogle({
      name: 'google.vertex.chat',
      baseURL,
      apiKey: account ? 'unused' : apiKey,
      fetch: account ? asAccount(fetch, account) : fetch,
    })
    const thinks = /gemini-(2\.5|[3-9])/.test(model)
    const options = { googleVertex: { thinkingConfig: { includeThoughts: true } } }
    return ready(provider(model), thinks ? options : undefined)
  },
  zhipu: compatible,
  github: compatible,
  // Its keys travel in a header of their own; in `authorization` it takes tokens of people only.
  azure: ({ apiKey, ...opening }) => compatible({ ...opening, apiKey: '' }, { 'api-key': apiKey }),
  'openai-compatible': compatible,
  demo: () =>
    Promise.resolve({ kind: 'refused', reason: 'invalid', message: 'The demo model has no server to call.' }),
}

/** A token of the account goes instead of a key. */
function asAccount(fetch: typeof globalThis.fetch, account: ServiceAccount): typeof globalThis.fetch {
  const tokens = accountTokens(account, fetch)
  return async (input, init) => {
    const headers = new Headers(init?.headers)
    headers.delete('x-goog-api-key')
    headers.set('authorization', `Bearer ${await tokens(init?.signal)}`)
    return fetch(input, { ...init, headers })
  }
}

async function compatible(
  { model, baseURL, fetch, apiKey }: Opening,
  headers: Readonly<Record<string, string>> = {},
): Promise<OpenProviderResult> {
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
  const settings = { name: 'compatible', baseURL, includeUsage: true, fetch, headers }
  const provider = createOpenAICompatible(apiKey === '' ? settings : { ...settings, apiKey })
  return ready(provider.chatModel(model))
}

function ready(
  model: ProviderModel,
  options?: NonNullable<ProviderRequest['providerOptions']>,
): OpenProviderResult {
  return options === undefined ? { kind: 'ready', model } : { kind: 'ready', model, options }
}

/** A followed redirect would carry the key and the conversation to an address that nobody configured. */
function outward({ fetch = globalThis.fetch, requestId }: ModelConfig): typeof globalThis.fetch {
  return (input, init) => {
    const headers = new Headers(init?.headers)
    if (requestId !== undefined) headers.set('x-client-request-id', requestId)
    return fetch(input, { ...init, headers, redirect: 'manual' })
  }
}
