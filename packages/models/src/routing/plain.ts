/** Owns what a model is sent that has no tools: the same conversation, with earlier calls and results told in words. */
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
