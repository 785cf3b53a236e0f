/** Says what a call would touch and which secrets it would take along, without touching anything. */
import {
  type Effect,
  parseStrict,
  type ResolveReply,
  type Resource,
  secretsIn,
  type UrlResource,
} from '@countersign/contract'
import { type Catalogue, type ExecutorTool, type Inspector, parseArgs } from '@countersign/tools'
import { type AllowedDestinations, confinementOf } from './confinement.ts'
import type { SecretDestination } from './egress/secret-source.ts'

export interface ResolveParts {
  readonly catalogue: Catalogue
  readonly inspect: Inspector
  readonly sandboxName: string
  readonly egress: AllowedDestinations
  readonly secrets: SecretPins
}

/** Says why a secret is not for a place, or nothing. */
export type SecretPins = (
  name: string,
  destination: SecretDestination,
  tool: string,
) => Promise<string | undefined>

export async function resolveCall(name: string, args: string, parts: ResolveParts): Promise<ResolveReply> {
  const tool = parts.catalogue.definition(name)
  if (tool?.runs !== 'executor') return { kind: 'invalid', reason: `There is no tool ${name} here.` }
  const strict = parseStrict(args)
  if (strict.kind === 'refused')
    return { kind: 'invalid', reason: `The arguments are not strict JSON: ${strict.reason}.` }
  const parsed = parseArgs(tool, strict.value)
  if (parsed.kind === 'invalid') return { kind: 'invalid', reason: parsed.problems.join('; ') }
  try {
    const found = await tool.effects(parsed.args, parts.inspect)
    if (found.kind !== 'found') return found
    const secrets = secretsOf(tool, args, [...(tool.secrets?.(parsed.args) ?? []), ...(found.secrets ?? [])])
    const places = [...placesIn(found.resources), ...(found.places ?? [])]
    const refusal = await refusalOf(secrets, tool.name, places, parts.secrets)
    if (refusal !== undefined) return { kind: 'invalid', reason: refusal }
    const confinement = confinementOf(tool, parts.sandboxName, parts.egress)
    const { resources } = found
    const effects = found.effects.map((effect) => withSecrets(effect, secrets))
    return {
      kind: 'resolved',
      resolution: { resources: [...resources], effects, ...confinement, secrets },
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return { kind: 'unavailable', reason, fix: 'Run `countersign doctor`.' }
  }
}

/** A tool without network has nowhere to put a secret: there a handle is only text. */
function secretsOf(tool: ExecutorTool, text: string, own: readonly string[]): string[] {
  if (tool.egress === 'none') return []
  return [...new Set([...secretsIn(text), ...own])].toSorted()
}

/** A secret that goes along is said where people read what leaves the machine. */
function withSecrets(effect: Effect, secrets: readonly string[]): Effect {
  const leaves = [...effect.leaves, ...secrets.map((name) => `the secret ${name}`)]
  return effect.verb === 'fetch' || effect.verb === 'send' ? { ...effect, leaves } : effect
}

function placesIn(resources: readonly Resource[]): readonly SecretDestination[] {
  return resources.filter((resource): resource is UrlResource => resource.type === 'url')
}

async function refusalOf(
  names: readonly string[],
  tool: string,
  places: readonly SecretDestination[],
  pins: SecretPins,
): Promise<string | undefined> {
  for (const name of names) {
    if (places.length === 0) return `The secret ${name} has no allowed host in this call.`
    for (const { scheme, host, port } of places) {
      const refusal = await pins(name, { scheme, host, port }, tool)
      if (refusal !== undefined) return refusal
    }
  }
  return undefined
}
