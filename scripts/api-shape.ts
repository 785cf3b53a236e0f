/** Owns how a shape of the API is said in a few words: by its name in the contract, or by its fields. Pure. */
import * as contract from '../packages/contract/src/index.ts'

/** A zod schema, of which only its definition is looked at. */
export interface Shape {
  readonly _zod: { readonly def: Definition }
}

interface Definition {
  readonly type: string
  readonly shape?: Readonly<Record<string, Shape>>
  readonly element?: Shape
  readonly innerType?: Shape
  readonly in?: Shape
  readonly left?: Shape
  readonly right?: Shape
  readonly options?: readonly Shape[]
  readonly items?: readonly Shape[]
  readonly entries?: Readonly<Record<string, string | number>>
  readonly values?: readonly unknown[]
  readonly valueType?: Shape
  readonly getter?: () => Shape
}

export interface ShapeNames {
  /** By name where it has one, else by its fields. */
  wordsOf(shape: Shape): string
  fieldsOf(shape: Shape): { readonly name: string; readonly words: string }[]
  /** Everything that was named so far, and what those name, by name. */
  used(): { readonly name: string; readonly words: string }[]
}

const transparent = new Set([
  'optional',
  'nullable',
  'default',
  'prefault',
  'readonly',
  'catch',
  'nonoptional',
])
/** Deeper than this, a shape without a name is only said to be there. */
const deepest = 3

export function shapeNames(): ShapeNames {
  const names = new Map<Shape, string>()
  for (const [name, value] of Object.entries(contract))
    if (isShape(value) && /^[A-Z]/.test(name) && !names.has(value)) names.set(value, name)
  const used = new Map<string, Shape>()

  function wordsOf(shape: Shape, depth = 0): string {
    const name = names.get(shape)
    if (name === undefined) return bare(shape, depth)
    used.set(name, shape)
    return name
  }

  /** Without the name of its own. */
  function bare({ _zod: { def } }: Shape, depth: number): string {
    const inner = def.innerType ?? def.in
    if (def.type === 'nullable' && inner) return `${wordsOf(inner, depth)} or null`
    if ((transparent.has(def.type) || def.type === 'pipe') && inner) return wordsOf(inner, depth)
    switch (def.type) {
      case 'object':
        return depth >= deepest ? '{…}' : braces(fieldsIn(def, depth + 1))
      case 'array':
        return def.element ? `${grouped(wordsOf(def.element, depth))}[]` : 'list'
      case 'tuple':
        return `[${(def.items ?? []).map((each) => wordsOf(each, depth)).join(', ')}]`
      case 'union':
        return [...new Set((def.options ?? []).map((each) => wordsOf(each, depth)))].join(' or ')
      case 'intersection':
        return [def.left, def.right].flatMap((each) => (each ? [wordsOf(each, depth)] : [])).join(' and ')
      case 'record':
        return def.valueType ? `by name: ${wordsOf(def.valueType, depth)}` : 'by name'
      case 'enum':
        return Object.values(def.entries ?? {})
          .map((each) => `\`${each}\``)
          .join(' or ')
      case 'literal':
        return (def.values ?? []).map((each) => `\`${JSON.stringify(each)}\``).join(' or ')
      case 'lazy':
        return def.getter ? wordsOf(def.getter(), depth + 1) : 'anything'
      case 'string':
      case 'template_literal':
        return 'text'
      case 'unknown':
      case 'any':
        return 'anything'
      case 'int':
        return 'number'
      default:
        return def.type
    }
  }

  function fieldsIn({ shape = {} }: Definition, depth: number): { name: string; words: string }[] {
    return Object.entries(shape).map(([name, field]) => ({
      name: isOptional(field) ? `${name}?` : name,
      words: wordsOf(field, depth),
    }))
  }

  return {
    wordsOf: (shape) => cell(wordsOf(shape)),
    fieldsOf: (shape) => fieldsIn(shape._zod.def, 1).map(({ name, words }) => ({ name, words: cell(words) })),
    used() {
      const said = new Map<string, string>()
      for (let left = [...used]; left.length > 0; left = [...used].filter(([name]) => !said.has(name)))
        for (const [name, shape] of left) said.set(name, bare(shape, 0))
      return [...said]
        .toSorted(([one], [other]) => (one < other ? -1 : 1))
        .map(([name, words]) => ({ name, words }))
    },
  }
}

function isShape(value: unknown): value is Shape {
  return typeof value === 'object' && value !== null && '_zod' in value
}

function isOptional({ _zod: { def } }: Shape): boolean {
  if (def.type === 'optional' || def.type === 'default' || def.type === 'prefault') return true
  return transparent.has(def.type) && def.innerType !== undefined && isOptional(def.innerType)
}

function braces(fields: readonly { readonly name: string; readonly words: string }[]): string {
  return fields.length === 0 ? '{}' : `{ ${fields.map(({ name, words }) => `${name}: ${words}`).join(', ')} }`
}

function grouped(words: string): string {
  return / or | and /.test(words) && !words.startsWith('{') ? `(${words})` : words
}

/** In a table a bar would end the cell. */
function cell(words: string): string {
  return words.replaceAll('|', '\\|')
}
