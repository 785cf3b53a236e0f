/** Owns the operator's own arguments for a call that waits: what was typed becomes arguments, and what changed is shown. Pure. */
import type { ApprovalDetail } from '@countersign/contract'
import type { Paint } from '../output/colour.ts'
import { indent } from '../output/columns.ts'
import { line, lines } from '../output/safe-text.ts'

export type CallArguments = Readonly<Record<string, unknown>>

export type ArgumentsResult =
  | { readonly kind: 'args'; readonly before: CallArguments; readonly after: CallArguments }
  | { readonly kind: 'problem'; readonly problem: string }

/** Each is `name=value`; a value is read as what the tool says that the argument is. */
export function withSettings(
  detail: Pick<ApprovalDetail, 'args' | 'schema'>,
  settings: readonly string[],
): ArgumentsResult {
  const before = objectIn(detail.args)
  if (before === undefined)
    return problem('The arguments of this call have no names. Give all of them with --args.')
  const after: Record<string, unknown> = { ...before }
  for (const setting of settings) {
    const at = setting.indexOf('=')
    if (at < 1) return problem(`${line(setting)} is not name=value.`)
    const name = setting.slice(0, at)
    const text = setting.slice(at + 1)
    const kind = kindOf(detail.schema, name, before)
    if (kind === undefined) return problem(unknownName(detail.schema, name))
    const value = valueOf(kind, text)
    if (value === undefined) return problem(`${line(name)} is ${kindWords[kind]}, but ${line(text)} is not.`)
    after[name] = value
  }
  return { kind: 'args', before, after }
}

/** All arguments at once. */
export function withArguments(detail: Pick<ApprovalDetail, 'args'>, text: string): ArgumentsResult {
  const after = objectIn(text)
  if (after === undefined) return problem('--args is not a JSON object.')
  return { kind: 'args', before: objectIn(detail.args) ?? {}, after }
}

/** Empty where nothing was changed. */
export function changesText(before: CallArguments, after: CallArguments, paint: Paint): string {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  return names
    .filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
    .flatMap((name) => [
      ...(name in before ? [paint('bad', valueLine('-', name, before[name]))] : []),
      ...(name in after ? [paint('strong', valueLine('+', name, after[name]))] : []),
    ])
    .join('\n')
}

type Kind = 'text' | 'number' | 'flag' | 'json'

const kindWords: Readonly<Record<Kind, string>> = {
  text: 'a text',
  number: 'a number',
  flag: 'true or false',
  json: 'JSON',
}

/** Undefined where the tool has no such argument. */
function kindOf(schema: CallArguments, name: string, before: CallArguments): Kind | undefined {
  const properties = recordOf(schema['properties'])
  const property = recordOf(properties?.[name])
  if (property === undefined && !(name in before) && properties !== undefined) return undefined
  const type = property?.['type'] ?? (name in before ? typeof before[name] : 'string')
  if (type === 'string' || Array.isArray(property?.['enum'])) return 'text'
  if (type === 'number' || type === 'integer') return 'number'
  return type === 'boolean' ? 'flag' : 'json'
}

function valueOf(kind: Kind, text: string): unknown {
  switch (kind) {
    case 'text':
      return text
    case 'number': {
      const number = text.trim() === '' ? Number.NaN : Number(text)
      return Number.isFinite(number) ? number : undefined
    }
    case 'flag':
      return text === 'true' ? true : text === 'false' ? false : undefined
    case 'json':
      return jsonIn(text)
  }
}

function unknownName(schema: CallArguments, name: string): string {
  const names = Object.keys(recordOf(schema['properties']) ?? {})
  return `The tool takes no ${line(name)}. It takes: ${names.map(line).join(', ')}.`
}

/** A text of several lines goes below its name, marked, so that it cannot pass for another argument. */
function valueLine(sign: '-' | '+', name: string, value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.includes('\n')
    ? `${sign} ${line(name)}:\n${indent(lines(text), `${sign}   │ `)}`
    : `${sign} ${line(name)}: ${line(text)}`
}

function objectIn(text: string): CallArguments | undefined {
  return recordOf(jsonIn(text))
}

function recordOf(value: unknown): CallArguments | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as CallArguments)
    : undefined
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

function problem(words: string): ArgumentsResult {
  return { kind: 'problem', problem: words }
}
