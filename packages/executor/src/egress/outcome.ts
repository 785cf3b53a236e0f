/** Owns how a request over the network can end. */
import type { TargetRefusal } from './target.ts'

export type EgressRefusal = TargetRefusal | 'port' | 'address' | 'method' | 'header' | 'connected-address'

/** Nothing was sent. */
export interface EgressRefused {
  readonly kind: 'refused'
  readonly reason: EgressRefusal
  readonly detail: string
}

export interface EgressFailed {
  readonly kind: 'failed'
  readonly reason: 'dns' | 'connection' | 'too-large' | 'ratio' | 'slow-body' | 'encoding' | 'redirect'
  readonly message: string
  /** Whether the other side may have seen the request. */
  readonly sent: boolean
}

export interface EgressResponse {
  readonly kind: 'response'
  /** Where it came from; another address than the one asked for only after redirects. */
  readonly url: string
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[]>>
  readonly body: Uint8Array
  /** Where a redirect that was not followed points, absolute; another request and another decision. */
  readonly location: string | null
  readonly remoteAddress: string
  /** How many redirects were followed. */
  readonly hops: number
}

export type EgressResult =
  | EgressResponse
  | EgressRefused
  | EgressFailed
  | { readonly kind: 'timeout' | 'cancelled'; readonly sent: boolean }

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
