/** The Ledger screen: what happened, what proves it, and why. */

import { ledgerQueryText, parseLedgerQuery } from '@countersign/contract'
import { useCallback, useMemo, useRef, useState } from 'react'
import { useKeys } from '../../environment/keys.tsx'
import { useGateway } from '../../environment/queries.ts'
import { useRoute } from '../../environment/route.ts'
import type { Screen } from '../../environment/screen.ts'
import { Loaded, useDocumentTitle, useIsNarrow, useListKeys, useNotify } from '../../kit/index.ts'
import { words } from '../../words/ledger.tsx'
import { useLedgerEntries } from './entries.ts'
import { EntryDetail } from './entry-detail.tsx'
import { useExporting } from './exporting.ts'
import { PhoneLedger, WideLedger } from './layouts.tsx'
import { withoutMachine } from './shown-entries.ts'
import { useVerification } from './verification.ts'
import { commandFor } from './words.ts'

export const screen: Screen = { component: LedgerScreen }

function LedgerScreen() {
  const { parts, search, href, go, ask } = useRoute()
  const notify = useNotify()
  const narrow = useIsNarrow()
  const written = search['q'] ?? ''
  // What cannot be read of it stands in the bar with its problem, and the rest is asked.
  const q = askable(written)
  const chosen = numberOf(parts[0])
  const input = useRef<HTMLInputElement>(null)
  const [following, setFollowing] = useState(false)
  const machine = search['machine'] === 'yes'
  const ledger = useLedgerEntries(withoutMachine(q, machine), following)
  const verification = useVerification(ledger.isLoading ? undefined : ledger.size)
  const exporting = useExporting(q)
  const hrefOf = useCallback((seq: number) => href([String(seq)], { ...search, q }), [href, search, q])
  const backTo = href([], { ...search, q })
  const onAsk = useCallback((text: string) => ask({ q: text === '' ? undefined : text }), [ask])
  const askAnew = (text: string) => go(narrow ? href([], { q: text }) : href(parts, { q: text }))
  const copy = (text: string, said: string) =>
    void navigator.clipboard.writeText(text).then(
      () => notify({ text: said }),
      () => notify({ text: words.notCopied, tone: 'bad' }),
    )
  const copyLink = () => copy(window.location.href, words.linkCopied)
  const detail = useGateway(['ledger', 'entry', chosen], (client) => client.ledgerEntry(chosen ?? 0), {
    enabled: chosen !== null,
  })
  const run = detail.data?.entry.run ?? null
  useDocumentTitle(chosen === null ? words.title : words.entryTitle(chosen))
  const ids = useMemo(() => ledger.entries.map(({ seq }) => String(seq)), [ledger.entries])
  useListKeys(words.title, {
    ids,
    current: chosen === null ? null : String(chosen),
    onMove: (seq) => go(hrefOf(Number(seq)), { replace: chosen !== null }),
    onBack: () => (chosen === null ? undefined : go(backTo)),
  })
  useKeys(words.title, [
    { keys: '/', label: words.keys.ask, run: () => input.current?.focus() },
    {
      keys: 'f',
      label: following ? words.keys.stop : words.keys.follow,
      run: () => setFollowing(!following),
    },
    { keys: 'v', label: words.keys.check, run: verification.check },
    { keys: 'w', label: words.keys.why, run: () => showWhy() },
    { keys: 'r', label: words.keys.replay, run: () => (run === null ? undefined : go(`/activity/${run}`)) },
    {
      keys: 'shift+y',
      label: words.keys.copyCommand,
      run: () => copy(commandFor(q, chosen), words.commandCopied),
    },
  ])
  const shown =
    chosen === null ? null : (
      <Loaded query={detail}>
        {(data) => (
          <EntryDetail
            key={data.entry.seq}
            detail={data}
            hrefOf={hrefOf}
            onAsk={askAnew}
            onClose={() => go(backTo)}
            onCopyLink={copyLink}
          />
        )}
      </Loaded>
    )
  const layout = {
    q: written,
    input,
    onAsk,
    ledger,
    verification,
    exporting,
    following,
    onFollow: setFollowing,
    machine,
    onMachine: (on: boolean) => ask({ machine: on ? 'yes' : undefined }),
    current: chosen,
    hrefOf,
    backTo,
    detail: shown,
  }
  return narrow ? <PhoneLedger {...layout} /> : <WideLedger {...layout} />
}

function askable(written: string): string {
  const { query, problems } = parseLedgerQuery(written)
  return problems.length === 0 ? written : ledgerQueryText(query)
}

/** The address may name an entry that is none. */
function numberOf(part: string | undefined): number | null {
  return part !== undefined && /^[1-9]\d{0,14}$/.test(part) ? Number(part) : null
}

function showWhy(): void {
  const route = document.getElementById('entry-why')
  route?.scrollIntoView({ block: 'start', behavior: 'smooth' })
  route?.focus({ preventScroll: true })
}
