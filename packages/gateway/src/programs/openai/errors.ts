/** Owns how a failure is told in the shape of OpenAI. */
import { CountersignError, type ErrorCode, errorCatalogue } from '@countersign/contract'

export const openAiPrefix = '/openai/'

interface Kind {
  readonly status?: 401 | 404 | 429
  readonly type: string
  readonly code: string
}

const kinds: Partial<Readonly<Record<ErrorCode, Kind>>> = {
  not_authenticated: { type: 'invalid_request_error', code: 'invalid_api_key' },
  limit_reached: { type: 'rate_limit_error', code: 'rate_limit_exceeded' },
  // Clients know no other status for it.
  budget_exceeded: { status: 429, type: 'insufficient_quota', code: 'insufficient_quota' },
  not_found: { type: 'invalid_request_error', code: 'not_found' },
  usage: { type: 'invalid_request_error', code: 'invalid_request' },
}

export function openAiError({ code, message, next, details }: CountersignError) {
  const kind = kinds[code] ?? { type: 'server_error', code }
  const isModel = code === 'not_found' && 'model' in details
  return {
    error: {
      // What a command line would do next is no use here.
      message: next === errorCatalogue[code].next ? message : `${message} ${next}`,
      type: kind.type,
      param: typeof details['param'] === 'string' ? details['param'] : null,
      code: isModel ? 'model_not_found' : kind.code,
    },
  }
}

export function openAiStatus({ code }: CountersignError) {
  return kinds[code]?.status ?? errorCatalogue[code].http
}

/** What another try within a minute would change is for clients to try again; nothing else is. */
export function retryHeaders({ code }: CountersignError): Readonly<Record<string, string>> {
  if (code === 'limit_reached') return { 'retry-after': '60', 'x-should-retry': 'false' }
  return code === 'budget_exceeded' || code === 'conflict' ? { 'x-should-retry': 'false' } : {}
}
