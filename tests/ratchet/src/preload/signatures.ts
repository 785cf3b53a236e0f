/** Counts signatures that are made and verified with Node's own cryptography. */
import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { callerOf } from './caller.ts'
import type { Trace } from './trace.ts'

export function countSignatures(trace: Trace): void {
  const { sign, verify } = crypto
  crypto.sign = ((...given: Parameters<typeof sign>) => {
    trace('signature', callerOf())
    return sign(...given)
  }) as typeof sign
  crypto.verify = ((...given: Parameters<typeof verify>) => {
    trace('verification', callerOf())
    return verify(...given)
  }) as typeof verify
  syncBuiltinESMExports()
}
