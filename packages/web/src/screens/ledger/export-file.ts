/** Owns entries as files: lines of JSON, or a table for a spreadsheet. Refuses to hand a spreadsheet a formula. */
import { actorText, type LedgerEntryView, spreadsheetText } from '@countersign/contract'

export type ExportForm = 'jsonl' | 'csv'

export function exportText(form: ExportForm, entries: readonly LedgerEntryView[]): string {
  return form === 'jsonl' ? jsonLines(entries) : csv(entries)
}

export const exportType: Readonly<Record<ExportForm, string>> = {
  jsonl: 'application/jsonl',
  csv: 'text/csv;charset=utf-8',
}

function jsonLines(entries: readonly LedgerEntryView[]): string {
  return entries.map((entry) => `${JSON.stringify(entry)}\n`).join('')
}

const columns: readonly (readonly [title: string, value: (entry: LedgerEntryView) => string])[] = [
  ['entry', ({ seq }) => String(seq)],
  ['at', ({ at }) => at],
  ['type', ({ type }) => type],
  ['who', ({ actor }) => actorText(actor)],
  ['what happened', ({ sentence }) => sentence],
  ['tier', ({ tier }) => (tier === null ? '' : String(tier))],
  ['outcome', ({ outcome }) => outcome ?? ''],
  ['tool', ({ tool }) => tool ?? ''],
  ['rules', ({ rules }) => rules.join(' ')],
  ['run', ({ run }) => run ?? ''],
  ['call', ({ call }) => call ?? ''],
  ['approval', ({ approval }) => approval ?? ''],
  ['hash', ({ hash }) => hash],
  ['signed', ({ signed }) => (signed ? 'yes' : 'no')],
]

function csv(entries: readonly LedgerEntryView[]): string {
  const rows = [
    columns.map(([title]) => title),
    ...entries.map((entry) => columns.map(([, value]) => value(entry))),
  ]
  return rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('')
}

function cell(value: string): string {
  const plain = spreadsheetText(value)
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain
}
