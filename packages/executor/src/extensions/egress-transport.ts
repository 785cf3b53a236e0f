/**
 * Owns the way to a server elsewhere: each message is a request of the egress client to the one address that was let in.
 * Refuses another address, follows no redirect, and keeps no stream open: what comes is the answer to what was asked.
 */
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { Egress, EgressResult } from '../egress/egress.ts'
import { serverLimits } from './server-limits.ts'
import type { BoundedTransport } from './stream-transport.ts'

export interface McpServerAddress {
  readonly url: string
  /** The value that goes along as bearer token. */
  readonly token: string | undefined
}

export function egressTransport(
  { url, token }: McpServerAddress,
  egress: Egress,
  signal: AbortSignal,
): BoundedTransport {
  let problem: string | undefined
  const allowed = new URL(url).href
  const inner = new StreamableHTTPClientTransport(new URL(url), {
    // Nobody signs in here: a server that asks for it is told of by its status.
    fetch: async (address, init) => {
      if (new URL(address).href !== allowed) throw new Error('The server named another address.')
      // A stream that stands open would be one connection more for news that nobody waits for.
      if ((init?.method ?? 'GET') === 'GET') return new Response(null, { status: 405 })
      const result = await egress.request(
        {
          method: init?.method ?? 'GET',
          url: allowed,
          headers: {
            ...Object.fromEntries(new Headers(init?.headers)),
            ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          },
          body: typeof init?.body === 'string' ? init.body : null,
          maxBytes: serverLimits.maxMessageBytes,
          timeoutMs: serverLimits.callMs,
          redirects: 'refused',
        },
        init?.signal ? AbortSignal.any([signal, init.signal]) : signal,
      )
      problem = result.kind === 'response' ? statusProblem(result.status) : problemOf(result)
      if (result.kind === 'response') return responseOf(result)
      throw new Error(problem)
    },
    reconnectionOptions: {
      maxRetries: 0,
      initialReconnectionDelay: 1000,
      maxReconnectionDelay: 1000,
      reconnectionDelayGrowFactor: 1,
    },
  })
  return Object.assign(inner, { listenAnew: () => undefined, problem: () => problem })
}

function responseOf({ status, headers, body }: Extract<EgressResult, { kind: 'response' }>): Response {
  const hasBody = status >= 200 && ![204, 205, 304].includes(status)
  const told = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined || name === 'content-encoding' || name === 'content-length'
      ? []
      : [[name, [value].flat().join(', ')]],
  )
  return new Response(hasBody ? Buffer.from(body) : null, { status, headers: told })
}

function statusProblem(status: number): string | undefined {
  if (status < 300) return undefined
  if (status < 400)
    return `It led to another address (HTTP ${status}), which is not followed. Name that one if it is yours.`
  return status === 401 || status === 403
    ? `It wants to know who asks (HTTP ${status}). Keep a token for it as a secret, and name the secret with --secret.`
    : `It answered with HTTP ${status}.`
}

function problemOf(result: Exclude<EgressResult, { kind: 'response' }>): string {
  switch (result.kind) {
    case 'refused':
      return `Its address is refused (${[result.reason, result.detail].filter(Boolean).join(', ')}). If it is yours, name it under localTargets in the configuration.`
    case 'failed':
      return `It cannot be reached: ${result.message}.`
    case 'timeout':
      return 'It did not answer in time.'
    case 'cancelled':
      return 'It was cancelled.'
  }
}
