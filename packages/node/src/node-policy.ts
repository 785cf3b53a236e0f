/**
 * Owns the policy of the node's own owner. It can only take away from what the operator's policy allows: it is asked
 * besides, and never instead. Unreadable, of an unknown form or writable by others, it refuses everything.
 */
import { readFileSync, statSync } from 'node:fs'
import { posix } from 'node:path'
import { NodeCapability, type NodeResource, parseStrict, Tier } from '@countersign/contract'
import { replaceFile } from '@countersign/contract/node'
import type { NodeRefusal } from '@countersign/tools'
import { z } from 'zod'

/** In the shared folder: where pictures of the screen and the camera are put. */
export const capturesFolder = 'Captures'

/** In the shared folder; `.` is all of it. */
const SharedPath = z
  .string()
  .min(1)
  .max(1_000)
  .refine((path) => !posix.isAbsolute(path) && posix.normalize(path) === path && !path.startsWith('..'), {
    error: 'must be a path in the shared folder, such as Documents',
  })

export const NodePolicy = z.strictObject({
  v: z.literal(1),
  /** Calls of a higher tier are refused. */
  maxTier: Tier,
  capabilities: z.array(NodeCapability),
  /** Files and folders that may be looked at. */
  paths: z.array(SharedPath),
  /** Those among them that may be changed. */
  writable: z.array(SharedPath),
  /** Programs by their place; `any` leaves it to the operator. */
  programs: z.union([z.literal('any'), z.array(z.string().startsWith('/'))]),
})
export type NodePolicy = z.infer<typeof NodePolicy>

/** What looks into the room is for the owner to switch on. */
export const firstPolicy: NodePolicy = {
  v: 1,
  maxTier: 3,
  capabilities: ['files', 'shell', 'browser', 'screen', 'clipboard', 'notifications'],
  paths: ['.'],
  writable: ['.'],
  programs: 'any',
}

export type OwnerPolicy =
  | { readonly kind: 'policy'; readonly policy: NodePolicy }
  | { readonly kind: 'unreadable'; readonly reason: string }

export function readNodePolicy(path: string): OwnerPolicy {
  try {
    if (process.platform !== 'win32' && (statSync(path).mode & 0o022) !== 0)
      return unreadable(`${path} can be changed by others; run \`chmod 600 ${path}\``)
    const strict = parseStrict(readFileSync(path, 'utf8'))
    if (strict.kind === 'refused') return unreadable(`${path} is not strict JSON: ${strict.reason}`)
    const policy = NodePolicy.safeParse(strict.value)
    if (policy.success) return { kind: 'policy', policy: policy.data }
    const [issue] = policy.error.issues
    return unreadable(`${path}: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`)
  } catch (error) {
    return unreadable(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`)
  }
}

export function keepNodePolicy(path: string, policy: NodePolicy): void {
  replaceFile(path, `${JSON.stringify(policy, null, 2)}\n`)
}

function unreadable(reason: string): OwnerPolicy {
  return { kind: 'unreadable', reason }
}

const fix = 'Its owner can change that there with `countersign node caps`, or in node-policy.json.'

/** Why its owner keeps the whole capability out; nothing where it may be used. */
export function capabilityRefusal(owner: OwnerPolicy, capability: NodeCapability): NodeRefusal | undefined {
  if (owner.kind === 'unreadable') return { reason: `The policy of that computer: ${owner.reason}.`, fix }
  const { capabilities, paths } = owner.policy
  if (!capabilities.includes(capability))
    return { reason: `Its owner switched ${capability} off there.`, fix }
  // A program sees the whole folder.
  if (capability === 'shell' && !paths.includes('.'))
    return {
      reason: 'Programs see the whole shared folder, of which its owner lets only parts be seen.',
      fix,
    }
  return undefined
}

export function objectRefusal(
  owner: OwnerPolicy,
  { capability, op, object }: Pick<NodeResource, 'capability' | 'op' | 'object'>,
): NodeRefusal | undefined {
  const whole = capabilityRefusal(owner, capability)
  if (whole || owner.kind === 'unreadable') return whole
  const { paths, writable, programs } = owner.policy
  if (capability === 'files') {
    const changes = op === 'write' || op === 'delete'
    const may = isBelow(object, paths) && (!changes || isBelow(object, writable))
    return may
      ? undefined
      : { reason: `Its owner keeps ${object} out of ${changes ? 'changes' : 'sight'}.`, fix }
  }
  if ((capability === 'screen' || capability === 'camera') && !isBelow(capturesFolder, writable))
    return { reason: `Its owner keeps ${capturesFolder}, where pictures go, out of changes.`, fix }
  if (capability === 'shell' && programs !== 'any' && !programs.some((path) => startsWith(object, path)))
    return { reason: `Its owner lets other programs run only: ${programs.join(', ') || 'none'}.`, fix }
  return undefined
}

/** Whether programs may change what is in the folder. */
export function programsMayWrite(owner: OwnerPolicy): boolean {
  return owner.kind === 'policy' && owner.policy.writable.includes('.')
}

export function tierRefusal(owner: OwnerPolicy, tier: number): string | null {
  if (owner.kind === 'unreadable') return `the policy of the node: ${owner.reason}`
  const { maxTier } = owner.policy
  return tier <= maxTier ? null : `its owner lets nothing above tier ${maxTier} run`
}

function isBelow(path: string, places: readonly string[]): boolean {
  return places.some((place) => place === '.' || path === place || path.startsWith(`${place}/`))
}

/** The program is the first word of the object, as it was quoted there. */
function startsWith(object: string, program: string): boolean {
  return object === program || object.startsWith(`${program} `)
}
