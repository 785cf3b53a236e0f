/** Says what a call would touch, without touching it. */
import { type JsonObject, parseStrict, type ResolveReply } from '@countersign/contract'
import { type Catalogue, type Look, parseArgs } from '@countersign/tools'
import { confinementOf, type EgressLimits } from './confinement.ts'

export interface ResolveParts {
  readonly catalogue: Catalogue
  readonly look: Look
  readonly sandboxName: string
  readonly egress: EgressLimits
}

export async function resolveCall(name: string, args: string, parts: ResolveParts): Promise<ResolveReply> {
  const tool = parts.catalogue.definition(name)
  if (tool?.runs !== 'executor') return { kind: 'invalid', reason: `There is no tool ${name} here.` }
  const strict = parseStrict(args)
  if (strict.kind === 'refused')
    return { kind: 'invalid', reason: `The arguments are not strict JSON: ${strict.reason}.` }
  const parsed = parseArgs(tool, strict.value)
  if (parsed.kind === 'invalid') return { kind: 'invalid', reason: parsed.problems.join('; ') }
  try {
    const found = await tool.effects(parsed.args as JsonObject, parts.look)
    if (found.kind !== 'found') return found
    const confinement = confinementOf(tool, parts.sandboxName, parts.egress)
    return {
      kind: 'resolved',
      resolution: {
        resources: [...found.resources],
        effects: [...found.effects],
        ...confinement,
        secrets: [],
      },
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return { kind: 'unavailable', reason, fix: 'Run `countersign doctor`.' }
  }
}
