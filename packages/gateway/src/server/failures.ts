/** Owns how a failure becomes an answer. */
import { CountersignError, type ErrorReply } from '@countersign/contract'
import { diskFullWords, isDiskFull } from '@countersign/contract/node'
import { HTTPException } from 'hono/http-exception'

/** The library that reads requests refuses a body that is no JSON by itself, and the sender is to hear why. */
export function knownFailure(error: unknown): CountersignError | null {
  if (error instanceof CountersignError) return error
  if (isDiskFull(error))
    return new CountersignError('ledger_unwritable', diskFullWords, {
      cause: error,
      next: 'Free some space on the disk of the gateway; it goes on by itself.',
    })
  if (!(error instanceof HTTPException) || error.status >= 500) return null
  return new CountersignError('usage', `The request could not be read: ${error.message}.`, {
    next: 'Send JSON, with the header `content-type: application/json`.',
  })
}

/** An id that no id can be names nothing; anything else that does not fit is said, without the words of the validator. */
export function unreadable({
  target,
  error,
}: {
  readonly target: string
  readonly error: {
    readonly issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[]
  }
}): CountersignError {
  if (target === 'param') return new CountersignError('not_found', 'There is nothing with this id.')
  const places = error.issues.map(({ path, message }) =>
    path.length === 0 ? message : `${path.map(String).join('.')}: ${message}`,
  )
  return new CountersignError('usage', `The request is not valid. ${places.join('; ')}.`)
}

export function errorReply(error: CountersignError): ErrorReply {
  const { code, message, next, details } = error
  return {
    ok: false,
    error: { type: code, message, next, ...(Object.keys(details).length > 0 ? { details } : {}) },
  }
}
