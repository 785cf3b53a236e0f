/** Owns what is said about a redirect that was not followed: where it leads, and that going there is another call. */
import type { WebResponse } from '../capabilities.ts'
import { headerOf } from './content.ts'

/** Nothing if the answer is no redirect. */
export function redirectedTo({ status, headers, url }: WebResponse): string | undefined {
  const location = headerOf(headers, 'location')
  if (status < 300 || status > 399 || location === '') return undefined
  const target = URL.parse(location, url)
  if (target === null || !/^https?:$/.test(target.protocol)) return 'It leads to no web address.'
  return `It leads to ${target.href}; call again with that address to go there.`
}
