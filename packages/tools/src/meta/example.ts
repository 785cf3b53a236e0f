/** Owns an example of the arguments that a schema takes: what is required, each with a value that fits. */
import { isJsonObject, type JsonObject, type JsonValue } from '@countersign/contract'

const deepest = 4

export function exampleOf(schema: JsonObject): JsonObject {
  const value = valueFor(schema, 'arguments', 0)
  return isJsonObject(value) ? value : {}
}

function valueFor(schema: JsonObject, name: string, depth: number): JsonValue {
  if (schema['default'] !== undefined) return schema['default']
  if (schema['const'] !== undefined) return schema['const']
  const [first] = listOf(schema['enum'])
  if (first !== undefined) return first
  const [choice] = [...listOf(schema['anyOf']), ...listOf(schema['oneOf'])].filter(isJsonObject)
  if (choice) return valueFor(choice, name, depth)
  switch (schema['type']) {
    case 'object':
      return objectFor(schema, depth)
    case 'array':
      return isJsonObject(schema['items']) && depth < deepest
        ? [valueFor(schema['items'], name, depth + 1)]
        : []
    case 'integer':
    case 'number':
      return numberFor(schema)
    case 'boolean':
      return true
    case 'string':
      return textFor(schema, name)
    default:
      return `<${name}>`
  }
}

function objectFor({ properties, required }: JsonObject, depth: number): JsonObject {
  if (!isJsonObject(properties) || depth >= deepest) return {}
  const needed = listOf(required)
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, part]): [string, JsonValue][] =>
      needed.includes(name) && isJsonObject(part) ? [[name, valueFor(part, name, depth + 1)]] : [],
    ),
  )
}

function numberFor({ minimum, maximum }: JsonObject): number {
  const least = typeof minimum === 'number' ? minimum : 1
  return typeof maximum === 'number' ? Math.min(Math.max(least, 1), maximum) : Math.max(least, 1)
}

/** A pattern cannot be turned into words; the name says what is meant. */
function textFor({ format }: JsonObject, name: string): string {
  if (format === 'date-time') return '2026-01-31T09:00:00Z'
  if (format === 'date') return '2026-01-31'
  if (format === 'uri' || /^url$/i.test(name)) return 'https://example.org/'
  if (format === 'email' || /^email$/i.test(name)) return 'ana@example.org'
  return `<${name}>`
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : []
}
