/** Owns what the tools have in common with which only the operator changes what was let in: none starts anything of it. */
import type { Label } from '@countersign/contract'

/** Of a result that says nothing but what we did. */
export const ownLabel: Label = { integrity: 'tool', confidentiality: 'private', sources: [] }

export const onEntries = {
  effect: 'idempotent',
  output: ownLabel,
  hidden: true,
  byHand: true,
  sandbox: 'none',
  egress: 'none',
} as const
