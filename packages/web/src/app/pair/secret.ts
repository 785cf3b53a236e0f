/** Owns the secret of a pairing link: read once, and gone from the address before anything else happens. */

/** What is needed of the browser's own. */
export interface Address {
  readonly pathname: string
  readonly search: string
  readonly hash: string
}

export function takeSecret(location: Address, history: Pick<History, 'replaceState'>): string | null {
  const secret = secretIn(location.hash)
  if (secret !== null) history.replaceState(null, '', `${location.pathname}${location.search}`)
  return secret
}

/** `#pair=<secret>`; anything else is an ordinary place on the page. */
export function secretIn(hash: string): string | null {
  const secret = new URLSearchParams(hash.replace(/^#/, '')).get('pair')
  return secret === null || secret === '' ? null : secret
}
