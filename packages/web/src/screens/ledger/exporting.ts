/** Owns saving what was asked for: every match up to a bound, page by page, and the whole ledger with its checkpoints. */

import type { LedgerEntryView } from '@countersign/contract'
import type { Client } from '@countersign/contract/client'
import { useState } from 'react'
import { useClient } from '../../environment/services.tsx'
import { saveFile, useNotify } from '../../kit/index.ts'
import { words } from '../../words/ledger.tsx'
import { type ExportForm, exportText, exportType } from './export-file.ts'

const mostExported = 10_000

export interface Exporting {
  readonly isBusy: boolean
  readonly matches: (form: ExportForm) => void
  readonly whole: () => void
}

export function useExporting(q: string): Exporting {
  const client = useClient()
  const notify = useNotify()
  const [isBusy, setBusy] = useState(false)
  const during = (work: () => Promise<string>) => {
    setBusy(true)
    work()
      .then((text) => notify({ text }))
      .catch((error: unknown) =>
        notify({ text: error instanceof Error ? error.message : words.exports.failed, tone: 'bad' }),
      )
      .finally(() => setBusy(false))
  }
  return {
    isBusy,
    matches: (form) =>
      during(async () => {
        const { entries, isCut } = await allMatches(client, q)
        saveFile(new Blob([exportText(form, entries)], { type: exportType[form] }), `ledger.${form}`)
        const said = words.exports.saved(entries.length)
        return isCut ? `${said} ${words.exports.more}` : said
      }),
    whole: () =>
      during(async () => {
        const body = await client.exportLedger()
        saveFile(await new Response(body).blob(), 'ledger.jsonl')
        return words.exports.savedWhole
      }),
  }
}

async function allMatches(
  client: Client,
  q: string,
): Promise<{ entries: readonly LedgerEntryView[]; isCut: boolean }> {
  const entries: LedgerEntryView[] = []
  for (let before: number | null | undefined; before !== null; ) {
    const page = await client.ledger({ q, limit: 500, ...(before === undefined ? {} : { before }) })
    entries.push(...page.entries)
    if (entries.length >= mostExported && page.next !== null)
      return { entries: entries.slice(0, mostExported), isCut: true }
    before = page.next
  }
  return { entries, isCut: false }
}
