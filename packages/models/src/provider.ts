/** Opens a provider of the AI SDK for one configuration. Loads only the package that is asked for, and lets none of them read the environment or follow a redirect. */

import type { createAnthropic } from '@ai-sdk/anthropic'
import type { ModelConfig } from './config.ts'

export type ProviderModel = ReturnType<ReturnType<typeof createAnthropic>>
export type ProviderRequest = Parameters<ProviderModel['doStream']>[0]
type StreamResult = Awaited<ReturnType<ProviderModel['doStream']>>
export type ProviderPart = StreamResult['stream'] extends ReadableStream<infer Part> ? Part : never

export type OpenedProvider =
  | { readonly kind: 'ready'; readonly model: ProviderModel }
  | { readonly kind: 'refused'; readonly reason: 'key' | 'invalid'; readonly message: string }

const OPENAI_URL = 'https://api.openai.com/v1'
const ANTHROPIC_URL = 'https://api.anthropic.com/v1'

export async function openProvider(config: ModelConfig): Promise<OpenedProvider> {
  const fetch = withoutRedirects(config.fetch ?? globalThis.fetch)
  const apiKey = config.apiKey ?? ''
  if (apiKey === '' && config.provider !== 'openai-compatible') {
    return refused('key', `No API key is configured for the provider ${config.provider}.`)
  }
  if (!/^[\x21-\x7e]*$/.test(apiKey)) {
    return refused(
      'key',
      `The API key for the provider ${config.provider} has characters that a header cannot carry.`,
    )
  }
  if (config.baseUrl !== undefined && !isPlainHttpUrl(config.baseUrl)) {
    return refused('invalid', `The base URL for the provider ${config.provider} is not a plain HTTP address.`)
  }
  switch (config.provider) {
    case 'openai': {
      const { createOpenAI } = await import('@ai-sdk/openai')
      return ready(createOpenAI({ apiKey, baseURL: config.baseUrl ?? OPENAI_URL, fetch }).chat(config.model))
    }
    case 'anthropic': {
      const { createAnthropic } = await import('@ai-sdk/anthropic')
      return ready(createAnthropic({ apiKey, baseURL: config.baseUrl ?? ANTHROPIC_URL, fetch })(config.model))
    }
    case 'openai-compatible': {
      if (config.baseUrl === undefined) {
        return refused('invalid', 'An OpenAI-compatible provider needs a base URL.')
      }
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
      const settings = { name: 'compatible', baseURL: config.baseUrl, includeUsage: true, fetch }
      const provider = createOpenAICompatible(apiKey === '' ? settings : { ...settings, apiKey })
      return ready(provider.chatModel(config.model))
    }
  }
}

function ready(model: ProviderModel): OpenedProvider {
  return { kind: 'ready', model }
}

function refused(reason: 'key' | 'invalid', message: string): OpenedProvider {
  return { kind: 'refused', reason, message }
}

/** Credentials in an address would end up in logs and errors. */
function isPlainHttpUrl(address: string): boolean {
  const url = URL.parse(address)
  return url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === ''
}

/** A followed redirect would carry the key and the conversation to an address that nobody configured. */
function withoutRedirects(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return (input, init) => fetch(input, { ...init, redirect: 'manual' })
}
