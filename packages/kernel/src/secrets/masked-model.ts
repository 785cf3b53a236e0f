/**
 * Owns the way to a model and back: no value goes there, and none comes back from one that knows it from elsewhere. A
 * call that it makes with a value holds a mark afterwards, and is refused as such.
 */
import type { ModelChunk, ModelPort } from '@countersign/agent'
import type { Redactor } from '@countersign/contract/node'

export function maskedModel(model: ModelPort, redactor: Redactor): ModelPort {
  return {
    async *stream(request, signal, meter) {
      const open = () => ({ text: redactor.open(), reasoning: redactor.open(), call: redactor.open() })
      let shown = open()
      for await (const chunk of model.stream(redactor.json(request), signal, meter)) {
        switch (chunk.type) {
          case 'end':
          case 'failed':
            yield redactor.json<ModelChunk>(chunk)
            return
          case 'again':
            shown = open()
            yield redactor.json<ModelChunk>(chunk)
            break
          default: {
            // What is held back at the end is in the reply, which follows.
            const text = shown[chunk.type].push(chunk.text)
            if (text !== '') yield { ...chunk, text }
          }
        }
      }
    },
  }
}
