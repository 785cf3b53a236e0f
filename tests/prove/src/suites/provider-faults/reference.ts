/**
 * Reads a stream a second time, with none of the product's code and as tolerantly as possible: which calls its bytes
 * could possibly hold, and whether the provider said that it was done.
 */
import type { ProviderKind } from '@countersign/contract'

export interface ReferenceReading {
  readonly ended: boolean
  readonly names: ReadonlySet<string>
  /** Whether the bytes hold these arguments whole and in one piece. */
  holds(args: string): boolean
}

type Fields = Readonly<Record<string, unknown>>

export function readBytes(kind: ProviderKind, bytes: Buffer): ReferenceReading {
  const names = new Set<string>()
  const whole = new Set<string>()
  const slots = new Map<unknown, string>()
  let stream = ''
  let ended = false

  function piece(slot: unknown, text: unknown): void {
    if (typeof text !== 'string') return
    slots.set(slot, (slots.get(slot) ?? '') + text)
    stream += text
  }

  for (const event of eventsOf(kind, bytes)) {
    for (const name of deep(event, 'name')) if (typeof name === 'string') names.add(name)
    switch (kind) {
      case 'anthropic': {
        const delta = fieldsOf(event['delta'])
        piece(event['index'], delta['partial_json'])
        if (event['type'] === 'content_block_start') piece(event['index'], '')
        ended ||= event['type'] === 'message_delta' && typeof delta['stop_reason'] === 'string'
        break
      }
      case 'openai':
      case 'xai':
        if (event['type'] === 'response.function_call_arguments.delta')
          piece(event['output_index'], event['delta'])
        for (const args of deep(event, 'arguments')) if (typeof args === 'string') whole.add(args)
        ended ||= event['type'] === 'response.completed' || event['type'] === 'response.incomplete'
        break
      case 'google':
        for (const call of deep(event, 'functionCall'))
          whole.add(JSON.stringify(fieldsOf(call)['args'] ?? {}))
        ended ||= deep(event, 'finishReason').some((reason) => typeof reason === 'string')
        break
      case 'cohere':
        for (const args of deep(event, 'arguments')) piece(event['index'], args)
        ended ||= event['type'] === 'message-end'
        break
      case 'ollama':
        for (const args of deep(event, 'arguments')) whole.add(JSON.stringify(args))
        ended ||= event['done'] === true
        break
      default: {
        const choice = fieldsOf(listOf(event['choices'])[0])
        for (const call of listOf(fieldsOf(choice['delta'])['tool_calls']).map(fieldsOf))
          piece(call['index'], fieldsOf(call['function'])['arguments'])
        ended ||= typeof choice['finish_reason'] === 'string' && choice['finish_reason'] !== ''
      }
    }
  }
  const joined = [...slots.values(), stream]
  return {
    ended,
    names,
    holds: (args) =>
      whole.has(args) ||
      joined.some((text) => text.includes(args)) ||
      (args === '{}' && joined.some((text) => text.trim() === '')),
  }
}

function eventsOf(kind: ProviderKind, bytes: Buffer): Fields[] {
  const text = bytes.toString('utf8').replace(/^\ufeff/, '')
  const lines = text.split(/\r\n|\n|\r/)
  const texts: string[] = []
  if (kind === 'ollama') texts.push(...lines)
  else {
    let data: string[] = []
    for (const [at, line] of lines.entries()) {
      if (line === '' && at < lines.length - 1) {
        texts.push(data.join('\n'))
        data = []
      } else if (line === 'data' || line.startsWith('data:')) data.push(line.replace(/^data:? ?/, ''))
    }
  }
  return texts.map(parsed).filter((value) => Object.keys(value).length > 0)
}

function parsed(text: string): Fields {
  try {
    return fieldsOf(JSON.parse(text))
  } catch (error) {
    if (error instanceof SyntaxError) return {}
    throw error
  }
}

/** Values of every field of this name, at any depth. */
function deep(value: unknown, name: string): unknown[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, held]) => [
    ...(key === name ? [held] : []),
    ...deep(held, name),
  ])
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}
}
