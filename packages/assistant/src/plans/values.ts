/**
 * Owns what references stand for. Results are data: they are put in once and never read for references, and one that
 * would bring the handle of a secret into a call is refused.
 */
import {
  type JsonObject,
  type JsonValue,
  type PlanReference,
  planTextWithReferences,
  withPlanReferences,
} from '@countersign/contract'

/** What a step can see: the results beside it and around it, and the items of the loops that it is in. */
export interface ReferenceScope {
  /** Undefined where there is no result. */
  result(step: string): string | undefined
  loop(step: string): { readonly item: JsonValue; readonly number: number } | undefined
  /** Why there is no result, in words. */
  missing(step: string): string
}

export type FilledValue<T> =
  | { readonly kind: 'value'; readonly value: T }
  | { readonly kind: 'missing'; readonly reason: string }
  | { readonly kind: 'unsafe'; readonly reason: string }

/** The arguments of a call. */
export function filledArgs(args: JsonObject, references: ReferenceScope): FilledValue<JsonObject> {
  let missing: string | undefined
  const value = withPlanReferences(args, (reference) => {
    const found = valueOf(reference, references)
    if (found !== undefined) return found
    missing ??= missingWords(reference, references)
    return ''
  }) as JsonObject
  if (missing !== undefined) return { kind: 'missing', reason: missing }
  if (handles(value) > handles(args))
    return {
      kind: 'unsafe',
      reason: 'A result contains the handle of a secret. A handle must be written in the plan itself.',
    }
  return { kind: 'value', value }
}

/** A side of a comparison; undefined where something is missing. */
export function filledSide(side: JsonValue, references: ReferenceScope): JsonValue | undefined {
  let complete = true
  const value = withPlanReferences(side, (reference) => {
    const found = valueOf(reference, references)
    complete &&= found !== undefined
    return found ?? ''
  })
  return complete ? value : undefined
}

/** Words for a person or a model, who can be told that something is missing. */
export function filledText(
  text: string,
  references: ReferenceScope,
  put: (found: string) => string = (found) => found,
): string {
  return planTextWithReferences(text, (reference) => {
    const found = valueOf(reference, references)
    if (found === undefined) return `(nothing: ${missingWords(reference, references)})`
    return put(typeof found === 'string' ? found : JSON.stringify(found))
  })
}

export function valueOf(reference: PlanReference, references: ReferenceScope): JsonValue | undefined {
  const { step, part, path } = reference
  if (part === 'item' || part === 'number') {
    const loop = references.loop(step)
    if (!loop) return undefined
    return part === 'number' ? loop.number : along(loop.item, path)
  }
  const text = references.result(step)
  if (text === undefined) return undefined
  if (part === 'result') return text
  return along(part === 'lines' ? linesIn(text) : jsonIn(text), path)
}

function missingWords(reference: PlanReference, references: ReferenceScope): string {
  const { step, part, text } = reference
  if (part === 'item' || part === 'number' || references.result(step) !== undefined)
    return `${text} leads to nothing in the result of ${step}`
  return references.missing(step)
}

function along(value: JsonValue | undefined, path: readonly string[]): JsonValue | undefined {
  let at = value
  for (const name of path) {
    if (Array.isArray(at)) at = /^\d{1,6}$/.test(name) ? at[Number(name)] : undefined
    else if (at !== null && typeof at === 'object') at = Object.hasOwn(at, name) ? at[name] : undefined
    else return undefined
  }
  return at
}

/** The whole text as JSON, or else the lines of it that are: many tools tell of records so. */
function jsonIn(text: string): JsonValue | undefined {
  const whole = parsed(text)
  if (whole !== undefined) return whole
  const found = linesIn(text).flatMap((line) => (/^[[{]/.test(line) ? (parsed(line) ?? []) : []))
  return found.length === 0 ? undefined : found
}

function parsed(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue
  } catch {
    return undefined
  }
}

function linesIn(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

function handles(value: JsonValue): number {
  return JSON.stringify(value).split('{{secret:').length - 1
}
