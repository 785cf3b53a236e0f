/**
 * Owns the one shape of a tool, and the facts about it that the kernel may know. Refuses a tool whose arguments are
 * not a strict object, so nothing can be smuggled past the schema.
 */
import {
  type AskedQuestion,
  canonicalText,
  type Effect,
  type EffectClass,
  type InnerCall,
  type JsonObject,
  type Label,
  type ParsedArgs,
  type Preview,
  type Resource,
  type Tier,
  type ToolFacts,
  type ToolResult,
} from '@countersign/contract'
import { sha256Hex } from '@countersign/contract/node'
import { z } from 'zod'
import type { Hands } from './hands.ts'
import type { Look } from './look.ts'

/** What a call would touch, seen without touching it. */
export type Found =
  | { readonly kind: 'found'; readonly resources: readonly Resource[]; readonly effects: readonly Effect[] }
  | { readonly kind: 'invalid'; readonly reason: string }
  | { readonly kind: 'unavailable'; readonly reason: string; readonly fix: string }

interface Told<Args> {
  readonly name: string
  /** Raised by hand with every change of behaviour; a test compares it with the source. */
  readonly version: string
  readonly description: string
  readonly input: z.ZodType<Args>
  readonly category: string
  /** For search only. */
  readonly tags: readonly string[]
  readonly effect: EffectClass
  readonly floor: Tier
  readonly output: Label
  /** Kept out of every list; found by its name only. */
  readonly hidden?: boolean
  describe(args: Args): string
  preview(args: Args): Preview
}

export interface ExecutorTool<Args = JsonObject> extends Told<Args> {
  readonly runs: 'executor'
  readonly sandbox: SandboxProfile
  readonly egress: EgressProfile
  resources(args: Args, look: Look): Promise<Found>
  /** Resolves even on failure: a failure is a result with `ok: false`. */
  run(args: Args, hands: Hands, signal: AbortSignal): Promise<ToolResult>
}

export interface OperatorTool<Args = JsonObject> extends Told<Args> {
  readonly runs: 'operator'
  question(args: Args): AskedQuestion
}

/** Stands for another call. It is unwrapped before anything is decided, so it never runs itself. */
export interface MetaTool<Args = JsonObject> extends Told<Args> {
  readonly runs: 'unwrapped'
  unwrap(args: Args): InnerCall
}

export type ToolDefinition<Args = JsonObject> = ExecutorTool<Args> | OperatorTool<Args> | MetaTool<Args>

/** Names of the confinement that the executor provides. `none` is for work that starts no program. */
export type SandboxProfile = 'none' | 'files' | 'workspace-write'
export type EgressProfile = 'none' | 'checked'

/** Gives the callbacks the type of the schema, and forgets it so that definitions fit in one list. */
export function defineTool<Args extends JsonObject>(definition: ToolDefinition<Args>): ToolDefinition {
  return definition
}

export function toFacts(definition: ToolDefinition): ToolFacts {
  const schema = schemaOf(definition)
  return {
    name: definition.name,
    version: definition.version,
    description: definition.description,
    category: definition.category,
    effect: definition.effect,
    schema,
    definition: definitionHash(definition, schema),
    floor: definition.floor,
    output: definition.output,
    runs: definition.runs === 'operator' ? 'operator' : 'executor',
    parse: (value) => parseArgs(definition, value),
    describe: (args) => definition.describe(args),
    preview: (args) => definition.preview(args),
    ...(definition.runs === 'operator' ? { question: (args: JsonObject) => definition.question(args) } : {}),
    ...(definition.runs === 'unwrapped' ? { unwrap: (args: JsonObject) => definition.unwrap(args) } : {}),
  }
}

export function parseArgs(definition: ToolDefinition, value: unknown): ParsedArgs {
  const parsed = definition.input.safeParse(value)
  if (parsed.success) return { kind: 'args', args: parsed.data }
  const problems = parsed.error.issues.map((issue) => {
    const where = issue.path.map(String).join('.')
    return where === '' ? issue.message : `${where}: ${issue.message}`
  })
  return { kind: 'invalid', problems }
}

function schemaOf(definition: ToolDefinition): JsonObject {
  const { $schema: _, ...schema } = z.toJSONSchema(definition.input, {
    io: 'input',
    unrepresentable: 'any',
    // JSON has no other names, and every model request would carry the words.
    override: ({ jsonSchema }) => void delete jsonSchema.propertyNames,
  })
  if (schema.type !== 'object' || schema.additionalProperties !== false) {
    throw new TypeError(`The tool ${definition.name} must take a strict object.`)
  }
  return JSON.parse(JSON.stringify(schema)) as JsonObject
}

function definitionHash(definition: ToolDefinition, schema: JsonObject): string {
  const { name, version, description, category, effect, floor, output, runs } = definition
  const profiles =
    definition.runs === 'executor' ? { sandbox: definition.sandbox, egress: definition.egress } : null
  return sha256Hex(
    canonicalText({ name, version, description, category, effect, floor, output, runs, schema, profiles }),
  )
}
