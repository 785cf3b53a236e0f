/** Owns which gateway a page speaks to. Refuses another one in the place of the one that it knows, unless a link names it. */
import type { PairingInfo } from '@countersign/contract'
import { fingerprintOf } from '../../data/digest.ts'

export interface KnownGateway {
  /** From the operator's own program, with the fingerprint of the key; null where the page was opened without it. */
  readonly link: { readonly gateway: string } | null
  /** The key of this browser for the gateway that answers. */
  readonly known: { readonly gatewayKey: string } | undefined
  /** Whether this browser was last let in by a gateway at this address. */
  readonly wasLetIn: boolean
}

export async function isExpectedGateway(
  { key }: Pick<PairingInfo, 'key'>,
  { link, known, wasLetIn }: KnownGateway,
): Promise<boolean> {
  if (known !== undefined && known.gatewayKey !== key) return false
  if (link !== null) return (await fingerprintOf(key)) === link.gateway
  return known !== undefined || !wasLetIn
}
