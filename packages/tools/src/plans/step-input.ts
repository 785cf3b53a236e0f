/**
 * Owns how a model writes a step: one flat object, whatever the type. Refuses fields that the type does not have, with
 * words that say which.
 */
import { type JsonObject, type JsonValue, PlanOperator, PlanStep } from '@countersign/contract'
import { z } from 'zod'
import { problemsOf } from '../records/collection.ts'

const id = z.string().min(1).max(40)
const ids = z.array(id).max(200)
const scalar = z.union([z.string().max(4_000), z.number(), z.boolean()])
const test = z.strictObject({ left: scalar, operator: PlanOperator, right: scalar.exactOptional() })
const types = ['tool_call', 'llm_decision', 'user_input', 'condition', 'parallel', 'loop'] as const

/** Every field but the id and the type, none of them needed. */
const fields = {
  name: z.string().min(1).max(200),
  tool: z.string().max(64),
  args: z
    .record(z.string(), z.custom<JsonValue>())
    .describe('May refer to results: {{step.result}}, {{step.json.items.0.id}}, in a loop {{loop.item}}'),
  prompt: z.string().max(8_000),
  question: z.string().max(4_000),
  choices: z.array(z.string().min(1).max(200)).max(20),
  left: scalar,
  operator: PlanOperator,
  right: scalar,
  onTrue: ids.describe('Steps for a condition that holds'),
  onFalse: ids,
  steps: ids.describe('Steps in a parallel or a loop'),
  over: z.union([z.string().max(200), z.array(z.custom<JsonValue>()).max(100)]),
  count: z.int().min(1).max(100),
  until: test,
  dependsOn: ids.describe('Steps that must be over first; without any it begins at once'),
  needs: z.enum(['all', 'any']),
  retries: z.strictObject({
    most: z.int().min(0).max(5),
    baseMs: z.int().min(0).max(30_000).exactOptional(),
    factor: z.number().min(1).max(10).exactOptional(),
  }),
  timeoutSeconds: z.int().min(1).max(86_400),
  onFailure: z.enum(['stop', 'skip', 'continue']),
}
type StepFields = typeof fields
type Optional = { [Name in keyof StepFields]: z.ZodExactOptional<StepFields[Name]> }
type Removable = { [Name in keyof StepFields]: z.ZodExactOptional<z.ZodNullable<StepFields[Name]>> }

const { name: _, ...others } = fields

export const stepInput = {
  id: id.describe('Lower case; made from the name where left out').exactOptional(),
  type: z.enum(types),
  name: fields.name,
  ...(Object.fromEntries(
    Object.entries(others).map(([name, field]) => [name, field.exactOptional()]),
  ) as unknown as Omit<Optional, 'name'>),
}

export const stepChanges = {
  type: z.enum(types).exactOptional(),
  ...(Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, field.nullable().exactOptional()]),
  ) as unknown as Removable),
}

export type StepResult =
  | { readonly kind: 'step'; readonly step: PlanStep }
  | { readonly kind: 'invalid'; readonly reason: string }

/** `taken` has the ids that are not free. */
export function newStep(given: JsonObject, taken: readonly string[]): StepResult {
  const { name } = given
  return read({ ...given, id: given['id'] ?? freeId(typeof name === 'string' ? name : '', taken) })
}

/** A step of another type keeps what all types have. */
export function changedStep(before: PlanStep, changes: JsonObject): StepResult {
  const type = changes['type'] ?? before.type
  const common = ['id', 'name', 'dependsOn', 'needs', 'retries', 'timeoutSeconds', 'onFailure']
  const kept = Object.entries(before).filter(([name]) => type === before.type || common.includes(name))
  const merged = { ...Object.fromEntries(kept), ...changes, type }
  return read(Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== null)) as JsonObject)
}

function read(value: JsonObject): StepResult {
  const parsed = PlanStep.safeParse(value)
  if (parsed.success) return { kind: 'step', step: parsed.data }
  const which = typeof value['id'] === 'string' ? value['id'] : 'the step'
  return { kind: 'invalid', reason: `${which}: ${problemsOf(parsed.error)}` }
}

function freeId(name: string, taken: readonly string[]): string {
  const plain = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^[^a-z]+|_+$/g, '')
    .slice(0, 34)
  const base = plain === '' ? 'step' : plain
  for (let number = 1; ; number += 1) {
    const found = number === 1 ? base : `${base}_${number}`
    if (!taken.includes(found)) return found
  }
}
