/** Owns under which address another device can reach this gateway. Pure. */
import { words } from '../../words/devices.tsx'

export type ReachedBy =
  | { readonly kind: 'address'; readonly url: string }
  | { readonly kind: 'problem'; readonly problem: string }

/** Keys and passkeys of a browser work on localhost, or under a name with https; never on a bare address. */
export function addressOf(typed: string): ReachedBy {
  const text = typed.trim()
  const url = URL.parse(text.includes('://') ? text : `https://${text}`)
  if (url === null || url.hostname === '') return problem(words.add.notAnAddress)
  if (url.protocol !== 'https:') return problem(words.add.notHttps)
  if (/^[\d.]+$|^\[/.test(url.hostname)) return problem(words.add.bareAddress)
  if (!url.hostname.includes('.')) return problem(words.add.localName)
  return { kind: 'address', url: `${url.origin}/` }
}

/** On this computer: what the gateway says of itself, by the name that passkeys know. */
export function localAddress(gatewayUrl: string): string {
  const port = URL.parse(gatewayUrl)?.port ?? ''
  return `http://localhost${port === '' ? '' : `:${port}`}/`
}

const problem = (sentence: string): ReachedBy => ({ kind: 'problem', problem: sentence })
