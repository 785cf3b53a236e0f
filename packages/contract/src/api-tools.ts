/** Owns the HTTP shapes of tools: what there is, what a call would do, and what is switched on. */
import { z } from 'zod'
import { Card } from './card.ts'
import { Resource } from './effect.ts'
import { RunId, SessionId } from './ids.ts'
import { EffectClass, Tier } from './trust.ts'

export const ToolUse = z.strictObject({
  calls: z.int(),
  failures: z.int(),
  /** Half of the calls took no longer. */
  medianMs: z.number().nullable(),
  lastAt: z.string().nullable(),
  /** Calls on each of the days, the oldest first; empty without any. */
  daily: z.array(z.int()),
})
export type ToolUse = z.infer<typeof ToolUse>

export const ToolView = z.strictObject({
  name: z.string(),
  description: z.string(),
  category: z.string(),
  group: z.string(),
  source: z.string(),
  enabled: z.boolean(),
  /** Whether the model is shown it from the start. */
  listed: z.boolean(),
  floor: Tier,
  effect: EffectClass,
  runs: z.enum(['executor', 'node', 'gateway', 'operator', 'unwrapped']),
  undo: z.string().nullable(),
  /** The secrets that a tool needs which somebody made, and whether each is kept. */
  keys: z
    .array(
      z.strictObject({
        name: z.string(),
        displayName: z.string().exactOptional(),
        docsUrl: z.string().exactOptional(),
        kept: z.boolean(),
      }),
    )
    .exactOptional(),
  /** Over the last thirty days. */
  use: ToolUse,
})
export type ToolView = z.infer<typeof ToolView>

export const ToolDetail = z.strictObject({
  ...ToolView.shape,
  version: z.string(),
  definition: z.string(),
  tags: z.array(z.string()),
  schema: z.record(z.string(), z.unknown()),
  rate: z.strictObject({ calls: z.int(), seconds: z.int() }).nullable(),
})
export type ToolDetail = z.infer<typeof ToolDetail>

export const ToolGroupView = z.strictObject({
  name: z.string(),
  title: z.string(),
  about: z.string(),
  enabled: z.boolean(),
  /** What it is without a choice of the operator. */
  enabledAtFirst: z.boolean(),
  needs: z.string().nullable(),
  tools: z.array(z.string()),
})
export type ToolGroupView = z.infer<typeof ToolGroupView>

export const SwitchTool = z.strictObject({ enabled: z.boolean() })
export const SwitchReply = z.strictObject({
  ok: z.literal(true),
  ledger: z.int(),
  /** The tools that are on or off now because of it. */
  tools: z.array(z.string()),
})
export type SwitchReply = z.infer<typeof SwitchReply>

/** The arguments as JSON text, parsed strictly on the other side as a model's would be. */
export const ToolArguments = z.strictObject({ args: z.string() })

export const TriedCall = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('judged'),
    decision: z.enum(['allow', 'ask', 'deny']),
    card: Card,
    resources: z.array(Resource),
    sandbox: z.string(),
    egress: z.string(),
    /** Names of the secrets that it would take along. */
    secrets: z.array(z.string()),
  }),
  z.strictObject({ kind: z.literal('impossible'), reason: z.string() }),
])
export type TriedCall = z.infer<typeof TriedCall>

export const ToolCalled = z.strictObject({
  ok: z.literal(true),
  ledger: z.int(),
  run: RunId,
  session: SessionId,
})
export type ToolCalled = z.infer<typeof ToolCalled>
