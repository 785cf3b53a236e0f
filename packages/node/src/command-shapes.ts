/** Owns what the node program is asked to do, and the lines in which it answers. */
import { DeviceId, NodeCapability, Tier } from '@countersign/contract'
import { z } from 'zod'

export const NodeCommand = z.strictObject({
  /** The node's own folder. */
  folder: z.string(),
  platform: z.enum(['linux', 'darwin', 'win32']),
  version: z.string(),
  /** By which programs find the desktop session of the owner. */
  environment: z.record(z.string(), z.string()),
  ask: z.discriminatedUnion('do', [
    z.strictObject({
      do: z.literal('pair'),
      address: z.string(),
      name: z.string(),
      shared: z.string(),
      invitation: z.string().exactOptional(),
    }),
    z.strictObject({ do: z.literal('run') }),
    z.strictObject({ do: z.literal('status') }),
    z.strictObject({
      do: z.literal('caps'),
      on: z.array(NodeCapability),
      off: z.array(NodeCapability),
      maxTier: Tier.exactOptional(),
    }),
    z.strictObject({ do: z.literal('pause') }),
    z.strictObject({ do: z.literal('resume') }),
    z.strictObject({ do: z.literal('forget') }),
    z.strictObject({ do: z.literal('forget-device'), device: DeviceId }),
  ]),
})
export type NodeCommand = z.infer<typeof NodeCommand>

export type NodeLine =
  | { readonly type: 'words'; readonly words: readonly string[]; readonly expiresAt: string }
  | { readonly type: 'log'; readonly text: string }
  | { readonly type: 'done'; readonly data: Readonly<Record<string, unknown>> }
  | { readonly type: 'failed'; readonly code: string; readonly message: string; readonly next: string }

export interface NodeOutput {
  readonly write: (line: NodeLine) => void
  readonly stopped: AbortSignal
}
