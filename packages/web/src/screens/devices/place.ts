/** Owns whether passkeys count at an address of the app. The gateway and the executor weigh it again. Pure. */
import type { OriginView } from '@countersign/contract'

/** This computer needs nobody's word for itself; every other address was accepted by the host. */
export function isAcceptedPlace(origin: string, origins: readonly OriginView[]): boolean {
  const url = URL.parse(origin)
  if (url?.protocol === 'http:' && url.hostname === 'localhost') return true
  return origins.some((each) => each.origin === origin && each.acceptedAt !== null)
}
