/** Owns under which address another device can reach this gateway. Pure. */

export type ReachedBy =
  | { readonly kind: 'address'; readonly url: string }
  | { readonly kind: 'problem'; readonly problem: string }

/** Keys and passkeys of a browser work on localhost, or under a name with https; never on a bare address. */
export function addressOf(typed: string): ReachedBy {
  const text = typed.trim()
  const url = URL.parse(text.includes('://') ? text : `https://${text}`)
  if (url === null || url.hostname === '') return problem('That is not an address.')
  if (url.protocol !== 'https:') return problem('It has to begin with https://.')
  if (/^[\d.]+$|^\[/.test(url.hostname))
    return problem('A browser keeps no key for a bare address. Use a name, such as home.example.com.')
  if (!url.hostname.includes('.')) return problem('Other machines do not know this name.')
  return { kind: 'address', url: `${url.origin}/` }
}

/** On this computer: what the gateway says of itself, by the name that passkeys know. */
export function localAddress(gatewayUrl: string): string {
  const port = URL.parse(gatewayUrl)?.port ?? ''
  return `http://localhost${port === '' ? '' : `:${port}`}/`
}

const problem = (words: string): ReachedBy => ({ kind: 'problem', problem: words })
