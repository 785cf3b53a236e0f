/**
 * Owns the one shape of a tool, and the facts about it that the kernel may know. Refuses a tool whose arguments are
 * not a strict object, so nothing can be smuggled past the schema.
 */
import {
  type AskedQuestion,
  canonicalText,
  type Effect,
  type EffectClass,
  type InnerCalls,
  type JsonObject,
  type Label,
  type NodeCapability,
  type ParsedArgs,
  type Preview,
  type Rate,
  type Resource,
  type Tier,
  type ToolFacts,
  type ToolResult,
  type WorkOut,
} from '@countersign/contract'
import { sha256Hex } from '@countersign/contract/node'
import { z } from 'zod'
import type { ToolCapabilities } from './capabilities.ts'
import type { NodeCapabilities } from './devices/node-capabilities.ts'
import type { NodeInspector } from './devices/node-inspector.ts'
import type { GroupName } from './groups.ts'
import type { Inspector } from './inspector.ts'
import type { RecordToolContext } from './record-tool-context.ts'

/** What a call would touch, seen without touching it. */
export type EffectsResult =
  | {
      readonly kind: 'found'
      readonly resources: readonly Resource[]
      readonly effects: readonly Effect[]
      /** The names of secrets that go along, where they are known only from what was found. */
      readonly secrets?: readonly string[]
      /** Where these may go, where no resource names it. */
      readonly places?: readonly SecretPlace[]
    }
  | { readonly kind: 'invalid'; readonly reason: string }
  | { readonly kind: 'unavailable'; readonly reason: string; readonly fix: string }

export interface SecretPlace {
  readonly scheme: 'http' | 'https'
  readonly host: string
  readonly port: number
}

interface ToolDescription<Args> {
  readonly name: string
  /** Raised by hand with every change of behaviour; a test compares it with the source. */
  readonly version: string
  /** What a model is told. The first sentence is also the line in the docs. */
  readonly description: string
  readonly input: z.ZodType<Args>
  /** The folder of the tool. Policies speak of it. */
  readonly category: string
  /** What is switched on and off together. */
  readonly group: GroupName
  /** For search only. */
  readonly tags: readonly string[]
  readonly effect: EffectClass
  readonly floor: Tier
  readonly output: Label
  /** Kept out of every list and not to be called by a model. */
  readonly hidden?: boolean
  /** Though it is hidden, a call of it is the work of an agent and has its limits. */
  readonly worksForAgents?: true
  /** The operator calls it by hand, though it is hidden. */
  readonly byHand?: true
  /** Shown to the model with its schema from the start. */
  readonly listed?: boolean
  /** The parameter that says how many results there may be: left out it is the default, too high it is the most. */
  readonly limit?: ResultLimit
  readonly rate?: Rate
  /** A parameter that the product fills from what the operator set up. A model is not shown it. */
  readonly filled?: string
  /** What the arguments say may have to be forgotten: the ledger keeps their hash alone. */
  readonly discreet?: boolean
  /** The tool that takes the effect back; the result of a call carries its arguments. */
  readonly undo?: string
  describe(args: Args): string
  preview(args: Args): Preview
}

export interface ResultLimit {
  readonly param: string
  readonly max: number
  readonly default: number
}

/** Runs in the executor process, with capabilities that reach what the permit names. */
export interface ExecutorTool<Args = JsonObject> extends ToolDescription<Args> {
  readonly runs: 'executor'
  readonly sandbox: SandboxProfile
  readonly egress: EgressProfile
  /** The secrets whose handles the tool itself puts into its requests, besides those in its arguments. */
  secrets?(args: Args): readonly string[]
  /** Those among them that go to the tool's own service only, at an address that no argument says. */
  serviceKeys?(args: Args): readonly string[]
  effects(args: Args, inspect: Inspector): Promise<EffectsResult>
  /** Resolves even on failure: a failure is a result with `ok: false`. */
  run(args: Args, capabilities: ToolCapabilities, signal: AbortSignal): Promise<ToolResult>
  /** Looks whether an effect whose end nobody saw was done. Nothing means that it cannot be known. */
  probe?(args: Args, capabilities: ToolCapabilities): Promise<ToolResult | undefined>
}

/** Runs on another computer of the operator's, in the executor of the node there. Its arguments name the node. */
export interface NodeTool<Args = JsonObject> extends ToolDescription<Args> {
  readonly runs: 'node'
  readonly capability: NodeCapability
  effects(args: Args, inspect: NodeInspector): Promise<EffectsResult>
  /** Resolves even on failure: a failure is a result with `ok: false`. */
  run(args: Args, capabilities: NodeCapabilities, signal: AbortSignal): Promise<ToolResult>
}

/** Runs in the gateway, on the operator's own records, in one transaction with the memory of having run. */
export interface RecordTool<Args = JsonObject> extends ToolDescription<Args> {
  readonly runs: 'gateway'
  effects(args: Args, context: RecordToolContext): Promise<EffectsResult>
  /** What a model makes of the arguments, at the cost of the run; `run` finds it. Before the transaction, which waits for nobody. */
  work?(args: Args, workOut: WorkOut): Promise<ToolResult>
  /** What is turned into vectors before the transaction, at the cost of the run; `run` finds them. */
  texts?(args: Args): readonly string[]
  run(args: Args, context: RecordToolContext): Promise<ToolResult>
}

export interface OperatorTool<Args = JsonObject> extends ToolDescription<Args> {
  readonly runs: 'operator'
  question(args: Args): AskedQuestion
}

/** Stands for other calls. It is unwrapped before anything is decided, so it never runs itself. */
export interface MetaTool<Args = JsonObject> extends ToolDescription<Args> {
  readonly runs: 'unwrapped'
  unwrap(args: Args): InnerCalls
}

export type ToolDefinition<Args = JsonObject> =
  | ExecutorTool<Args>
  | NodeTool<Args>
  | RecordTool<Args>
  | OperatorTool<Args>
  | MetaTool<Args>

/** Names of the confinement that the executor provides. `none` is for work that starts no program. */
export type SandboxProfile =
  | 'none'
  | 'files'
  | 'read-only'
  | 'workspace-write'
  | 'network'
  | 'script'
  | 'browser'
  | 'documents'
  | 'agent'
  | 'server'
export type EgressProfile = 'none' | 'checked'

export function perMinute(calls: number): Rate {
  return { calls, seconds: 60 }
}

/** Gives the callbacks the type of the schema, and forgets it so that definitions fit in one list. */
export function defineTool<Args extends Readonly<Record<string, unknown>>>(
  definition: ToolDefinition<Args>,
): ToolDefinition {
  return definition as unknown as ToolDefinition
}

export function toFacts(definition: ToolDefinition): ToolFacts {
  requireStrict(definition)
  // Made when somebody asks: most processes never see most schemas.
  let schema: JsonObject | undefined
  let hash: string | undefined
  const known = () => (schema ??= schemaOf(definition))
  return {
    name: definition.name,
    version: definition.version,
    description: definition.description,
    category: definition.category,
    group: definition.group,
    tags: definition.tags,
    effect: definition.effect,
    get schema() {
      return known()
    },
    get definition() {
      return (hash ??= definitionHash(definition, known()))
    },
    floor: definition.floor,
    output: definition.output,
    runs: definition.runs,
    hidden: definition.hidden ?? false,
    ...(definition.byHand ? { byHand: true } : {}),
    ...(definition.worksForAgents ? { worksForAgents: true } : {}),
    listed: definition.listed ?? false,
    undo: definition.undo ?? null,
    rate: definition.rate ?? null,
    discreet: definition.discreet ?? false,
    origin: null,
    parse: (value) => parseArgs(definition, value),
    ...(definition.runs === 'executor' && definition.serviceKeys
      ? { serviceKeys: (args: JsonObject) => definition.serviceKeys?.(args) ?? [] }
      : {}),
    describe: (args) => definition.describe(args),
    preview: (args) => definition.preview(args),
    ...(definition.runs === 'operator' ? { question: (args: JsonObject) => definition.question(args) } : {}),
    ...(definition.runs === 'unwrapped' ? { unwrap: (args: JsonObject) => definition.unwrap(args) } : {}),
  }
}

export function parseArgs(definition: ToolDefinition, value: unknown): ParsedArgs {
  const parsed = definition.input.safeParse(withLimit(definition.limit, value))
  if (parsed.success) return { kind: 'args', args: parsed.data }
  const problems = parsed.error.issues.map((issue) => {
    const where = issue.path.map(String).join('.')
    return where === '' ? issue.message : `${where}: ${issue.message}`
  })
  return { kind: 'invalid', problems }
}

/** Before the arguments are canonical, so that what is bound is what is meant. */
function withLimit(limit: ResultLimit | undefined, value: unknown): unknown {
  if (!limit || typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const given = (value as Record<string, unknown>)[limit.param]
  if (given === undefined) return { ...value, [limit.param]: limit.default }
  return typeof given === 'number' && given > limit.max ? { ...value, [limit.param]: limit.max } : value
}

function requireStrict({ name, input, limit }: ToolDefinition): void {
  const isStrict = input instanceof z.ZodObject && input.def.catchall instanceof z.ZodNever
  if (!isStrict) throw new TypeError(`The tool ${name} must take a strict object.`)
  if (limit && !(limit.param in input.shape))
    throw new TypeError(`The tool ${name} limits ${limit.param}, which it does not take.`)
}

function schemaOf(definition: ToolDefinition): JsonObject {
  const { $schema: _, ...schema } = z.toJSONSchema(definition.input, {
    io: 'input',
    unrepresentable: 'any',
    // JSON has no other names and no other integers, and every model request would carry the words.
    override: ({ jsonSchema }) => {
      delete jsonSchema.propertyNames
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
    },
  })
  const { limit } = definition
  const limited = limit && schema.properties?.[limit.param]
  if (limit && typeof limited === 'object')
    Object.assign(limited, { maximum: limit.max, default: limit.default })
  if (definition.filled !== undefined) delete schema.properties?.[definition.filled]
  if (limit && schema.required) schema.required = schema.required.filter((name) => name !== limit.param)
  return JSON.parse(JSON.stringify(schema)) as JsonObject
}

function definitionHash(definition: ToolDefinition, schema: JsonObject): string {
  const { name, version, description, category, effect, floor, output, runs } = definition
  const profiles = profilesOf(definition)
  return sha256Hex(
    canonicalText({ name, version, description, category, effect, floor, output, runs, schema, profiles }),
  )
}

function profilesOf(definition: ToolDefinition): JsonObject | null {
  if (definition.runs === 'executor') return { sandbox: definition.sandbox, egress: definition.egress }
  return definition.runs === 'node' ? { capability: definition.capability } : null
}
