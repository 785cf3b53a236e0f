/** Owns redaction by exact value: a registered secret never reaches a sink, in any of its usual encodings. */

export interface Redactor {
  /** From now on the value is replaced by its handle. Values shorter than eight characters are refused. */
  register(name: string, value: string): void
  text(text: string): string
  /** Redacts every string inside a JSON value, keys included. */
  json<T>(value: T): T
}

export function createRedactor(): Redactor {
  const forms = new Map<string, string>()
  let pattern: RegExp | undefined

  function register(name: string, value: string): void {
    if (value.length < 8) throw new RangeError(`The secret ${name} is too short to redact safely.`)
    for (const form of encodingsOf(value)) forms.set(form, `{{secret:${name}}}`)
    const longestFirst = [...forms.keys()].toSorted((left, right) => right.length - left.length)
    pattern = new RegExp(longestFirst.map(escapeForPattern).join('|'), 'g')
  }

  const text = (input: string): string =>
    pattern ? input.replace(pattern, (match) => forms.get(match) ?? match) : input

  function walk(value: unknown): unknown {
    if (typeof value === 'string') return text(value)
    if (Array.isArray(value)) return value.map(walk)
    if (value === null || typeof value !== 'object') return value
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [text(key), walk(inner)]))
  }

  return { register, text, json: <T>(value: T) => (pattern ? (walk(value) as T) : value) }
}

/** The forms in which a value turns up: plain, base64, base64url, hex in both cases, percent-encoded, JSON-escaped. */
function encodingsOf(value: string): string[] {
  const bytes = Buffer.from(value)
  return [
    value,
    bytes.toString('base64'),
    bytes.toString('base64').replace(/=+$/, ''),
    bytes.toString('base64url'),
    bytes.toString('hex'),
    bytes.toString('hex').toUpperCase(),
    encodeURIComponent(value),
    JSON.stringify(value).slice(1, -1),
  ]
}

function escapeForPattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
