/** Owns what a request over the network touches, in the words of policy. */
import type { UrlResource } from '@countersign/contract'
import type { Found } from '../definition.ts'
import type { Look } from '../look.ts'

export interface UrlUse {
  readonly url: string
  readonly method: string
  readonly redirects: UrlResource['redirects']
  readonly carries: UrlResource['carries']
  /** A fetch changes nothing there; all else does, and cannot be taken back. */
  readonly verb: 'fetch' | 'send'
  readonly leaves: readonly string[]
}

export function urlEffect({ url, method, redirects, carries, verb, leaves }: UrlUse, look: Look): Found {
  const sight = look.url(url, method)
  if (sight.kind === 'refused') return { kind: 'invalid', reason: sight.reason }
  const { scheme, host, port } = sight.resource
  const fetching = verb === 'fetch'
  return {
    kind: 'found',
    resources: [{ ...sight.resource, redirects, carries }],
    effects: [
      {
        verb,
        object: `${scheme}://${host}:${port}`,
        scope: 'boundary',
        reversible: fetching,
        outward: !fetching,
        leaves: [...leaves],
      },
    ],
  }
}

export const isFetch = (method: string) => method === 'GET' || method === 'HEAD'

export function isHeader([name, value]: readonly [string, string]): boolean {
  return /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,128}$/.test(name) && /^[\x20-\x7e\t]{0,4096}$/.test(value)
}
