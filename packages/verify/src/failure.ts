/** The ways in which an export can fail, each with what the reader should do next. */

export type FailureCode = keyof typeof nextSteps

export interface Failure {
  readonly code: FailureCode
  /** Line of the export, from 1. Zero when the failure is about the file as a whole. */
  readonly line: number
  /** The entry concerned, or the first entry of the span in which the change lies. */
  readonly entry?: number
  readonly what: string
  readonly next: string
}

export function failureOf(
  code: FailureCode,
  place: { readonly line: number; readonly entry?: number | undefined },
  what: string,
): Failure {
  const entry = place.entry === undefined ? {} : { entry: place.entry }
  return { code, line: place.line, ...entry, what, next: nextSteps[code] }
}

/** Ledger text may hold terminal controls, so only plain ASCII is repeated, and not much of it. */
export function quoted(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing')
  const cut = text.length > 80 ? `${text.slice(0, 80)}...` : text
  return `"${cut.replace(/[^\x20-\x7e]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)}"`
}

const exportAgain =
  'Export the ledger again and verify that file. If it fails at the same place, the stored ledger was changed: stop the gateway and compare the head with a paired device.'
const compareKeys =
  'Compare the key with the one that a paired device shows. If they differ, this file does not come from your gateway.'
const askGateway =
  'The signatures may hold, so the gateway itself wrote this. Read the entries named here, and keep the file as evidence.'

const nextSteps = {
  'line-form': exportAgain,
  'line-not-canonical': exportAgain,
  'line-fields': 'Check that the file is a countersign-ledger/1 export and nothing was added to it.',
  'header-missing':
    'Check that the file is a complete countersign-ledger/1 export; its first line is the header.',
  'header-repeated': 'Verify each export on its own; two files were joined here.',
  'key-form': compareKeys,
  'key-name': compareKeys,
  'key-differs': compareKeys,
  'entry-number': exportAgain,
  'checkpoint-form': exportAgain,
  'checkpoint-origin': compareKeys,
  'checkpoint-unsigned': compareKeys,
  'checkpoint-signature': compareKeys,
  cosignature:
    'A witness whose key you named did not sign this. Ask the witness which checkpoint it saw, and compare its key.',
  'checkpoint-size': exportAgain,
  'checkpoint-backwards': exportAgain,
  'checkpoint-root': exportAgain,
  'checkpoint-none': 'Ask for an export that ends with a checkpoint: without one, no entry is signed.',
  'tail-unsigned':
    'Export again after the next checkpoint, or verify without --strict to accept an unsigned tail.',
  'witness-root':
    'The ledger was rewritten after it was witnessed, or the witness belongs to another ledger. Trust the witness: stop the gateway and keep both.',
  'witness-beyond':
    'Entries that were witnessed are not in this file. Export again; if they stay missing, the ledger was cut: stop the gateway and keep both.',
  'meaning-fields': askGateway,
  'outcome-without-intent': askGateway,
  'outcome-repeated': askGateway,
  'nonce-repeated': askGateway,
  'once-repeated': askGateway,
  'approval-missing': askGateway,
  'approval-not-approved': askGateway,
  'approval-reused': askGateway,
  'approval-digest': askGateway,
  'approval-reversed': askGateway,
} as const
