/**
 * Owns the note by which programs of this host find a running gateway, signed with the key of the trust file. It grants
 * nothing: whoever answers there still has to prove itself.
 */
import type { KeyObject } from 'node:crypto'
import { jsonIn } from '../json/plain.ts'
import { leaseText } from '../proof.ts'
import { publicKeyOf, signText, verifyText } from './keys.ts'

export interface Lease {
  readonly pid: number
  readonly url: string
  readonly startedAt: string
  readonly version: string
}

export interface SignedLease extends Lease {
  readonly signature: string
}

export function signLease(lease: Lease, gateway: string, key: KeyObject): SignedLease {
  return { ...lease, signature: signText(key, leaseText({ ...lease, gateway })) }
}

/** Null where the text is no lease, or was not signed by this gateway. */
export function leaseIn(
  text: string,
  gateway: { readonly id: string; readonly key: string },
): SignedLease | null {
  const lease = shapeIn(text)
  if (lease === null) return null
  const signed = leaseText({ ...lease, gateway: gateway.id })
  return verifyText(publicKeyOf(gateway.key), signed, lease.signature) ? lease : null
}

function shapeIn(text: string): SignedLease | null {
  const value = jsonIn(text)
  if (typeof value !== 'object' || value === null) return null
  const { pid, url, startedAt, version, signature } = value as Partial<Record<keyof SignedLease, unknown>>
  if (typeof pid !== 'number' || !Number.isSafeInteger(pid) || pid <= 1) return null
  if (typeof url !== 'string' || !URL.canParse(url)) return null
  if (typeof startedAt !== 'string' || typeof version !== 'string' || typeof signature !== 'string')
    return null
  return { pid, url, startedAt, version, signature }
}
