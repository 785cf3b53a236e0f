/** Ids for scripted things: the same each time. */
import { type IdOf, idFrom } from '@countersign/contract'

export function id<Prefix extends keyof IdOf>(prefix: Prefix, number: number): IdOf[Prefix] {
  return idFrom(prefix, number.toString(16).padStart(32, '0'))
}

/** So many minutes from now, as text. */
export function minutes(from: number): string {
  return new Date(Date.now() + from * 60_000).toISOString()
}
