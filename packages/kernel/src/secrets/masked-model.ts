/**
 * Owns the way to a model and back: no value goes there, and none comes back from one that knows it from elsewhere. A
 * call that it makes with a value holds a mark afterwards, and is refused as such.
 */
import type { ModelChunk, ModelPort } from '@countersign/agent'
import type { Redactor } from '@countersign/contract/node'

export function maskedModel(model: ModelPort, redactor: Redactor): ModelPort {
  return {
    async *stream(request, signal) {
      const shown = { text: redactor.open(), reasoning: redactor.open() }
      for await (const chunk of model.stream(redactor.json(request), signal)) {
        if (chunk.type === 'end' || chunk.type === 'failed') {
          yield redactor.json<ModelChunk>(chunk)
          return
        }
        // What is held back at the end is in the reply, which follows.
        const text = shown[chunk.type].push(chunk.text)
        if (text !== '') yield { type: chunk.type, text }
      }
    },
  }
}
