/** Owns what the tools share that tell what became of earlier tasks of coding agents. */
import type { Label } from '@countersign/contract'
import type { EffectsResult } from '../definition.ts'

const output: Label = { integrity: 'untrusted', confidentiality: 'private', sources: ['coding agent'] }

export const resultsTool = {
  category: 'coding',
  group: 'codingAgents',
  effect: 'pure',
  floor: 0,
  output,
  sandbox: 'none',
  egress: 'none',
} as const

export async function lookedAtResults(): Promise<EffectsResult> {
  const look = { verb: 'read', object: 'results of coding agents', scope: 'inside' } as const
  return {
    kind: 'found',
    resources: [],
    effects: [{ ...look, reversible: true, outward: false, leaves: [] }],
  }
}
