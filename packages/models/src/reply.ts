/** Collects the parts of one streamed reply. Gives calls only from a reply that is whole, with arguments exactly as they were streamed. */

import type { ModelFailure, ModelReply, ModelUsage, RawCall } from '@countersign/agent'
import { truncated } from './failure.ts'
import type { ProviderPart } from './provider.ts'

export type Accepted =
  | { readonly kind: 'text' | 'reasoning'; readonly text: string }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'error'; readonly error: unknown }
  | { readonly kind: 'refused'; readonly failure: ModelFailure }

export type Collected =
  | { readonly kind: 'whole'; readonly reply: ModelReply }
  | { readonly kind: 'broken'; readonly failure: ModelFailure }

export interface ReplyCollector {
  accept(part: ProviderPart): Accepted
  /** Called once, after the stream ended without an error. */
  finish(): Collected
}

type FinishPart = Extract<ProviderPart, { type: 'finish' }>

const NOTHING: Accepted = { kind: 'nothing' }

export function collectReply(configuredModel: string): ReplyCollector {
  const open = new Map<string, { readonly name: string; args: string }>()
  const calls = new Map<string, RawCall>()
  let text = ''
  let model = configuredModel
  let ending: FinishPart | undefined

  function accept(part: ProviderPart): Accepted {
    switch (part.type) {
      case 'text-delta':
        if (ending) return refused('went on after its end')
        text += part.delta
        return part.delta === '' ? NOTHING : { kind: 'text', text: part.delta }
      case 'reasoning-delta':
        return part.delta === '' ? NOTHING : { kind: 'reasoning', text: part.delta }
      case 'tool-input-start':
        if (ending) return refused('went on after its end')
        if (part.providerExecuted) return refused('ran a tool of its own')
        if (open.has(part.id) || calls.has(part.id)) return refused('gave two calls the same id')
        open.set(part.id, { name: part.toolName, args: '' })
        return NOTHING
      case 'tool-input-delta': {
        const call = open.get(part.id)
        if (!call) return refused('sent arguments of no call')
        call.args += part.delta
        return NOTHING
      }
      case 'tool-call': {
        const call = open.get(part.toolCallId)
        if (!call || part.providerExecuted) return refused('ran a tool of its own')
        // The Anthropic SDK writes `{}` for a call whose streamed arguments are empty.
        const args = call.args === '' && part.input === '{}' ? part.input : call.args
        if (args !== part.input || call.name !== part.toolName) return refused('contradicted a call')
        open.delete(part.toolCallId)
        calls.set(part.toolCallId, { id: part.toolCallId, name: call.name, args })
        return NOTHING
      }
      case 'tool-result':
      case 'tool-approval-request':
        return refused('ran a tool of its own')
      case 'raw':
        return hasParsedArguments(part.rawValue) ? refused('sent arguments outside the stream') : NOTHING
      case 'response-metadata':
        if (part.modelId) model = part.modelId
        return NOTHING
      case 'error':
        return isMissingFinish(part.error)
          ? { kind: 'refused', failure: endedEarly() }
          : { kind: 'error', error: part.error }
      case 'finish':
        if (ending) return refused('ended twice')
        ending = part
        return NOTHING
      default:
        return NOTHING
    }
  }

  function finish(): Collected {
    const reason = ending?.finishReason
    if (!ending || !reason || reason.raw === undefined || reason.unified === 'interrupted') {
      return { kind: 'broken', failure: endedEarly() }
    }
    const delivered = [...calls.values()]
    const mayBeCut = reason.unified !== 'stop' && reason.unified !== 'tool-calls'
    if (open.size > 0 || (mayBeCut && !delivered.every((call) => isClosedObject(call.args)))) {
      return { kind: 'broken', failure: truncated(`The reply ended inside a tool call (${reason.unified}).`) }
    }
    return {
      kind: 'whole',
      reply: {
        text,
        calls: delivered,
        finish: finishOf(reason.unified, delivered.length > 0),
        usage: usageOf(ending.usage),
        model,
      },
    }
  }

  return { accept, finish }
}

/** Whether the text is one object that ends where its last brace closes; a cut object never is. */
export function isClosedObject(args: string): boolean {
  const trimmed = args.trim()
  if (!trimmed.startsWith('{')) return false
  let depth = 0
  let inString = false
  for (let index = 0; index < trimmed.length; index += 1) {
    const character = trimmed[index]
    if (inString) {
      if (character === '\\') index += 1
      else if (character === '"') inString = false
    } else if (character === '"') inString = true
    else if (character === '{' || character === '[') depth += 1
    else if (character === '}' || character === ']') {
      depth -= 1
      if (depth === 0) return index === trimmed.length - 1
    }
  }
  return false
}

function endedEarly(): ModelFailure {
  return truncated('The reply ended before the model finished it.')
}

function refused(deed: string): Accepted {
  return { kind: 'refused', failure: { kind: 'unknown', message: `The model provider ${deed}.` } }
}

/** Anthropic events can carry whole arguments, which are then parsed before the strict parser sees them. */
function hasParsedArguments(value: unknown): boolean {
  const event = value as {
    type?: unknown
    content_block?: { input?: unknown } | null
    message?: { content?: unknown } | null
  } | null
  if (event?.type === 'content_block_start') {
    const input = event.content_block?.input
    return typeof input === 'object' && input !== null && Object.keys(input).length > 0
  }
  if (event?.type !== 'message_start') return false
  const content = event.message?.content
  return Array.isArray(content) && content.length > 0
}

function isMissingFinish(error: unknown): boolean {
  return error instanceof Error && error.message === 'Response stream ended without a finish reason.'
}

function finishOf(unified: FinishPart['finishReason']['unified'], hasCalls: boolean): ModelReply['finish'] {
  if (unified === 'length') return 'length'
  if (unified === 'content-filter') return 'filtered'
  if (hasCalls) return 'calls'
  return unified === 'stop' ? 'stop' : 'other'
}

function usageOf(usage: FinishPart['usage']): ModelUsage {
  return {
    input: usage.inputTokens.total ?? 0,
    output: usage.outputTokens.total ?? 0,
    cached: usage.inputTokens.cacheRead ?? 0,
    reasoning: usage.outputTokens.reasoning ?? 0,
  }
}
