/**
 * Owns the parameters that the author of a tool wrote as JSON Schema. Refuses what could take long to check, or be read
 * in two ways: references, patterns that an engine might not end, and arguments that the schema does not name.
 */
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  MAX_JSON_DEPTH,
  type ParsedArgs,
  parseStrict,
} from '@countersign/contract'
import { Ajv, type ErrorObject } from 'ajv'
import { RE2JS } from 're2js'
import { patternSize } from './pattern-size.ts'

export type Parameters =
  | { readonly kind: 'schema'; readonly schema: JsonObject }
  | { readonly kind: 'refused'; readonly reason: string }

/** What the author wrote, as an object or as its text, made strict. */
export function readParameters(given: string | JsonObject): Parameters {
  const text = typeof given === 'string' ? given : JSON.stringify(given)
  const parsed = parseStrict(text, { bytes: largestSchema, depth: deepestSchema })
  if (parsed.kind === 'refused') return refused(`they are not JSON that can be used: ${parsed.reason}`)
  if (!isJsonObject(parsed.value)) return refused('they must be a JSON Schema of an object')
  const { $schema: _, ...schema } = parsed.value
  if (schema['type'] !== 'object') return refused('their type must be "object"')
  const strict: JsonObject = { ...schema, additionalProperties: false }
  const problem = problemIn(strict)
  if (problem !== null) return refused(problem)
  const size = patternsIn(strict).reduce((sum, pattern) => sum + patternSize(pattern), 0)
  if (size > largestPatterns) return refused('their patterns repeat too much; write shorter ones')
  try {
    checkerOf(strict)
    return { kind: 'schema', schema: strict }
  } catch (error) {
    return refused(error instanceof Error ? error.message : String(error))
  }
}

/** Compiles on first use: most tools of an operator are not used in a run. */
export function parserOf(schema: JsonObject): (value: unknown) => ParsedArgs {
  let checker: Checker | undefined
  return (value) => {
    const parsed = parseStrict(textOf(value), { bytes: largestInput, depth: deepestInput })
    if (parsed.kind === 'refused') return { kind: 'invalid', problems: [`not usable: ${parsed.reason}`] }
    if (!isJsonObject(parsed.value)) return { kind: 'invalid', problems: ['must be an object'] }
    checker ??= checkerOf(schema)
    const problems = checker(parsed.value)
    return problems.length === 0 ? { kind: 'args', args: parsed.value } : { kind: 'invalid', problems }
  }
}

/**
 * For a schema that nobody here wrote. One that cannot be checked quickly and for certain is not: then any object fits, and
 * whoever wrote it checks by itself.
 */
export function foreignParserOf(input: JsonObject): (value: unknown) => ParsedArgs {
  const { $schema: _, ...schema } = input
  const anything: JsonObject = { type: 'object' }
  return parserOf(isCheckable(schema) ? schema : anything)
}

function isCheckable(schema: JsonObject): boolean {
  if (schema['type'] !== 'object' || problemIn(schema) !== null) return false
  if (JSON.stringify(schema).length > largestSchema) return false
  try {
    if (patternsIn(schema).reduce((sum, pattern) => sum + patternSize(pattern), 0) > largestPatterns)
      return false
    checkerOf(schema)
    return true
  } catch {
    return false
  }
}

const largestSchema = 32 * 1024
const deepestSchema = 16
const largestInput = 256 * 1024
/** The arguments are carried inside those of the tool that runs the program. */
const deepestInput = MAX_JSON_DEPTH - 2
const longestPattern = 300
/** Of all patterns together, as they are compiled: a tenth of a second of work at most. */
const largestPatterns = 20_000
const mostUnique = 1_000
const mostProblems = 10

/** Fills defaults in. */
type Checker = (value: JsonObject) => string[]

function checkerOf(schema: JsonObject): Checker {
  const ajv = new Ajv({
    strict: true,
    strictTypes: false,
    strictTuples: false,
    allowUnionTypes: true,
    allErrors: true,
    useDefaults: true,
    // A format says what a text is for; it is not checked.
    validateFormats: false,
    logger: false,
    code: { regExp: linear },
  })
  const validate = ajv.compile(schema)
  return (value) => (validate(value) ? [] : (validate.errors ?? []).slice(0, mostProblems).map(problemOf))
}

function problemOf({ instancePath, message, params, keyword }: ErrorObject): string {
  const where = instancePath.split('/').slice(1).join('.')
  const extra = keyword === 'additionalProperties' ? `: ${String(params['additionalProperty'])}` : ''
  const choices = keyword === 'enum' ? `: ${JSON.stringify(params['allowedValues'])}` : ''
  const what = `${message ?? 'is wrong'}${extra}${choices}`
  return where === '' ? what : `${where}: ${what}`
}

/** Takes time in proportion to the text and the pattern. A text that would still take long fits no pattern. */
const linear = Object.assign(
  (pattern: string) => {
    const program = RE2JS.compile(RE2JS.translateRegExp(pattern))
    const longest = mostSteps / program.programSize()
    return { test: (text: string) => text.length <= longest && program.matcher(text).find() }
  },
  { code: 'linear' },
)
const mostSteps = 2_500_000

const plain = new Set(
  `type title description enum const default examples deprecated nullable format minimum maximum exclusiveMinimum
   exclusiveMaximum multipleOf minLength maxLength pattern minItems maxItems uniqueItems minProperties maxProperties
   required`.split(/\s+/),
)
const ownNames = new Set(['__proto__', 'constructor', 'prototype'])

/** What is wrong with a schema, in words that follow "The parameters cannot be used: ". */
function problemIn(schema: JsonValue): string | null {
  if (typeof schema === 'boolean') return null
  if (!isJsonObject(schema)) return 'a schema must be an object'
  for (const [keyword, value] of Object.entries(schema)) {
    const problem = problemWith(keyword, value, schema)
    if (problem !== null) return problem
  }
  return null
}

function problemWith(keyword: string, value: JsonValue, schema: JsonObject): string | null {
  switch (keyword) {
    case 'items':
    case 'additionalProperties':
    case 'not':
      return problemIn(value)
    case 'anyOf':
    case 'oneOf':
    case 'allOf':
      return Array.isArray(value) ? firstProblem(value) : `${keyword} must be a list`
    case 'properties':
      if (!isJsonObject(value)) return 'properties must be an object'
      return Object.keys(value).find((name) => ownNames.has(name)) === undefined
        ? firstProblem(Object.values(value))
        : 'a property has a name that objects have already'
    case 'pattern':
      return typeof value === 'string' && value.length <= longestPattern
        ? null
        : `a pattern must have at most ${longestPattern} characters`
    case 'uniqueItems':
      return value === false || Number(schema['maxItems'] ?? Number.POSITIVE_INFINITY) <= mostUnique
        ? null
        : `uniqueItems needs maxItems of at most ${mostUnique}`
    default:
      return plain.has(keyword) ? null : `${keyword} is not supported; write it without`
  }
}

/** Wherever one stands, a default among them. */
function patternsIn(value: JsonValue): string[] {
  if (typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) return value.flatMap(patternsIn)
  const own = typeof value['pattern'] === 'string' ? [value['pattern']] : []
  return [...own, ...Object.values(value).flatMap(patternsIn)]
}

function firstProblem(schemas: readonly JsonValue[]): string | null {
  return schemas.map(problemIn).find((problem) => problem !== null) ?? null
}

function refused(reason: string): Parameters {
  return { kind: 'refused', reason: `The parameters cannot be used: ${reason}.` }
}

/** What has no JSON is no JSON, so the parser says so. */
function textOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? ''
  } catch {
    return ''
  }
}
