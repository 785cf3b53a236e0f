/** Lends the checked way out to the OAuth2 library, as the fetch that it asks for. Follows no redirect. */
import type { Egress, EgressResult } from '../egress/egress.ts'

type Fetch = (
  url: string,
  options: {
    readonly method: string
    readonly headers: Record<string, string>
    readonly body?: URLSearchParams | string | undefined
  },
) => Promise<Response>

/** More than a token with claims ever needs. */
const maxBytes = 256 * 1024
const timeoutMs = 20_000

/** Nothing was heard from the place that gives tokens. */
export class OAuthUnreachable extends Error {}

/** Hands on the type of what comes, and the headers that are named besides. */
export function egressFetch(egress: Egress, signal: AbortSignal, heard: readonly string[] = []): Fetch {
  return async (url, { method, headers, body }) => {
    const result = await egress.request(
      {
        method,
        url,
        headers,
        body: body?.toString() ?? null,
        maxBytes,
        timeoutMs,
        redirects: 'refused',
      },
      signal,
    )
    if (result.kind !== 'response') throw new OAuthUnreachable(problemOf(url, result))
    const headersOf = ['content-type', ...heard].flatMap((name): [string, string][] => {
      const value = [result.headers[name] ?? []].flat()
      return value.length === 0 ? [] : [[name, value.join(', ')]]
    })
    // A status without a body must have none, or the constructor objects.
    const hasBody = result.status >= 200 && ![204, 205, 304].includes(result.status)
    return new Response(hasBody ? Buffer.from(result.body) : null, {
      status: result.status,
      headers: headersOf,
    })
  }
}

function problemOf(url: string, result: Exclude<EgressResult, { kind: 'response' }>): string {
  const host = URL.parse(url)?.host ?? ''
  switch (result.kind) {
    case 'refused':
      return `${host} is refused (${[result.reason, result.detail].filter(Boolean).join(', ')}). If it is yours, name it under localTargets in the configuration.`
    case 'failed':
      return `${host} did not answer: ${result.message}.`
    case 'timeout':
      return `${host} took too long to answer.`
    case 'cancelled':
      return 'It was cancelled.'
  }
}
