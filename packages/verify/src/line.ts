/** Reads one line of an export. Refuses bytes, fields and spellings that the format does not have. */
import { isUtf8 } from 'node:buffer'
import { canonicalText } from './canonical.ts'
import { type FailureCode, quoted } from './failure.ts'
import { type Hash, leafOf } from './merkle.ts'

export interface LedgerEntry {
  readonly seq: number
  readonly type: string
  readonly call?: string
  readonly approval?: string
  readonly data: Readonly<Record<string, unknown>>
}

export type ExportLine =
  | { readonly kind: 'header'; readonly key: string; readonly origin: string }
  | { readonly kind: 'entry'; readonly entry: LedgerEntry; readonly leaf: Hash }
  | { readonly kind: 'checkpoint'; readonly note: string }
  | { readonly kind: 'refused'; readonly code: FailureCode; readonly what: string }

/** Longer lines are refused unread, so that a file without line ends cannot fill the memory. */
export const longestLine = 16 * 1024 * 1024

export function readLine(source: string | Uint8Array): ExportLine {
  if (typeof source === 'string' && !source.isWellFormed())
    return refusedLine('line-form', 'it is not valid text')
  const bytes = typeof source === 'string' ? Buffer.from(source) : source
  if (bytes.length === 0) return refusedLine('line-form', 'it is empty')
  if (bytes.length > longestLine) return refusedLine('line-form', `it is longer than ${longestLine} bytes`)
  if (!isUtf8(bytes)) return refusedLine('line-form', 'it is not UTF-8 text')
  const text =
    typeof source === 'string'
      ? source
      : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8')

  const value = parsed(text)
  if (!isObject(value)) return refusedLine('line-form', 'it is not a JSON object')
  if (canonicalText(value) !== text) {
    return refusedLine('line-not-canonical', 'its text is not the canonical JSON form (RFC 8785)')
  }
  if ('format' in value) return headerOf(value)
  if ('checkpoint' in value) return checkpointOf(value)
  return entryOf(value, bytes)
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const required = ['v', 'seq', 'at', 'boot', 'type', 'operator', 'actor', 'data']
const optional = ['session', 'run', 'call', 'approval']
const actorKinds: readonly unknown[] = ['operator', 'agent', 'gateway', 'executor']
const instant = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/

function headerOf(value: Record<string, unknown>): ExportLine {
  const { format, key, origin, ...more } = value
  if (format !== 'countersign-ledger/1') {
    return refusedLine('line-fields', `the format is ${quoted(format)}, not "countersign-ledger/1"`)
  }
  if (!isText(key) || !isText(origin) || Object.keys(more).length > 0) {
    return refusedLine('line-fields', 'a header has format, key and origin, and nothing else')
  }
  return { kind: 'header', key, origin }
}

function checkpointOf(value: Record<string, unknown>): ExportLine {
  const { checkpoint, ...more } = value
  if (!isText(checkpoint) || Object.keys(more).length > 0) {
    return refusedLine('line-fields', 'a checkpoint line has the field checkpoint, and nothing else')
  }
  return { kind: 'checkpoint', note: checkpoint }
}

function entryOf(value: Record<string, unknown>, bytes: Uint8Array): ExportLine {
  const wrong = wrongField(value)
  if (wrong !== undefined) return refusedLine('line-fields', `as an entry, ${wrong}`)
  return { kind: 'entry', entry: value as unknown as LedgerEntry, leaf: leafOf(bytes) }
}

function wrongField(value: Record<string, unknown>): string | undefined {
  const missing = required.find((name) => !(name in value))
  if (missing !== undefined) return `it lacks the field ${missing}`
  for (const name of Object.keys(value)) {
    if (optional.includes(name)) {
      if (!isText(value[name])) return `its field ${name} is not a text`
    } else if (!required.includes(name)) {
      return `it has the unknown field ${quoted(name)}`
    }
  }
  const { v, seq, at, boot, type, operator, actor, data } = value
  if (v !== 1) return `its version v is ${quoted(v)}, not 1`
  if (!Number.isSafeInteger(seq)) return 'its number seq is not a whole number'
  if (!isText(at) || !instant.test(at) || Number.isNaN(Date.parse(at))) {
    return 'its time at is not an ISO time in UTC with milliseconds'
  }
  if (!isText(boot) || !isText(type) || !isText(operator)) return 'boot, type or operator is not a text'
  if (!isObject(actor) || Object.keys(actor).length !== 2) return 'its actor is not a kind and an id'
  if (!actorKinds.includes(actor['kind']) || !isText(actor['id'])) return 'its actor is of an unknown kind'
  if (!isObject(data)) return 'its data is not an object'
  return undefined
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function refusedLine(code: FailureCode, what: string): ExportLine {
  return { kind: 'refused', code, what }
}
