/** Owns what a call would touch on this computer, said without touching anything. */
import { type NodeCapabilityState, parseStrict, type ResolveReply } from '@countersign/contract'
import type { Sandbox } from '@countersign/executor/node'
import { type Catalogue, type NodeInspector, parseArgs } from '@countersign/tools'
import { confinementOf } from './confined-programs.ts'
import { capabilityRefusal, type OwnerPolicy, objectRefusal, programsMayWrite } from './node-policy.ts'
import { type OwnerParts, refusalOfAll } from './owner.ts'

export interface NodeInspectorParts extends OwnerParts {
  readonly states: () => Promise<readonly NodeCapabilityState[]>
  readonly folder: NodeInspector['folder']
}

export function createNodeInspector(parts: NodeInspectorParts): NodeInspector {
  const { trust, policy, states, folder } = parts
  return {
    async identity() {
      const found = await trust.identity()
      if (!('problem' in found)) return found
      return { reason: `It cannot say who it is: ${found.problem}.`, fix: 'Pair that computer again.' }
    },
    async refusal(capability) {
      const refusal = refusalOfAll(parts) ?? capabilityRefusal(policy(), capability)
      if (refusal) return refusal
      const state = (await states()).find((each) => each.capability === capability)
      return state?.state === 'ready' ? undefined : { reason: state?.reason ?? '', fix: state?.fix ?? '' }
    },
    refusalOf: async (wish) => objectRefusal(policy(), wish),
    folder,
  }
}

export interface ResolveParts {
  readonly catalogue: Catalogue
  readonly inspector: NodeInspector
  readonly sandbox: Sandbox | undefined
  readonly policy: () => OwnerPolicy
}

export async function resolveOnNode(name: string, args: string, parts: ResolveParts): Promise<ResolveReply> {
  const { catalogue, inspector, sandbox, policy } = parts
  const tool = catalogue.definition(name)
  if (tool?.runs !== 'node') return { kind: 'invalid', reason: `There is no tool ${name} on a node.` }
  const strict = parseStrict(args)
  if (strict.kind === 'refused') return { kind: 'invalid', reason: `Not strict JSON: ${strict.reason}.` }
  const parsed = parseArgs(tool, strict.value)
  if (parsed.kind === 'invalid') return { kind: 'invalid', reason: parsed.problems.join('; ') }
  try {
    const found = await tool.effects(parsed.args, inspector)
    if (found.kind !== 'found') return found
    const { resources, effects } = found
    const confinement = confinementOf(tool, { sandbox, mayWrite: programsMayWrite(policy()) })
    const resolution = { resources: [...resources], effects: [...effects], ...confinement, secrets: [] }
    return { kind: 'resolved', resolution }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return { kind: 'unavailable', reason, fix: 'Run `countersign node status` there.' }
  }
}
