/** Owns the table of the routes of the ledger. */
import { z } from 'zod'
import { LedgerReport } from '../api.ts'
import { AskLedger, LedgerEntryDetail, LedgerPage, OversightDay } from '../api-ledger.ts'
import { define, defineStream } from './define.ts'

export const ledgerRoutes = {
  exportLedger: defineStream(
    'get',
    '/v1/ledger/export',
    'The whole ledger with its checkpoints, a line each, for `countersign-verify`.',
    'application/jsonl',
  ),
  verifyLedger: define(
    'get',
    '/v1/ledger/verify',
    'Checks every entry against every checkpoint.',
    LedgerReport,
  ),
  ledger: define('get', '/v1/ledger', 'Entries that match a query, newest first.', LedgerPage, {
    query: AskLedger,
  }),
  oversightDays: define(
    'get',
    '/v1/ledger/days',
    'Calls by tier and requests for approval, for each of the last days.',
    z.array(OversightDay),
    { query: z.object({ days: z.coerce.number().int().min(1).max(366).default(30) }) },
  ),
  ledgerEntry: define(
    'get',
    '/v1/ledger/{seq}',
    'One entry with its exact text and its checkpoint.',
    LedgerEntryDetail,
    {
      params: z.object({ seq: z.coerce.number().int().positive() }),
    },
  ),
}
