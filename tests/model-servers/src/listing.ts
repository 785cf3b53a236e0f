/** The models that a server lists, in each protocol's form. */
import { basePaths } from './places.ts'
import type { JsonObject } from './wire.ts'

const CREATED = 1_700_000_000

/** Undefined where nothing is listed at the path. */
export function listingAt(path: string, models: readonly string[]): string | undefined {
  switch (path) {
    case `${basePaths.google}/models`:
      return JSON.stringify({ models: models.map(googleModel) })
    case `${basePaths.bedrock}/foundation-models`:
      return JSON.stringify({ modelSummaries: models.map((modelId) => ({ modelId, modelName: modelId })) })
    case '/v1beta1/publishers/google/models':
      return JSON.stringify({
        publisherModels: models.map((model) => ({ name: `publishers/google/models/${model}` })),
      })
    case `${basePaths.ollama}/tags`:
      return JSON.stringify({
        models: models.map((model) => ({
          name: model,
          model,
          modified_at: '2023-11-14T22:13:20Z',
          size: 1,
          digest: 'scripted',
        })),
      })
    // The list of models is still a part of Cohere's first version.
    case '/cohere/v1/models':
      return JSON.stringify({
        models: models.map((name) => ({ name, endpoints: ['chat'], finetuned: false })),
      })
    case `${basePaths.together}/models`:
      return JSON.stringify(models.map((id) => ({ ...openaiModel(id), type: 'chat' })))
    default:
      return OPENAI_LISTS.has(path) ? JSON.stringify(openaiList(models)) : undefined
  }
}

const OPENAI_LISTS = new Set(
  (['openai', 'mistral', 'groq', 'deepseek', 'xai', 'fireworks', 'openrouter'] as const).map(
    (protocol) => `${basePaths[protocol]}/models`,
  ),
)

/** Anthropic's list differs in fields that do not collide, so one answer serves both. */
function openaiList(models: readonly string[]): JsonObject {
  return {
    object: 'list',
    data: models.map((id) => ({
      ...openaiModel(id),
      type: 'model',
      display_name: id,
      created_at: '2023-11-14T22:13:20Z',
    })),
    has_more: false,
    first_id: models[0] ?? null,
    last_id: models.at(-1) ?? null,
  }
}

function openaiModel(id: string): JsonObject {
  return { id, object: 'model', created: CREATED, owned_by: 'countersign' }
}

function googleModel(model: string): JsonObject {
  return {
    name: `models/${model}`,
    displayName: model,
    inputTokenLimit: 100_000,
    outputTokenLimit: 8_192,
    supportedGenerationMethods: ['generateContent'],
  }
}
