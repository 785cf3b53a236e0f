/** Owns what a judgement and its counting need of a call, whichever corpus it comes from, and the shape of a declared tool. */
import {
  Effect,
  type JsonObject,
  joinLabels,
  Label,
  type Requester,
  type Resource,
  Tier,
} from '@countersign/contract'
import { nothingKnown, type TaskFacts } from '@countersign/policy'
import { z } from 'zod'

export const Expected = z.enum(['may-allow', 'must-ask', 'must-deny'])
export type Expected = z.infer<typeof Expected>

export interface JudgedCall {
  readonly id: string
  readonly at: string
  readonly agent: string
  readonly run: string
  readonly session: string
  /** Calls of one turn are proposed together, and wait together. */
  readonly turn: number
  readonly tool: string
  readonly args: JsonObject
  readonly label: Label
  readonly requester: Requester
  readonly unattended: boolean
  /** Whether its address stands, to the byte, in the operator's own words, in what was read before, or in neither. */
  readonly address: 'typed' | 'found' | 'made' | null
  readonly effects: readonly Effect[]
  readonly resources: readonly Resource[]
  /** Why the tool itself, or the executor that looks for it, turns the call down before policy is asked. */
  readonly refused: string | null
  readonly expected: Expected
  /** Hostile content led to it, and the operator wants none of it. */
  readonly injected: boolean
  /** Inside of what was written by hand beside the operator's words; left out, nobody wrote it. */
  readonly wished?: boolean
  /** Granted ahead, to the byte, by the operator who began its plan. */
  readonly leased?: boolean
  /** What the task says for it, as the kernel would find it. */
  readonly facts?: TaskFacts
  /** What a program over a view changed: the call that takes it over, and what the program brought into the run. */
  readonly next?: Pick<JudgedCall, 'tool' | 'args' | 'effects' | 'resources'> & { readonly brought: Label }
}

/** What a question about the call is about: of a program over a view, what it changed. */
export function askedPart(call: JudgedCall): JudgedCall {
  const { next, ...program } = call
  if (!next) return call
  const { brought, ...taking } = next
  return { ...program, ...taking, label: joinLabels(call.label, brought), facts: nothingKnown }
}

export const ToolName = z.string().regex(/^[a-z][a-z0-9_]*$/)

/** A tool of which the product has no definition yet, as its definition would speak. */
export const DeclaredTool = z.strictObject({
  name: ToolName,
  category: z.string(),
  floor: Tier,
  output: Label,
  /** What a call of it does; `$name` in an object stands for the argument of that name. */
  effects: z.array(Effect),
  /** The target: a record of a collection, a person on a channel, a file that is written, or nothing. */
  target: z.discriminatedUnion('type', [
    z.strictObject({ type: z.literal('none') }),
    z.strictObject({
      type: z.literal('record'),
      collection: z.string(),
      id: z.string(),
      op: z.enum(['read', 'list', 'write', 'delete']),
    }),
    z.strictObject({ type: z.literal('peer'), channel: z.string(), account: z.string(), peer: z.string() }),
    z.strictObject({ type: z.literal('file'), path: z.string(), op: z.enum(['read', 'write']) }),
  ]),
  because: z.string(),
})
export type DeclaredTool = z.infer<typeof DeclaredTool>
