/** Owns what a request over the network touches, in the words of policy. */
import type { UrlResource } from '@countersign/contract'
import type { EffectsResult } from '../definition.ts'
import type { Inspector } from '../inspector.ts'

export interface UrlUse {
  readonly url: string
  readonly method: string
  readonly redirects: UrlResource['redirects']
  readonly carries: UrlResource['carries']
  /** A fetch changes nothing there; all else does, and cannot be taken back. */
  readonly verb: 'fetch' | 'send'
  readonly leaves: readonly string[]
}

export function urlEffect(
  { url, method, redirects, carries, verb, leaves }: UrlUse,
  inspect: Inspector,
): EffectsResult {
  const inspection = inspect.url(url, method)
  if (inspection.kind === 'refused') return { kind: 'invalid', reason: inspection.reason }
  const { scheme, host, port } = inspection.resource
  const fetching = verb === 'fetch'
  return {
    kind: 'found',
    resources: [{ ...inspection.resource, redirects, carries }],
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
