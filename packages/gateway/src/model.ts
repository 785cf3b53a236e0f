/** Owns the model that the configuration names, or the plain words that there is none. */
import type { ModelPort } from '@countersign/agent'
import { createModel } from '@countersign/models'
import type { Config } from './config.ts'

const silenceMs = 60_000

export function modelFrom(config: Config['model']): ModelPort {
  if (!config) return unconfigured
  return createModel({
    provider: config.provider,
    model: config.model,
    timeoutMs: silenceMs,
    ...(config.url ? { baseUrl: config.url } : {}),
    ...(config.key ? { apiKey: config.key } : {}),
  })
}

const unconfigured: ModelPort = {
  async *stream() {
    yield {
      type: 'failed',
      failure: {
        kind: 'key',
        message:
          'no model is configured. Set COUNTERSIGN_MODEL and COUNTERSIGN_MODEL_URL, or "model" in config.json.',
      },
    }
  },
}
