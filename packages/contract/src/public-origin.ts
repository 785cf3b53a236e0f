/**
 * Owns what a public origin is: the scheme, name and port under which a browser elsewhere reaches the app, such as
 * `https://home.example.com`. Refuses what a browser gives no keys to: http elsewhere than on this computer, and bare
 * addresses.
 */
import { z } from 'zod'

export const PublicOrigin = z
  .string()
  .max(300)
  .refine(
    isPublicOrigin,
    'an address that begins with https:// and has a name and nothing after it, such as https://home.example.com',
  )

/** The name of the site that a passkey of this origin is made for. */
export function siteOfOrigin(origin: string): string {
  return URL.parse(origin)?.hostname ?? ''
}

/** How a browser writes it in `Host`: without the port that its scheme has by itself. */
export function hostOfOrigin(origin: string): string {
  return URL.parse(origin)?.host ?? ''
}

function isPublicOrigin(text: string): boolean {
  const url = URL.parse(text)
  if (url === null || url.origin !== text || isBareAddress(url.hostname)) return false
  return url.protocol === 'https:' || (url.protocol === 'http:' && url.hostname === 'localhost')
}

function isBareAddress(name: string): boolean {
  return name.startsWith('[') || /^[\d.]+$/.test(name) || name.endsWith('.')
}
