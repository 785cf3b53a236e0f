/** Owns the one text of a live state. Two holders of the same state have the same SHA-256 of it. */
import { canonicalText } from '../json/canonical.ts'
import type { JsonValue } from '../json/value.ts'
import type { LiveState } from './state.ts'

/** It is first brought to what the wire would carry, so that it does not matter whether the state was ever sent. */
export function liveText(state: LiveState): string {
  const sent: unknown = JSON.parse(
    JSON.stringify(state, (_key, value: unknown) =>
      typeof value === 'string' ? value.toWellFormed() : value,
    ),
  )
  return canonicalText(sent as JsonValue)
}
