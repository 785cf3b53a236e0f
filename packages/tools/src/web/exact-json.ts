/** Reads and writes JSON without changing a number: ids of services are often larger than a number can hold exactly. */

interface Exact {
  parse(
    text: string,
    reviver: (key: string, value: unknown, context: { source?: string }) => unknown,
  ): unknown
  rawJSON(text: string): unknown
}

const exact = JSON as unknown as Exact

export type ParsedJson =
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'broken'; readonly reason: string }

export function parseExact(text: string): ParsedJson {
  try {
    const value = exact.parse(text, (_key, given, { source }) =>
      typeof given === 'number' &&
      source !== undefined &&
      !Number.isSafeInteger(given) &&
      /^-?\d+$/.test(source)
        ? exact.rawJSON(source)
        : given,
    )
    return { kind: 'json', value }
  } catch (error) {
    return { kind: 'broken', reason: error instanceof Error ? error.message : String(error) }
  }
}

export type PickedValue =
  | { readonly kind: 'picked'; readonly value: unknown }
  | { readonly kind: 'missing'; readonly at: string; readonly instead: string }

/** Follows names and positions with dots between them. Sees only what the text held. */
export function pickPath(value: unknown, path: string): PickedValue {
  let here = value
  const steps = path === '' ? [] : path.split('.')
  for (const [index, step] of steps.entries()) {
    const isHolder = typeof here === 'object' && here !== null
    const isThere =
      isHolder && Object.hasOwn(here as object, step) && !(Array.isArray(here) && step === 'length')
    if (!isThere) return { kind: 'missing', at: steps.slice(0, index + 1).join('.'), instead: sightOf(here) }
    here = (here as Record<string, unknown>)[step]
  }
  return { kind: 'picked', value: here }
}

function sightOf(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : `a list of 0 to ${value.length - 1}`
  if (typeof value !== 'object' || value === null) return `${value === null ? 'null' : `a ${typeof value}`}`
  const names = Object.keys(value)
  if (names.length === 0) return 'an empty object'
  return names.slice(0, 20).join(', ') + (names.length > 20 ? ', …' : '')
}
