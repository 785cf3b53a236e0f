/** The part of the typed client that reads the ledger. */
import { LedgerEntryDetail, LedgerPage } from '../api-ledger.ts'
import { type Call, part, query } from './call.ts'

export interface LedgerAsk {
  readonly q?: string
  readonly before?: number
  readonly after?: number
  readonly limit?: number
  readonly facets?: boolean
}

export function ledgerCalls(call: Call) {
  return {
    ledger: ({ q, before, after, limit, facets }: LedgerAsk = {}) =>
      call(
        LedgerPage,
        'GET',
        `/v1/ledger${query({
          q: q === '' ? undefined : q,
          before: before?.toString(),
          after: after?.toString(),
          limit: limit?.toString(),
          facets: facets === true ? 'yes' : undefined,
        })}`,
      ),
    ledgerEntry: (seq: number) => call(LedgerEntryDetail, 'GET', `/v1/ledger/${part(String(seq))}`),
  }
}
