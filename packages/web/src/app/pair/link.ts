/** Owns the pairing link of the operator's own program: read once, and gone from the address before anything else happens. */

/** What is needed of the browser's own. */
export interface PageAddress {
  readonly pathname: string
  readonly search: string
  readonly hash: string
}

export interface PairingLink {
  /** Known to the operator's program and this page only. */
  readonly secret: string
  /** The SHA-256 of the gateway's key, hex: no other gateway is meant. */
  readonly gateway: string
  /** A person compares six words before the page is let in. */
  readonly words: boolean
}

export function takeLink(location: PageAddress, history: Pick<History, 'replaceState'>): PairingLink | null {
  // The address of a window changes with its history, so it is read first.
  const { hash, pathname, search } = location
  if (!/^#?pair=/.test(hash)) return null
  history.replaceState(null, '', `${pathname}${search}`)
  return linkIn(hash)
}

/** `#pair=<secret>&gateway=<fingerprint>`, and `&words` where they are compared; anything else is an ordinary place on the page. */
export function linkIn(hash: string): PairingLink | null {
  const parts = new URLSearchParams(hash.replace(/^#/, ''))
  const secret = parts.get('pair') ?? ''
  const gateway = parts.get('gateway') ?? ''
  const words = parts.has('words')
  return secret !== '' && /^[0-9a-f]{64}$/.test(gateway) ? { secret, gateway, words } : null
}
