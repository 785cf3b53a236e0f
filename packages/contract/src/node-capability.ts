/** Owns what another computer can offer, and what stands in the way of it there. */
import { z } from 'zod'

/** The argument in which every call of a node's tool names the node. */
export const nodeArgument = 'node'

export const NodeCapability = z.enum([
  'files',
  'shell',
  'browser',
  'screen',
  'camera',
  'clipboard',
  'notifications',
  'location',
])
export type NodeCapability = z.infer<typeof NodeCapability>

export const NodeCapabilityState = z.strictObject({
  capability: NodeCapability,
  /** `off`: its owner switched it off there. `denied`: its system refuses. `missing`: nothing there can do it. */
  state: z.enum(['ready', 'off', 'denied', 'missing']),
  /** Why it is not ready, and what to do there; empty where it is. */
  reason: z.string().max(300),
  fix: z.string().max(300),
})
export type NodeCapabilityState = z.infer<typeof NodeCapabilityState>
