/**
 * Reads the events of all protocols as they came, beside the SDK: whether the reply ended, which ids the provider gave,
 * errors and usage. The SDKs make up ids, finish reasons and arguments where they miss some; these are told apart here.
 */
import type { ModelUsage } from '@countersign/agent'
import { replyLimits } from './limits.ts'
import { tokensOf } from './usage.ts'

export interface Wire {
  /** What is wrong with the event, if anything is. */
  read(event: unknown): WireFault | undefined
  /** Whether the provider said that the reply is over; undefined where the protocol is not known. */
  readonly ended: boolean | undefined
  /** How often each id began a call. */
  readonly begun: ReadonlyMap<string, number>
  /** Calls that began without an id. */
  readonly anonymous: number
  /** Calls of chat completions as they were written, whatever the SDK made of them. */
  readonly written: readonly WrittenCall[]
}

export interface WrittenCall {
  readonly id: string
  readonly name: string
  readonly args: string
}

export type WireFault =
  | { readonly kind: 'error'; readonly error: Fields }
  | { readonly kind: 'misbehaviour'; readonly misdeed: string }

type Fields = Readonly<Record<string, unknown>>

export function openWire(): Wire {
  const begun = new Map<string, number>()
  const written: { readonly id: string; readonly name: string; args: string }[] = []
  const writtenAt = new Map<number, (typeof written)[number]>()
  /** Blocks that have begun and not ended; the SDKs drop what is written to any other. */
  const open = new Set<unknown>()
  let anonymous = 0
  let ended: boolean | undefined

  function begin(id: unknown): void {
    if (typeof id === 'string' && id.trim() !== '') begun.set(id, (begun.get(id) ?? 0) + 1)
    else anonymous += 1
  }

  function end(isOver: boolean): void {
    ended = isOver || ended === true
  }

  function readChat(choices: readonly unknown[]): WireFault | undefined {
    const choice = fieldsOf(choices[0])
    const delta = fieldsOf(choice['delta'])
    const calls = listOf(delta['tool_calls']).map(fieldsOf)
    if (ended === true && (calls.length > 0 || isText(delta['content'])))
      return { kind: 'misbehaviour', misdeed: 'went on after its end' }
    for (const call of calls) readChatCall(call)
    end(isText(choice['finish_reason']))
    return undefined
  }

  function readChatCall({ index, id, function: named }: Fields): void {
    const { name, arguments: piece } = fieldsOf(named)
    if (isText(name)) begin(id)
    if (typeof index !== 'number') return
    let call = writtenAt.get(index)
    // Some providers count every call as the first.
    if (isText(id) && isText(name) && call?.id !== id) {
      call = { id, name, args: '' }
      written.push(call)
      writtenAt.set(index, call)
    }
    if (call && typeof piece === 'string' && call.args.length <= replyLimits.argumentBytes) call.args += piece
  }

  function readTyped(event: Fields): WireFault | undefined {
    switch (event['type']) {
      case 'message_start':
        end(false)
        return listOf(fieldsOf(event['message'])['content']).length > 0 ? outsideStream : undefined
      case 'content_block_start': {
        const block = fieldsOf(event['content_block'])
        // Whole arguments would be parsed before the strict parser sees them.
        if (Object.keys(fieldsOf(block['input'])).length > 0) return outsideStream
        if (block['type'] === 'tool_use') begin(block['id'])
        open.add(event['index'])
        return undefined
      }
      case 'content_block_delta':
        return isText(fieldsOf(event['delta'])['partial_json']) && !open.has(event['index'])
          ? ofNoCall
          : undefined
      case 'content_block_stop':
        open.delete(event['index'])
        return undefined
      case 'message_delta':
        end(isText(fieldsOf(event['delta'])['stop_reason']))
        return undefined
      case 'response.created':
        end(false)
        return undefined
      case 'response.output_item.added':
      case 'response.output_item.done': {
        const item = fieldsOf(event['item'])
        const isNew = event['type'] === 'response.output_item.added' || !begun.has(String(item['call_id']))
        if (item['type'] === 'function_call' && isNew) begin(item['call_id'])
        return undefined
      }
      case 'response.completed':
      case 'response.incomplete':
        end(true)
        return undefined
      case 'message-start':
        end(false)
        return undefined
      case 'tool-call-start':
        begin(fieldsOf(fieldsOf(fieldsOf(event['delta'])['message'])['tool_calls'])['id'])
        open.clear()
        open.add(event['index'])
        return undefined
      case 'tool-call-delta':
        return open.has(event['index']) ? undefined : ofNoCall
      case 'tool-call-end':
        open.delete(event['index'])
        return undefined
      case 'message-end':
        end(isText(fieldsOf(event['delta'])['finish_reason']))
        return undefined
      default:
        return undefined
    }
  }

  function readGoogle(event: Fields): void {
    const candidate = fieldsOf(listOf(event['candidates'])[0])
    for (const part of listOf(fieldsOf(candidate['content'])['parts'])) {
      const call = fieldsOf(part)['functionCall']
      if (call !== undefined && isText(fieldsOf(call)['name'])) begin(fieldsOf(call)['id'])
    }
    end(isText(candidate['finishReason']) || isText(fieldsOf(event['promptFeedback'])['blockReason']))
  }

  /** Each event under its own name. */
  function readConverse(event: Fields): void {
    const { toolUse } = fieldsOf(fieldsOf(event['contentBlockStart'])['start'])
    if (toolUse !== undefined) begin(fieldsOf(toolUse)['toolUseId'])
    if ('messageStart' in event) end(false)
    if ('messageStop' in event) end(isText(fieldsOf(event['messageStop'])['stopReason']))
  }

  function read(value: unknown): WireFault | undefined {
    const event = fieldsOf(value)
    const error = errorIn(event)
    if (error) return { kind: 'error', error }
    if (typeof event['type'] === 'string') return readTyped(event)
    if (Array.isArray(event['choices'])) return readChat(event['choices'])
    if ('messageStart' in event || 'messageStop' in event || 'contentBlockStart' in event) readConverse(event)
    else if (Array.isArray(event['candidates']) || 'promptFeedback' in event) readGoogle(event)
    else if (typeof event['done'] === 'boolean') {
      for (const call of listOf(fieldsOf(event['message'])['tool_calls'])) begin(fieldsOf(call)['id'])
      end(event['done'])
    }
    return undefined
  }

  return {
    read,
    get ended() {
      return ended
    },
    begun,
    get anonymous() {
      return anonymous
    },
    written,
  }
}

/** What an event says of usage so far. A stream that breaks afterwards was not free. */
export function usageIn(value: unknown): Partial<ModelUsage> | undefined {
  const event = fieldsOf(value)
  const message = fieldsOf(event['message'])
  const anthropic = fieldsOf(event['type'] === 'message_start' ? message['usage'] : undefined)
  if ('input_tokens' in anthropic) {
    const cached = tokensOf(anthropic['cache_read_input_tokens'])
    const written = tokensOf(anthropic['cache_creation_input_tokens'])
    return {
      input: tokensOf(tokensOf(anthropic['input_tokens']) + cached + written),
      cached,
      ...(written > 0 ? { written } : {}),
      output: tokensOf(anthropic['output_tokens']),
    }
  }
  if (event['type'] === 'message_delta' && 'output_tokens' in fieldsOf(event['usage']))
    return { output: tokensOf(fieldsOf(event['usage'])['output_tokens']) }
  const chat = fieldsOf(event['usage'])
  if (Array.isArray(event['choices']) && 'prompt_tokens' in chat) {
    return {
      input: tokensOf(chat['prompt_tokens']),
      output: tokensOf(chat['completion_tokens']),
      cached: tokensOf(fieldsOf(chat['prompt_tokens_details'])['cached_tokens']),
    }
  }
  const google = fieldsOf(event['usageMetadata'])
  if ('promptTokenCount' in google) {
    const reasoning = tokensOf(google['thoughtsTokenCount'])
    return {
      input: tokensOf(google['promptTokenCount']),
      output: tokensOf(tokensOf(google['candidatesTokenCount']) + reasoning),
      cached: tokensOf(google['cachedContentTokenCount']),
      reasoning,
    }
  }
  const converse = fieldsOf(fieldsOf(event['metadata'])['usage'])
  if ('inputTokens' in converse) {
    const cached = tokensOf(converse['cacheReadInputTokens'])
    const written = tokensOf(converse['cacheWriteInputTokens'])
    return {
      input: tokensOf(tokensOf(converse['inputTokens']) + cached + written),
      cached,
      ...(written > 0 ? { written } : {}),
      output: tokensOf(converse['outputTokens']),
    }
  }
  return undefined
}

const ofNoCall: WireFault = { kind: 'misbehaviour', misdeed: 'sent arguments of no call' }
const outsideStream: WireFault = { kind: 'misbehaviour', misdeed: 'sent arguments outside the stream' }

/** Every protocol has its own way to say that something went wrong halfway. */
function errorIn(event: Fields): Fields | undefined {
  const { error } = event
  if (typeof error === 'string' && error !== '') return { ...event, message: error }
  if (typeof error === 'object' && error !== null) return fieldsOf(error)
  if (event['type'] === 'error' || event['object'] === 'error') return event
  if (event['type'] === 'response.failed') return fieldsOf(fieldsOf(event['response'])['error'])
  return undefined
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== ''
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}
}
