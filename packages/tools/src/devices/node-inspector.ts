/** Owns what a tool of nodes may see, on the node itself, while its effects are being listed. A look changes nothing. */
import type { NodeCapability, NodeResource } from '@countersign/contract'
import type { Inspector } from '../inspector.ts'

/** Who looks: the node's own id, executor and key, and the name that the operator gave it. */
export type NodeIdentity = Pick<NodeResource, 'node' | 'executor' | 'key' | 'name'>

export interface NodeRefusal {
  readonly reason: string
  readonly fix: string
}

export interface NodeInspector {
  /** Says why nobody can say who this is, where it cannot be known. */
  identity(): Promise<NodeIdentity | NodeRefusal>
  /** Why this cannot be done here: its system lacks it, or its owner took it away. */
  refusal(capability: NodeCapability): Promise<NodeRefusal | undefined>
  /** Why its owner's own policy keeps this object out; paths are those that are really there. */
  refusalOf(wish: Pick<NodeResource, 'capability' | 'op' | 'object'>): Promise<NodeRefusal | undefined>
  /** Of the folder that it shares, and of its programs. */
  readonly folder: Pick<Inspector, 'locate' | 'file' | 'program'>
}
