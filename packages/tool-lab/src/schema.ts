/** Owns reading a JSON Schema as the catalogue makes it. What it does not know it takes to allow anything. */
import type { JsonObject, JsonValue } from '@countersign/contract'

export interface SchemaReader {
  /** The schema that a reference leads to; itself if it is none. */
  follow(schema: JsonObject): JsonObject
}

export function createSchemaReader(root: JsonObject): SchemaReader {
  const definitions = objectAt(root, '$defs')
  return {
    follow(schema) {
      const { $ref } = schema
      if (typeof $ref !== 'string') return schema
      if ($ref === '#') return root
      return objectAt(definitions, $ref.slice('#/$defs/'.length))
    },
  }
}

export function objectAt(schema: JsonObject, key: string): JsonObject {
  const value = schema[key]
  return isObject(value) ? value : {}
}

export function listAt(schema: JsonObject, key: string): readonly JsonValue[] {
  const value = schema[key]
  return Array.isArray(value) ? value : []
}

export function numberAt(schema: JsonObject, key: string): number | undefined {
  const value = schema[key]
  return typeof value === 'number' ? value : undefined
}

export function choicesOf(schema: JsonObject): readonly JsonObject[] {
  return [...listAt(schema, 'anyOf'), ...listAt(schema, 'oneOf')].filter(isObject)
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Every place in the arguments that takes a text, as steps; `*` stands for any item or member. */
export function textPaths(root: JsonObject): readonly (readonly string[])[] {
  const reader = createSchemaReader(root)
  const found: string[][] = []
  const walk = (given: JsonObject, path: readonly string[]): void => {
    if (path.length > deepest) return
    const schema = reader.follow(given)
    if (schema.type === 'string' && schema.enum === undefined && schema.const === undefined)
      found.push([...path])
    for (const [name, child] of Object.entries(objectAt(schema, 'properties')))
      if (isObject(child)) walk(child, [...path, name])
    for (const inner of ['items', 'additionalProperties'])
      if (isObject(schema[inner])) walk(objectAt(schema, inner), [...path, '*'])
    for (const choice of choicesOf(schema)) walk(choice, path)
  }
  walk(root, [])
  const seen = new Set<string>()
  return found.filter((path) => !seen.has(path.join('\0')) && seen.add(path.join('\0')))
}

const deepest = 6
