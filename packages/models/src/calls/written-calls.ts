/**
 * Owns the calls of one reply while they are written. Keeps arguments exactly as they were streamed. A call that cannot
 * be taken is delivered with words that tell the model why, so that one bad call does not cost the whole reply.
 */
import type { RawCall } from '@countersign/agent'
import { replyLimits } from './limits.ts'
import { hasHostileName, safeName } from './name.ts'
import type { Wire } from './wire.ts'

export interface WrittenCalls {
  begin(id: string, name: string): void
  /** False when no call has this id. */
  append(id: string, piece: string): boolean
  /** The SDK's own account of a finished call. */
  complete(id: string, name: string, input: string): void
  /** How the call is named to people, and whether its pieces are still worth showing. */
  shown(id: string): { readonly tool: string; readonly isKept: boolean } | undefined
  readonly count: number
  delivered(wire: Wire): DeliveredCalls
}

export type DeliveredCalls =
  | { readonly kind: 'calls'; readonly calls: readonly RawCall[] }
  /** One of them never ended. */
  | { readonly kind: 'cut' }
  /** The SDK delivered another call than the one that was streamed. */
  | { readonly kind: 'contradicted' }

interface CallBeingWritten {
  readonly id: string
  readonly name: string
  args: string
  bytes: number
  isComplete: boolean
  sharesId: boolean
  isContradicted: boolean
  /** What the provider wrote is not what the SDK delivered. */
  isGarbled: boolean
}

export function writeCalls(): WrittenCalls {
  const calls: CallBeingWritten[] = []
  const byId = new Map<string, CallBeingWritten[]>()

  function begin(id: string, name: string): CallBeingWritten {
    const before = byId.get(id) ?? []
    const call: CallBeingWritten = {
      id,
      name,
      args: '',
      bytes: 0,
      isComplete: false,
      sharesId: before.length > 0 && id !== '',
      isContradicted: false,
      isGarbled: false,
    }
    if (call.sharesId) for (const other of before) other.sharesId = true
    calls.push(call)
    byId.set(id, [...before, call])
    return call
  }

  const latest = (id: string) => byId.get(id)?.at(-1)

  function add(call: CallBeingWritten, piece: string): void {
    call.bytes += Buffer.byteLength(piece)
    if (calls.indexOf(call) >= replyLimits.calls) return
    if (call.bytes <= replyLimits.argumentBytes) call.args += piece
    else if (call.args.length < replyLimits.shownArguments)
      call.args += piece.slice(0, replyLimits.shownArguments)
  }

  function complete(id: string, name: string, input: string): void {
    let call = byId.get(id)?.find((one) => !one.isComplete)
    if (!call) {
      // Providers that do not stream arguments deliver a call in one piece.
      call = begin(id, name)
      add(call, input)
    }
    call.isComplete = true
    if (call.sharesId || isBeyondLimits(call)) return
    if (call.args === '' && input === '{}') call.args = input
    call.isContradicted = call.name !== name || (call.args !== input && !isRewrittenFrom(input, call.args))
  }

  const isBeyondLimits = (call: CallBeingWritten) =>
    call.bytes > replyLimits.argumentBytes || calls.indexOf(call) >= replyLimits.calls

  /** The SDK gives an id of its own to a second call with the same one, or leaves the call out. */
  function markSharedIds(wire: Wire): void {
    const twins = wire.written.filter((one) =>
      wire.written.some((other) => other !== one && other.id === one.id),
    )
    const invented = calls.filter((call) => call.id !== '' && !wire.begun.has(call.id))
    const isShared = (id: string) => twins.some((twin) => twin.id === id)
    if (wire.ended !== undefined && invented.length > wire.anonymous) {
      for (const call of calls)
        if (invented.includes(call) || (wire.begun.get(call.id) ?? 0) > 1) call.sharesId = true
    }
    for (const call of calls) if (isShared(call.id)) call.sharesId = true
    const missing = twins.length - calls.filter((call) => call.sharesId).length
    for (const twin of missing > 0 ? twins.slice(-missing) : []) {
      const call = begin(twin.id, twin.name)
      add(call, twin.args)
      call.sharesId = true
      call.isComplete = true
    }
  }

  /** The SDK may replace arguments that it cannot parse, or drop the call. */
  function compareWith(wire: Wire): void {
    for (const { id, name, args } of wire.written) {
      const call = latest(id) ?? begin(id, name)
      if (call.sharesId || isBeyondLimits(call)) continue
      call.isContradicted &&= call.args !== args || call.name !== name
      if (call.isComplete && (call.args === args || (args.trim() === '' && call.args === '{}'))) continue
      call.args = args
      call.isGarbled = isObjectLike(args)
      call.isComplete = true
    }
  }

  function delivered(wire: Wire): DeliveredCalls {
    markSharedIds(wire)
    compareWith(wire)
    if (calls.some((call) => !call.isComplete)) return { kind: 'cut' }
    if (calls.some((call) => call.isContradicted)) return { kind: 'contradicted' }
    const ids = new Set<string>()
    const whole = calls.map((call, index): RawCall => {
      const problem = problemOf(call, index)
      const isGiven = wire.ended === undefined || wire.begun.has(call.id)
      return {
        id: unused(isGiven && isPlainId(call.id) ? call.id : `call_${index + 1}`, ids),
        name: hasHostileName(call) ? safeName(call.name) : call.name,
        args: shownArguments(call, index),
        ...(problem === undefined ? {} : { problem }),
      }
    })
    return { kind: 'calls', calls: whole }
  }

  return {
    begin: (id, name) => void begin(id, name),
    append(id, piece) {
      const call = byId.get(id)?.find((one) => !one.isComplete) ?? latest(id)
      if (call) add(call, piece)
      return call !== undefined
    },
    complete,
    shown(id) {
      const call = latest(id)
      return call && { tool: safeName(call.name), isKept: !isBeyondLimits(call) }
    },
    get count() {
      return calls.length
    },
    delivered,
  }
}

function problemOf(call: CallBeingWritten, index: number): string | undefined {
  if (index >= replyLimits.calls) {
    return `Too many calls at once: only the first ${replyLimits.calls} were taken, and this is number ${index + 1}. Make it again in the next turn.`
  }
  if (call.name.trim() === '') return 'The call has no name. Name one of the tools that you were given.'
  if (hasHostileName(call))
    return 'The name of the call is not one that a tool can have. Use the name of a tool that you were given.'
  if (call.sharesId)
    return 'Two calls of the reply had the same id, so neither was run. Make each of them again.'
  if (call.bytes > replyLimits.argumentBytes) {
    return `The arguments have ${call.bytes} bytes and the limit is ${replyLimits.argumentBytes}. Make the call with less, in several calls if need be.`
  }
  if (call.isGarbled) return 'The arguments of the call did not arrive as they were written. Make it again.'
  return undefined
}

function shownArguments(call: CallBeingWritten, index: number): string {
  if (index >= replyLimits.calls) return '{}'
  return call.bytes > replyLimits.argumentBytes ? call.args.slice(0, replyLimits.shownArguments) : call.args
}

/** Deterministic, so that the same reply has the same ids whenever it is read. */
function unused(id: string, ids: Set<string>): string {
  let candidate = id
  for (let number = 2; ids.has(candidate); number += 1) candidate = `${id}-${number}`
  ids.add(candidate)
  return candidate
}

function isPlainId(id: string): boolean {
  return /^[\x21-\x7e]{1,200}$/.test(id)
}

/** Some SDKs parse the arguments and write them anew; what was streamed is then still what counts. */
function isRewrittenFrom(input: string, args: string): boolean {
  const value = parsed(args.trim() === '' ? '{}' : args)
  return value !== undefined && JSON.stringify(value) === input
}

function isObjectLike(args: string): boolean {
  const value = parsed(args)
  return typeof value === 'object' && value !== null
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
