/**
 * Tells Ollama how long a reply may be, by the name that it knows, and how much it has to read. Without that it reads a
 * few thousand tokens, whatever the model can hold, and drops the beginning of a longer conversation without a word.
 */
import { cappedText } from './capped-body.ts'
import type { ProviderModel, ProviderRequest } from './provider-model.ts'

/** How many tokens the model can hold; null where its server does not say. */
export type ContextLength = (signal: AbortSignal | undefined) => Promise<number | null>

export function withOllamaOptions(model: ProviderModel, contextLength: ContextLength): ProviderModel {
  const told = async (request: ProviderRequest): Promise<ProviderRequest> =>
    optioned(request, await contextLength(request.abortSignal))
  return {
    specificationVersion: model.specificationVersion,
    provider: model.provider,
    modelId: model.modelId,
    supportedUrls: model.supportedUrls,
    doGenerate: async (request) => model.doGenerate(await told(request)),
    doStream: async (request) => model.doStream(await told(request)),
  }
}

/** Asked once, for as long as the model is open. */
export function onceKnown(contextLength: ContextLength): ContextLength {
  let known: Promise<number | null> | undefined
  return (signal) => (known ??= contextLength(signal))
}

/** Asks the server what it knows of the model. Never rejects. */
export function askContextLength(place: {
  readonly baseURL: string
  readonly model: string
  readonly headers: Readonly<Record<string, string>>
  readonly fetch: typeof globalThis.fetch
}): ContextLength {
  const { baseURL, model, headers, fetch } = place
  return async (signal) => {
    try {
      const patience = AbortSignal.timeout(patienceMs)
      const response = await fetch(`${baseURL.replace(/\/+$/, '')}/show`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify({ model }),
        redirect: 'manual',
        signal: signal ? AbortSignal.any([signal, patience]) : patience,
      })
      if (!response.ok) {
        await response.body?.cancel()
        return null
      }
      const text = await cappedText(response, mostBytes)
      return text === undefined ? null : lengthIn(JSON.parse(text))
    } catch {
      // The call itself tells what is wrong with the server.
      return null
    }
  }
}

const patienceMs = 2_000
/** A template and a licence are in it too. */
const mostBytes = 4 * 1024 * 1024
/** Each size makes the server load the model anew, so there are few. */
const sizes = [4_096, 8_192, 16_384, 32_768, 65_536, 131_072]
const usualReply = 2_048
/** Fewer than there are in any language, so that the estimate is too high rather than too low. */
const charactersPerToken = 2.5
const tokensOfPicture = 1_500

function optioned(request: ProviderRequest, context: number | null): ProviderRequest {
  const { maxOutputTokens } = request
  const given = request.providerOptions?.['ollama']
  const options = {
    ...(maxOutputTokens === undefined ? {} : { num_predict: maxOutputTokens }),
    ...(context === null ? {} : { num_ctx: fitting(request, context) }),
    ...(given?.['options'] as object | undefined),
  }
  if (Object.keys(options).length === 0) return request
  return { ...request, providerOptions: { ...request.providerOptions, ollama: { ...given, options } } }
}

/** The smallest size that holds the question and the reply, and never more than the model was made for. */
function fitting(request: ProviderRequest, context: number): number {
  let pictures = 0
  const words = JSON.stringify([request.prompt, request.tools ?? []], (_key, value: unknown) => {
    if (!(value instanceof Uint8Array)) return value
    pictures += 1
    return ''
  })
  const needed =
    words.length / charactersPerToken + pictures * tokensOfPicture + (request.maxOutputTokens ?? usualReply)
  return Math.min(context, sizes.find((size) => size >= needed) ?? context)
}

/** Under the name of its architecture, as `llama.context_length`. */
function lengthIn(value: unknown): number | null {
  const { model_info: info } = (value ?? {}) as Record<string, unknown>
  const found = Object.entries((info ?? {}) as object).find(([name]) => name.endsWith('.context_length'))?.[1]
  return Number.isInteger(found) && (found as number) > 0 ? (found as number) : null
}
