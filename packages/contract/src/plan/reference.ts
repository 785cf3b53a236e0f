/**
 * Owns references to results: `{{step.result}}`, `{{step.json.items.0.id}}`, `{{step.lines}}`, and inside a loop
 * `{{loop.item}}` and `{{loop.number}}`. A handle of a secret is no reference and is left as it is.
 */
import type { JsonObject, JsonValue } from '../json/value.ts'

export interface PlanReference {
  readonly step: string
  readonly part: 'result' | 'json' | 'lines' | 'item' | 'number'
  readonly path: readonly string[]
  /** As it was written, for words. */
  readonly text: string
}

/** What stands between double braces and is no secret's handle, well written or not. */
const written = /\{\{(?!secret:)([^{}]{1,300})\}\}/g
const wellWritten =
  /^\s*([a-z][a-z0-9_]{0,39})\.(result|json|lines|item|number)((?:\.[\w-]{1,100}){0,16})\s*$/

export type ReadReference =
  | { readonly kind: 'reference'; readonly reference: PlanReference }
  | { readonly kind: 'unread'; readonly text: string }

/** Every reference in a text, or in all texts of a value. */
export function planReferencesIn(value: JsonValue): ReadReference[] {
  if (typeof value === 'string')
    return [...value.matchAll(written)].map(([whole, inside = '']) => read(whole, inside))
  if (Array.isArray(value)) return value.flatMap(planReferencesIn)
  if (value !== null && typeof value === 'object') return Object.values(value).flatMap(planReferencesIn)
  return []
}

/** The reference that is all of the text, if it is one. */
export function planReferenceOnly(text: string): PlanReference | undefined {
  const [first] = planReferencesIn(text)
  return first?.kind === 'reference' && first.reference.text === text.trim() ? first.reference : undefined
}

/** The value with each reference replaced. A text that is nothing but a reference becomes what it stands for. */
export function withPlanReferences(
  value: JsonValue,
  valueOf: (reference: PlanReference) => JsonValue,
): JsonValue {
  if (typeof value === 'string') {
    const only = planReferenceOnly(value)
    return only ? valueOf(only) : planTextWithReferences(value, (reference) => textOf(valueOf(reference)))
  }
  if (Array.isArray(value)) return value.map((each) => withPlanReferences(each, valueOf))
  if (value === null || typeof value !== 'object') return value
  const entries = Object.entries(value).map(([name, each]) => [name, withPlanReferences(each, valueOf)])
  return Object.fromEntries(entries) as JsonObject
}

/** What is put in is not looked at again, so a result cannot refer to another. */
export function planTextWithReferences(text: string, valueOf: (reference: PlanReference) => string): string {
  return text.replaceAll(written, (whole: string, inside: string) => {
    const found = read(whole, inside)
    return found.kind === 'reference' ? valueOf(found.reference) : whole
  })
}

function read(whole: string, inside: string): ReadReference {
  const [, step, part, path] = wellWritten.exec(inside) ?? []
  if (step === undefined || part === undefined) return { kind: 'unread', text: whole }
  const steps = (path ?? '').split('.').slice(1)
  return {
    kind: 'reference',
    reference: { step, part: part as PlanReference['part'], path: steps, text: whole },
  }
}

function textOf(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
