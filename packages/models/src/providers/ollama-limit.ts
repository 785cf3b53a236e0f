/** Tells Ollama how long a reply may be, by the name that it knows; its package sends the limit by another one. */
import type { ProviderModel, ProviderRequest } from './provider-model.ts'

export function withOllamaLimit(model: ProviderModel): ProviderModel {
  return {
    specificationVersion: model.specificationVersion,
    provider: model.provider,
    modelId: model.modelId,
    supportedUrls: model.supportedUrls,
    doGenerate: (request) => model.doGenerate(limited(request)),
    doStream: (request) => model.doStream(limited(request)),
  }
}

function limited(request: ProviderRequest): ProviderRequest {
  if (request.maxOutputTokens === undefined) return request
  const given = request.providerOptions?.['ollama']
  const options = { num_predict: request.maxOutputTokens, ...(given?.['options'] as object | undefined) }
  return { ...request, providerOptions: { ...request.providerOptions, ollama: { ...given, options } } }
}
