/** Owns the table of the routes of the ledger. */
import { z } from 'zod'
import { LedgerReport, Receipt } from '../api.ts'
import {
  AskLedger,
  AskLedgerHead,
  ClearLedgerAlarms,
  ComplainOfLedger,
  ComplaintReply,
  LedgerEntryDetail,
  LedgerHead,
  LedgerPage,
  LedgerWitnesses,
  OversightDay,
  ReportSeenHead,
} from '../api-ledger.ts'
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
  ledgerHead: define(
    'get',
    '/v1/ledger/head',
    'The newest signed checkpoint, and the proof that it continues a smaller size.',
    LedgerHead,
    { query: AskLedgerHead },
  ),
  ledgerWitnesses: define(
    'get',
    '/v1/ledger/witnesses',
    'Who saw which size of the ledger when, and the alarms that stand.',
    LedgerWitnesses,
  ),
  reportSeenHead: define(
    'post',
    '/v1/ledger/witnesses/seen',
    'This device saw a size of the ledger and cosigns it.',
    Receipt,
    { body: ReportSeenHead },
  ),
  complainOfLedger: define(
    'post',
    '/v1/ledger/witnesses/complaints',
    'This device saw a checkpoint that the ledger does not continue. It counts only if the gateway signed that checkpoint.',
    ComplaintReply,
    { body: ComplainOfLedger },
  ),
  clearLedgerAlarms: define(
    'post',
    '/v1/ledger/witnesses/clear',
    'Clears alarms of the ledger, so that calls run again. Needs the seal of a device or a passkey.',
    Receipt,
    { body: ClearLedgerAlarms },
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
