/**
 * Owns that the process of a channel signals no other. Node's permissions do not forbid it, and a signal opens the
 * debugger of any Node process of the same user. Where bubblewrap gives it processes of its own there is nobody to signal.
 */
import { syncBuiltinESMExports } from 'node:module'

/** The second is what the first calls; the others are for debuggers. */
const signalling = ['kill', '_kill', '_debugProcess', '_debugEnd'] as const

/** Before anything is loaded that is not believed. Nothing brings them back. */
export function withoutSignals(own: object): void {
  for (const name of signalling)
    Object.defineProperty(own, name, { value: undefined, writable: false, configurable: false })
  syncBuiltinESMExports()
}
