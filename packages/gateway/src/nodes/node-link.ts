/** Owns the shape of one live connection of a node, as whoever speaks through it sees it. */
import type { GatewayToNodeFrame, NodeFrame, NodeId } from '@countersign/contract'

export interface NodeLink {
  readonly node: NodeId
  send(frame: GatewayToNodeFrame): 'sent' | 'closed' | 'too large'
  /** The reason is told to the node. */
  close(reason: string): void
}

/** What a node says once it is let in and has said what it can do. */
export type NodeWord = Exclude<NodeFrame, { type: 'hello' | 'proof' | 'ready' }>
