/** Reads a JSON Schema as a flat list of arguments, and the values of a form as the arguments of a call. */

export interface Argument {
  readonly name: string
  /** Such as `text`, `number`, `yes or no`, or the values that it may have. */
  readonly kind: 'text' | 'number' | 'boolean' | 'choice' | 'other'
  readonly choices: readonly string[]
  readonly required: boolean
  readonly about: string
}

type Schema = Readonly<Record<string, unknown>>

export function argumentsOf(schema: Schema): readonly Argument[] {
  const properties = isRecord(schema['properties']) ? schema['properties'] : {}
  const required = new Set(Array.isArray(schema['required']) ? schema['required'] : [])
  return Object.entries(properties).map(([name, value]) => {
    const part = isRecord(value) ? value : {}
    const choices = Array.isArray(part['enum']) ? part['enum'].filter((each) => typeof each === 'string') : []
    return {
      name,
      kind: choices.length > 0 ? 'choice' : kindOf(part['type']),
      choices,
      required: required.has(name),
      about: typeof part['description'] === 'string' ? part['description'] : '',
    }
  })
}

/**
 * The arguments as JSON text. What was left empty and need not be given is left out. A value that cannot be read is sent
 * as text: the gateway checks it against the schema and says what is wrong.
 */
export function argumentText(list: readonly Argument[], values: Readonly<Record<string, string>>): string {
  const given = list.flatMap(({ name, kind, required }) => {
    const value = values[name] ?? ''
    if (value === '' && !required) return []
    return [[name, valueOf(kind, value)] as const]
  })
  return JSON.stringify(Object.fromEntries(given))
}

function valueOf(kind: Argument['kind'], value: string): unknown {
  if (kind === 'boolean') return value === 'true'
  if (kind === 'number') return value.trim() === '' || Number.isNaN(Number(value)) ? value : Number(value)
  if (kind !== 'other') return value
  try {
    return JSON.parse(value)
  } catch (error) {
    if (error instanceof SyntaxError) return value
    throw error
  }
}

function kindOf(type: unknown): Argument['kind'] {
  switch (type) {
    case 'string':
      return 'text'
    case 'number':
    case 'integer':
      return 'number'
    case 'boolean':
      return 'boolean'
    default:
      return 'other'
  }
}

function isRecord(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
