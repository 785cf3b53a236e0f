/** Collects the parts of one streamed reply. Gives calls only from a reply that is whole, with arguments exactly as they were streamed. */

import type { ModelFailure, ModelReply, ModelUsage } from '@countersign/agent'
import type { ProviderPart } from '../providers/provider-model.ts'
import { truncated } from './failure.ts'
import { replyLimits } from './limits.ts'
import { usageOf } from './usage.ts'
import { openWire, usageIn } from './wire.ts'
import { writeCalls } from './written-calls.ts'

export type ReplyPiece =
  | { readonly kind: 'text' | 'reasoning'; readonly text: string }
  | { readonly kind: 'call'; readonly tool: string; readonly text: string }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'error'; readonly error: unknown }
  | { readonly kind: 'refused'; readonly failure: ModelFailure }

export type CollectedReply =
  | { readonly kind: 'whole'; readonly reply: ModelReply }
  | { readonly kind: 'broken'; readonly failure: ModelFailure }

export interface ReplyCollector {
  accept(part: ProviderPart): ReplyPiece
  /** Called once, after the stream ended without an error. */
  finish(): CollectedReply
}

/** Told whenever the provider says what it used so far. */
export type UsageListener = (usage: Partial<ModelUsage>) => void

type FinishPart = Extract<ProviderPart, { type: 'finish' }>

const NOTHING: ReplyPiece = { kind: 'nothing' }

export function collectReply(
  configuredModel: string,
  heard: UsageListener = () => undefined,
): ReplyCollector {
  const calls = writeCalls()
  const wire = openWire()
  let text = ''
  let model = configuredModel
  let ending: FinishPart | undefined

  function accept(part: ProviderPart): ReplyPiece {
    switch (part.type) {
      case 'text-delta':
        return acceptText(part.delta)
      case 'reasoning-delta':
        return part.delta === '' ? NOTHING : { kind: 'reasoning', text: part.delta }
      case 'tool-input-start':
        if (ending) return refusedPiece('went on after its end')
        if (part.providerExecuted) return refusedPiece('ran a tool of its own')
        if (calls.count >= replyLimits.namedCalls) return tooManyCalls()
        calls.begin(part.id, part.toolName)
        return shownCall(part.id, '')
      case 'tool-input-delta':
        if (!calls.append(part.id, part.delta)) return refusedPiece('sent arguments of no call')
        return part.delta === '' ? NOTHING : shownCall(part.id, part.delta)
      case 'tool-call':
        if (part.providerExecuted) return refusedPiece('ran a tool of its own')
        if (calls.count >= replyLimits.namedCalls) return tooManyCalls()
        calls.complete(part.toolCallId, part.toolName, part.input)
        return NOTHING
      case 'tool-result':
      case 'tool-approval-request':
        return refusedPiece('ran a tool of its own')
      case 'raw':
        return acceptRaw(part.rawValue)
      case 'response-metadata':
        if (part.modelId) model = part.modelId
        return NOTHING
      case 'error':
        return isMissingFinish(part.error)
          ? { kind: 'refused', failure: endedEarly() }
          : { kind: 'error', error: part.error }
      case 'finish':
        if (ending) return refusedPiece('ended twice')
        ending = part
        heard(usageOf(part.usage))
        return NOTHING
      default:
        return NOTHING
    }
  }

  function acceptText(delta: string): ReplyPiece {
    if (ending) return refusedPiece('went on after its end')
    if (text.length + delta.length > replyLimits.textLength) {
      const message = `The reply is longer than ${replyLimits.textLength} characters. Ask for less at once.`
      return { kind: 'refused', failure: { kind: 'invalid', message } }
    }
    text += delta
    return delta === '' ? NOTHING : { kind: 'text', text: delta }
  }

  function acceptRaw(event: unknown): ReplyPiece {
    const usage = usageIn(event)
    if (usage) heard(usage)
    const fault = wire.read(event)
    if (!fault) return NOTHING
    return fault.kind === 'error' ? { kind: 'error', error: fault.error } : refusedPiece(fault.misdeed)
  }

  function shownCall(id: string, piece: string): ReplyPiece {
    const shown = calls.shown(id)
    return shown?.isKept ? { kind: 'call', tool: shown.tool, text: piece } : NOTHING
  }

  function finish(): CollectedReply {
    const reason = ending?.finishReason
    // Some SDKs make up a reason when there was none, so what the provider said decides.
    const isOver = wire.ended ?? reason?.raw !== undefined
    if (!ending || !reason || !isOver || reason.unified === 'interrupted') return broken(endedEarly())
    if (reason.unified === 'error')
      return broken(truncated(`The provider aborted the reply (${reason.raw ?? 'error'}).`))
    const delivered = calls.delivered(wire)
    if (delivered.kind === 'contradicted') return broken(providerFault('contradicted a call'))
    const mayBeCut = reason.unified !== 'stop' && reason.unified !== 'tool-calls'
    const isCut =
      delivered.kind === 'cut' ||
      (mayBeCut && !delivered.calls.every((call) => call.problem !== undefined || isClosedObject(call.args)))
    if (isCut) return broken(truncated(`The reply ended inside a tool call (${reason.unified}).`))
    return {
      kind: 'whole',
      reply: {
        text,
        calls: delivered.calls,
        finish: finishOf(reason.unified, delivered.calls.length > 0),
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

function broken(failure: ModelFailure): CollectedReply {
  return { kind: 'broken', failure }
}

function refusedPiece(misdeed: string): ReplyPiece {
  return { kind: 'refused', failure: providerFault(misdeed) }
}

function providerFault(misdeed: string): ModelFailure {
  return { kind: 'unknown', message: `The model provider ${misdeed}.` }
}

function tooManyCalls(): ReplyPiece {
  const message = `The reply holds more than ${replyLimits.namedCalls} calls.`
  return { kind: 'refused', failure: { kind: 'invalid', message } }
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
