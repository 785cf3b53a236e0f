/** Owns the shape of one model that can be asked. */
import type { ModelChunk, ModelRequest } from '@countersign/agent'
import type { UsageListener } from './reply.ts'

/** One model of one provider, which knows neither routes nor money. */
export interface OneModel {
  /** Ends with exactly one `end` or `failed`. `heard` is told what the provider says it used, also when it fails later. */
  stream(request: ModelRequest, signal: AbortSignal, heard?: UsageListener): AsyncIterable<ModelChunk>
}
