/** Owns what a model is sent that has no tools or takes no pictures: the same conversation, with these told in words. */
import type { ModelMessage, ModelRequest } from '@countersign/agent'

export function withoutTools(request: ModelRequest): ModelRequest {
  const { toolChoice: _, ...rest } = request
  return { ...rest, tools: [], messages: request.messages.map(toolCallsAsText) }
}

function toolCallsAsText(message: ModelMessage): ModelMessage {
  switch (message.role) {
    case 'user':
      return message
    case 'assistant': {
      const called = message.calls.map(({ name, args }) => `[called ${name} with ${args}]`)
      return { role: 'assistant', text: [message.text, ...called].filter(Boolean).join('\n'), calls: [] }
    }
    case 'tool':
      return {
        role: 'user',
        text: message.results.map(({ name, text }) => `[result of ${name}]\n${text}`).join('\n'),
      }
  }
}

export function withoutPictures(request: ModelRequest): ModelRequest {
  return { ...request, messages: request.messages.map(picturesAsText) }
}

function picturesAsText(message: ModelMessage): ModelMessage {
  if (message.role !== 'user' || !message.images?.length) return message
  const { images, text } = message
  const count = images.length === 1 ? 'A picture is' : `${images.length} pictures are`
  const told = `[${count} attached here that you cannot see: you take no pictures. Say so where it matters.]`
  return { role: 'user', text: text === '' ? told : `${text}\n\n${told}` }
}
