/**
 * Finds the addresses of a place once, and refuses the place if its port is closed or if a single one of its addresses
 * is not one to be reached.
 */
import { lookup as lookupHost } from 'node:dns/promises'
import { type AddressClass, addressClass } from './address.ts'
import { type EgressFailed, type EgressRefused, messageOf } from './outcome.ts'
import type { Target } from './target.ts'

export interface AddressPolicy {
  /** Besides 80 and 443. */
  readonly ports: readonly number[]
  /** Local places that the operator has named, host and port exactly as they stand in the URL. */
  readonly allowPrivate: readonly { readonly host: string; readonly port: number }[]
}

export type Lookup = (host: string) => Promise<readonly string[]>

export type Destination = Pick<Target, 'asciiHost' | 'port' | 'ipClass'>

export type CheckedAddresses =
  | { readonly kind: 'checked'; readonly addresses: readonly string[] }
  | EgressRefused
  | EgressFailed

/** Rejects only with the reason of the signal. */
export async function resolveChecked(
  target: Destination,
  policy: AddressPolicy,
  lookup: Lookup,
  signal: AbortSignal,
): Promise<CheckedAddresses> {
  const isNamed = policy.allowPrivate.some(
    ({ host, port }) => host === target.asciiHost && port === target.port,
  )
  const isOpenPort = [80, 443, ...policy.ports].includes(target.port)
  if (!isOpenPort && !isNamed) return { kind: 'refused', reason: 'port', detail: String(target.port) }
  const isLiteral = target.ipClass !== undefined
  let answers: readonly string[]
  try {
    answers = isLiteral ? [target.asciiHost] : await orStopped(lookup(target.asciiHost), signal)
  } catch (error) {
    signal.throwIfAborted()
    return { kind: 'failed', reason: 'dns', message: messageOf(error), sent: false }
  }
  if (answers.length === 0) return { kind: 'failed', reason: 'dns', message: 'no address', sent: false }
  for (const answer of answers) {
    const found = addressClass(answer)
    const isFine = found === 'public' || (isNamed && (isLiteral ? found !== 'invalid' : nearby.has(found)))
    if (!isFine) return { kind: 'refused', reason: 'address', detail: `${answer} is ${found}` }
  }
  return { kind: 'checked', addresses: answers }
}

/** Every answer of the resolver of this host, in its order. */
export async function systemLookup(host: string): Promise<readonly string[]> {
  const answers = await lookupHost(host, { all: true, order: 'verbatim' })
  return answers.map(({ address }) => address)
}

/** What a name that the operator has allowed may resolve to. Link-local, where clouds keep secrets, is not in it. */
const nearby = new Set<AddressClass>(['loopback', 'private', 'carrier-grade-nat'])

/** A name lookup cannot be cancelled, but nobody has to wait for it. */
function orStopped<T>(work: Promise<T>, stop: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(stop.reason as Error)
    if (stop.aborted) onAbort()
    stop.addEventListener('abort', onAbort, { once: true })
    work.then(resolve, reject).finally(() => stop.removeEventListener('abort', onAbort))
  })
}
