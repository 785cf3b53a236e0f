/**
 * Owns which proof a change of devices needs, told before it is tried. The gateway and the executor weigh the statement
 * again; this only spares the operator a refusal. Pure.
 */

import type { DeviceReach, DeviceView, PasskeyView } from '@countersign/contract'
import { words } from '../../words/devices.tsx'

export type RequiredProof =
  /** The key of this browser is enough. */
  | { readonly kind: 'device' }
  /** One of these passkeys has to say so too. */
  | { readonly kind: 'passkey'; readonly credentials: readonly string[] }
  | { readonly kind: 'impossible'; readonly reason: string }

export interface DeviceAuthority {
  readonly devices: readonly DeviceView[]
  readonly passkeys: readonly PasskeyView[]
  /** Of this page: a passkey works on the site that it was made for. */
  readonly site: string
}

/** To let a device in, to let one do more, or to add a passkey. */
export function proofToWiden(authority: DeviceAuthority): RequiredProof {
  if (livePasskeys(authority).length > 0) return byPasskey(authority)
  if (thisDevice(authority)?.reach === 3) return { kind: 'device' }
  return { kind: 'impossible', reason: words.proof.notHere }
}

/**
 * Whether a passkey made here has to wait for one elsewhere: passkeys exist, and none of them works on this site. Only a
 * device that seals may ask.
 */
export function asksElsewhere(authority: DeviceAuthority): boolean {
  return proofToWiden(authority).kind === 'impossible' && thisDevice(authority)?.reach === 3
}

/** Where the passkeys that exist work. */
export function sitesOfPasskeys(authority: Pick<DeviceAuthority, 'passkeys'>): readonly string[] {
  return [...new Set(livePasskeys(authority).map(({ site }) => site))]
}

/** To let a device do less, or nothing any more. */
export function proofToLimit(
  authority: DeviceAuthority,
  target: DeviceView,
  to: DeviceReach | 'revoked',
): RequiredProof {
  if ((to === 'revoked' || to < 3) && isLastSealer(authority, target))
    return { kind: 'impossible', reason: words.proof.last }
  const own = thisDevice(authority)
  if (own?.reach === 3 || own?.id === target.id) return { kind: 'device' }
  return byPasskey(authority)
}

/** A passkey guards against a stolen device, so a device alone cannot take it away; the host's own can. */
export function proofToRevokePasskey(authority: DeviceAuthority): RequiredProof {
  const own = thisDevice(authority)
  return own?.root === true && own.reach === 3 ? { kind: 'device' } : byPasskey(authority)
}

/** What is not a device but was let in by one: a node, or an origin. Any device that seals may end it. */
export function proofToRevoke(authority: DeviceAuthority): RequiredProof {
  return thisDevice(authority)?.reach === 3 ? { kind: 'device' } : byPasskey(authority)
}

export function proofForReach(
  authority: DeviceAuthority,
  target: DeviceView,
  reach: DeviceReach,
): RequiredProof {
  return reach > target.reach ? proofToWiden(authority) : proofToLimit(authority, target, reach)
}

export function isLastSealer({ devices }: Pick<DeviceAuthority, 'devices'>, target: DeviceView): boolean {
  const sealers = devices.filter(({ reach, revokedAt }) => reach === 3 && revokedAt === null)
  return sealers.length === 1 && sealers[0]?.id === target.id
}

export function thisDevice({ devices }: Pick<DeviceAuthority, 'devices'>): DeviceView | undefined {
  return devices.find(({ thisOne }) => thisOne)
}

export function livePasskeys({ passkeys }: Pick<DeviceAuthority, 'passkeys'>): readonly PasskeyView[] {
  return passkeys.filter(({ revokedAt }) => revokedAt === null)
}

function byPasskey(authority: DeviceAuthority): RequiredProof {
  const live = livePasskeys(authority)
  const here = live.filter(({ site }) => site === authority.site)
  if (here.length > 0) return { kind: 'passkey', credentials: here.map(({ credential }) => credential) }
  const sites = sitesOfPasskeys(authority).join(', ')
  return {
    kind: 'impossible',
    reason: live.length === 0 ? words.proof.neither : words.proof.elsewhere(sites),
  }
}
