/**
 * Owns how the words of a written call become the arguments of its tool: by the tool's own schema. The first words are
 * its first argument; the others follow as ` :: name=value`. Refuses a name that the tool does not have.
 */
import type { JsonObject, JsonValue } from '@countersign/contract'
import type { ToolDefinition } from '@countersign/tools'
import { z } from 'zod'
import type { DeclaredTool } from '../call.ts'

interface Shape {
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, Shape>>
  readonly additionalProperties?: Shape | boolean
  readonly items?: Shape
  readonly anyOf?: readonly Shape[]
  readonly enum?: readonly JsonValue[]
}

export type ArgumentReader = (words: string) => JsonObject

export function readerFor(tool: ToolDefinition | DeclaredTool): ArgumentReader {
  const shape = 'input' in tool ? shapeOf(tool) : undefined
  const first = shape ? Object.keys(shape.properties ?? {})[0] : firstOf(tool as DeclaredTool)
  return (words) => {
    const [main = '', ...named] = ` ${words}`.split(' :: ')
    const args: Record<string, JsonValue> = {}
    const put = (name: string, text: string) => {
      const wanted = shape?.properties?.[name]
      if (shape && !wanted) throw new Error(`${tool.name} has no argument ${name}.`)
      args[name] = wanted ? valueOf(text, wanted) : loose(text)
    }
    if (main.trim() !== '' && first !== undefined) put(first, main.slice(1))
    for (const part of named) {
      const end = part.indexOf('=')
      put(part.slice(0, end), part.slice(end + 1))
    }
    return args
  }
}

function shapeOf(tool: ToolDefinition): Shape {
  return z.toJSONSchema(tool.input as z.ZodType, { io: 'input', unrepresentable: 'any' }) as Shape
}

/** What the first effect of a declared tool names first. */
function firstOf({ effects }: DeclaredTool): string | undefined {
  return /\$([a-z]+)/.exec(effects.map(({ object }) => object).join(' '))?.[1]
}

function valueOf(text: string, shape: Shape): JsonValue {
  if (has(shape, 'string')) return quoted(text)
  if (has(shape, 'array')) return listOf(text, itemOf(shape))
  if (has(shape, 'object')) return objectOf(text, partOf(shape))
  return loose(text)
}

function has({ type, anyOf, enum: choices }: Shape, kind: string): boolean {
  if (type === kind || (Array.isArray(type) && type.includes(kind))) return true
  if (kind === 'string' && choices?.some((choice) => typeof choice === 'string')) return true
  return anyOf?.some((one) => has(one, kind)) ?? false
}

const itemOf = (shape: Shape): Shape => shape.items ?? shape.anyOf?.find(({ items }) => items)?.items ?? {}
const partOf = (shape: Shape): Shape =>
  shape.properties ? shape : (shape.anyOf?.find(({ properties }) => properties) ?? shape)

function listOf(text: string, item: Shape): JsonValue {
  if (text.startsWith('[')) return JSON.parse(text) as JsonValue
  if (has(item, 'object')) return text.split(' // ').map((one) => objectOf(one, item))
  const parts = text.split(', ')
  return parts.map((one) => (has(item, 'string') && !has(item, 'number') ? one : loose(one)))
}

/** `name: value; name: value`, or JSON. */
function objectOf(text: string, shape: Shape): JsonValue {
  if (text.startsWith('{')) return JSON.parse(text) as JsonValue
  const { properties, additionalProperties } = shape
  const pairs = text.split('; ').map((pair) => {
    const end = pair.indexOf(': ')
    if (end < 0) throw new Error(`“${pair}” is not of the form name: value.`)
    const [name, value] = [pair.slice(0, end), pair.slice(end + 2)]
    const wanted =
      properties?.[name] ?? (typeof additionalProperties === 'object' ? additionalProperties : {})
    return [name, Object.keys(wanted).length > 0 ? valueOf(value, wanted) : loose(value)] as const
  })
  return Object.fromEntries(pairs)
}

/** In quotes where a line end or a space at the end matters. */
const quoted = (text: string) => (/^".*"$/s.test(text) ? (JSON.parse(text) as string) : text)

function loose(text: string): JsonValue {
  if (/^(-?\d+(\.\d+)?|true|false|null)$/.test(text) || /^["[{]/.test(text))
    return JSON.parse(text) as JsonValue
  return text
}
