/** Asks a provider which models it has. Reads the lists of all protocols. */
import type { ProviderKind } from '@countersign/contract'
import { demoModel } from '../demo/demo-model.ts'
import { awsKeysIn, awsRegionOf } from './aws-keys.ts'
import { cappedText } from './capped-body.ts'
import type { ProviderConfig } from './config.ts'
import { kinds } from './kinds.ts'
import { accountTokens, serviceAccountIn } from './service-account.ts'

export type ListedModels =
  | { readonly kind: 'listed'; readonly models: readonly string[] }
  /** `status` is what its server answered; null where nothing answered. */
  | { readonly kind: 'failed'; readonly message: string; readonly status: number | null }

export type ListedProvider = Pick<ProviderConfig, 'kind' | 'baseUrl' | 'apiKey' | 'timeoutMs'>

type Fetch = typeof globalThis.fetch

/** More than any provider has; whoever lists more is not believed. */
const MOST_MODELS = 5_000
const MOST_BYTES = 16 * 1024 * 1024

/** Never rejects. Follows no redirect, since the key goes with the question. */
export async function listModels(config: ListedProvider, fetch: Fetch): Promise<ListedModels> {
  if (config.kind === 'demo') return { kind: 'listed', models: [demoModel] }
  const { title, baseUrl } = kinds[config.kind]
  const base = config.baseUrl ?? baseUrl
  if (base === null) return failed(`${title} needs an address before its models can be listed.`)
  try {
    const address = listAddress(config.kind, base)
    const response = await fetch(address, {
      headers: await headersFor(config.kind, config.apiKey ?? '', address, fetch),
      redirect: 'manual',
      signal: AbortSignal.timeout(config.timeoutMs),
    })
    if (!response.ok) {
      await response.body?.cancel()
      return failed(refusal(title, response.status), response.status)
    }
    const text = await cappedText(response, MOST_BYTES)
    if (text === undefined)
      return failed(`The list of models of ${title} is too long to be read.`, response.status)
    const models = modelsIn(JSON.parse(text))
    if (models === undefined) {
      return failed(`The answer of ${title} is not a list of models. Check its address.`, response.status)
    }
    return { kind: 'listed', models }
  } catch (error) {
    if (error instanceof SyntaxError)
      return failed(`The answer of ${title} is not JSON. Check its address.`, 200)
    return failed(`${title} did not list its models. Check its address and whether it is reachable.`)
  }
}

function listAddress(kind: ProviderKind, base: string): string {
  const root = base.replace(/\/+$/, '')
  switch (kind) {
    case 'ollama':
      return `${root}/tags`
    case 'google':
      return `${root}/models?pageSize=1000`
    case 'anthropic':
      return `${root}/models?limit=1000`
    case 'cohere':
      // The list is still a part of the first version.
      return `${root.replace(/\/v2$/, '/v1')}/models?page_size=1000&endpoint=chat`
    case 'github':
      // Beside the address that answers, not below it.
      return `${root.replace(/\/inference$/, '/catalog')}/models`
    case 'bedrock':
      // Another host of the same region.
      return `${root.replace('://bedrock-runtime', '://bedrock')}/foundation-models`
    case 'vertex':
      return `${URL.parse(root)?.origin ?? root}${vertexList}`
    default:
      return `${root}/models`
  }
}

const vertexList = '/v1beta1/publishers/google/models?pageSize=300'

async function headersFor(
  kind: ProviderKind,
  apiKey: string,
  url: string,
  fetch: Fetch,
): Promise<Record<string, string>> {
  if (apiKey === '') return {}
  const aws = kind === 'bedrock' ? awsKeysIn(apiKey) : undefined
  if (aws) {
    const { AwsV4Signer } = await import('aws4fetch')
    const signer = new AwsV4Signer({ ...aws, url, service: 'bedrock', region: awsRegionOf(url) })
    return Object.fromEntries((await signer.sign()).headers)
  }
  const account = kind === 'vertex' ? serviceAccountIn(apiKey) : undefined
  if (account) return { authorization: `Bearer ${await accountTokens(account, fetch)()}` }
  if (kind === 'anthropic') return { 'x-api-key': apiKey, 'anthropic-version': '2023-06-01' }
  if (kind === 'azure') return { 'api-key': apiKey }
  if (kind === 'google' || kind === 'vertex') return { 'x-goog-api-key': apiKey }
  return { authorization: `Bearer ${apiKey}` }
}

/** A list under one of the names that providers have for it, or bare; each with an id or a name. */
function modelsIn(value: unknown): readonly string[] | undefined {
  const fields = typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  const list = [
    value,
    fields['data'],
    fields['models'],
    fields['modelSummaries'],
    fields['publisherModels'],
  ].find(Array.isArray) as unknown[] | undefined
  if (list === undefined) return undefined
  const names = list.slice(0, MOST_MODELS).flatMap((entry) => {
    const { id, modelId, model, name } = (entry ?? {}) as Record<string, unknown>
    const found = [id, modelId, model, name].find((one) => typeof one === 'string' && /^\S{1,200}$/.test(one))
    return typeof found === 'string' ? [found.replace(/^(?:publishers\/google\/)?models\//, '')] : []
  })
  return [...new Set(names)]
}

function refusal(title: string, status: number): string {
  if (status === 401 || status === 403) return `${title} refused the key (status ${status}). Set another one.`
  if (status === 404)
    return `${title} lists no models at this address (status 404). Give the name of a model.`
  return `${title} did not list its models (status ${status}). Try again later.`
}

function failed(message: string, status: number | null = null): ListedModels {
  return { kind: 'failed', message, status }
}
