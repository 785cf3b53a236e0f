/** Owns how a failure becomes an answer. */
import { CountersignError, type ErrorReply } from '@countersign/contract'
import { HTTPException } from 'hono/http-exception'

/** The library that reads requests refuses a body that is no JSON by itself, and the sender is to hear why. */
export function knownFailure(error: unknown): CountersignError | null {
  if (error instanceof CountersignError) return error
  if (!(error instanceof HTTPException) || error.status >= 500) return null
  return new CountersignError('usage', `The request could not be read: ${error.message}.`, {
    next: 'Send JSON, with the header `content-type: application/json`.',
  })
}

export function errorReply(error: CountersignError): ErrorReply {
  const { code, message, next, details } = error
  return {
    ok: false,
    error: { type: code, message, next, ...(Object.keys(details).length > 0 ? { details } : {}) },
  }
}
