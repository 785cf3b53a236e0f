/**
 * Owns what address a provider may have. Refuses one that would carry a key or a conversation in the clear over a
 * network that is not the operator's own.
 */
import type { Destination, ProviderKind } from '@countersign/contract'
import { isNearby, kinds } from '@countersign/models'

export type ProviderAddress =
  | {
      readonly kind: 'address'
      readonly url: string
      readonly destination: Destination
      /** On this machine or in the operator's own network. */
      readonly near: boolean
    }
  | { readonly kind: 'refused'; readonly reason: string; readonly next: string }

export function providerAddressOf(text: string): ProviderAddress {
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol))
    return refusedAddress(
      'That is not an http or https address.',
      'Give one such as https://api.example.org/v1.',
    )
  if (url.username !== '' || url.password !== '')
    return refusedAddress(
      'The address contains a user name or password, which would appear in logs.',
      'Remove it from the address, and give the key separately.',
    )
  if (url.search !== '' || url.hash !== '')
    return refusedAddress(
      'The address has a query or a fragment, so paths cannot be added.',
      'Remove the query or fragment.',
    )
  const scheme = url.protocol === 'https:' ? 'https' : 'http'
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const near = isNearby(text)
  if (scheme === 'http' && !near)
    return refusedAddress(
      `${url.origin} is plain http outside of your own network: others on the network could read the key and every conversation.`,
      'Use its https address.',
    )
  const port = url.port === '' ? (scheme === 'https' ? 443 : 80) : Number(url.port)
  return {
    kind: 'address',
    url: `${url.origin}${url.pathname.replace(/\/+$/, '')}`,
    destination: { scheme, host, port },
    near,
  }
}

/** One place has one key: another scheme, host or port is another place. */
export function isSameDestination(one: Destination, other: Destination): boolean {
  return one.scheme === other.scheme && one.host === other.host && one.port === other.port
}

/** Whether this is where providers of the kind are by themselves, so that a key that is kept for the kind may go there. */
export function isOwnDestination(kind: ProviderKind, destination: Destination): boolean {
  const own = providerAddressOf(kinds[kind].baseUrl ?? '')
  return own.kind === 'address' && isSameDestination(own.destination, destination)
}

function refusedAddress(reason: string, next: string): ProviderAddress {
  return { kind: 'refused', reason, next }
}
