/**
 * Owns the way to a model and back: no value goes there, and none comes back from one that knows it from elsewhere. A
 * call that it makes with a value holds a mark afterwards, and is refused as such.
 */
import type { ModelChunk, ModelPort, ModelRequest } from '@countersign/agent'
import type { Redactor } from '@countersign/contract/node'

export function maskedModel(model: ModelPort, redactor: Redactor): ModelPort {
  return {
    ...(model.takesPictures
      ? { takesPictures: (request) => model.takesPictures?.(request) ?? Promise.resolve(false) }
      : {}),
    async *stream(request, signal, meter) {
      const open = () => ({ text: redactor.open(), reasoning: redactor.open(), call: redactor.open() })
      let shown = open()
      for await (const chunk of model.stream(maskedRequest(request, redactor), signal, meter)) {
        switch (chunk.type) {
          case 'end': {
            // The reply holds the words and the calls whole, and not what was thought.
            const thought = shown.reasoning.end()
            if (thought !== '') yield { type: 'reasoning', text: thought }
            yield redactor.json<ModelChunk>(chunk)
            return
          }
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

/** A picture goes as it is: a value is no text in it, and a mark in the middle would only break it. */
function maskedRequest(request: ModelRequest, redactor: Redactor): ModelRequest {
  const bare = request.messages.map((message) => {
    if (message.role !== 'user' || message.images === undefined) return message
    const { images: _, ...rest } = message
    return rest
  })
  const masked = redactor.json({ ...request, messages: bare })
  return {
    ...masked,
    messages: masked.messages.map((message, place) => {
      const from = request.messages[place]
      const images = from?.role === 'user' ? from.images : undefined
      return message.role === 'user' && images ? { ...message, images } : message
    }),
  }
}
