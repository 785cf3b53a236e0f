/** Reads the conversation of a request that is written as Chat Completions writes it. */

import type { ScriptMessage, ScriptTool } from './script.ts'
import { asList, asObject, asText, callNameOf, imagesOf, type JsonObject, textOf } from './wire.ts'

export interface ChatMessages {
  readonly system: string
  readonly messages: readonly ScriptMessage[]
  readonly tools: readonly ScriptTool[]
}

export function chatMessagesOf(body: JsonObject): ChatMessages {
  const messages: ScriptMessage[] = []
  const system: string[] = []
  for (const raw of asList(body['messages'])) {
    const message = asObject(raw)
    const text = textOf(message['content'])
    switch (message['role']) {
      case 'system':
      case 'developer':
        system.push(text)
        break
      case 'user':
        messages.push({ role: 'user', text, images: imagesOf(message['content']), calls: [], results: [] })
        break
      case 'assistant':
        messages.push({
          role: 'assistant',
          text,
          images: [],
          calls: asList(message['tool_calls']).map((value) => {
            const call = asObject(value)
            const named = asObject(call['function'])
            return { id: asText(call['id']), name: asText(named['name']), args: asText(named['arguments']) }
          }),
          results: [],
        })
        break
      case 'tool': {
        const callId = asText(message['tool_call_id'])
        const result = { callId, name: callNameOf(messages, callId), text, isError: false }
        messages.push({ role: 'tool', text, images: [], calls: [], results: [result] })
        break
      }
    }
  }
  return { system: system.join('\n'), messages, tools: asList(body['tools']).map(toolOf) }
}

function toolOf(value: unknown): ScriptTool {
  const named = asObject(asObject(value)['function'])
  return {
    name: asText(named['name']),
    description: asText(named['description']),
    schema: named['parameters'],
  }
}
