/** The Ledger screen: what happened, what proves it, and why. */
import { ledgerQueryText, parseLedgerQuery } from '@countersign/contract'
import { useCallback, useMemo, useRef, useState } from 'react'
import type { Screen } from '../../app/destinations.ts'
import { useKeys } from '../../app/keys.tsx'
import { usePlace } from '../../app/place.ts'
import { useGateway } from '../../data/queries.ts'
import { Loaded, useDocumentTitle, useIsNarrow, useListKeys, useNotify } from '../../kit/index.ts'
import { useLedgerEntries } from './entries.ts'
import { EntryDetail } from './entry-detail.tsx'
import { useExporting } from './exporting.ts'
import { PhoneLedger, WideLedger } from './layouts.tsx'
import { useVerification } from './verification.ts'
import { commandFor } from './words.ts'

export const screen: Screen = { component: LedgerScreen }

function LedgerScreen() {
  const { parts, search, href, go, ask } = usePlace()
  const notify = useNotify()
  const narrow = useIsNarrow()
  const written = search['q'] ?? ''
  // What cannot be read of it stands in the bar with its problem, and the rest is asked.
  const q = askable(written)
  const chosen = numberOf(parts[0])
  const input = useRef<HTMLInputElement>(null)
  const [following, setFollowing] = useState(false)
  const ledger = useLedgerEntries(q, following)
  const verification = useVerification(ledger.isLoading ? undefined : ledger.size)
  const exporting = useExporting(q)
  const hrefOf = useCallback((seq: number) => href([String(seq)], { q }), [href, q])
  const backTo = href([], { q })
  const onAsk = useCallback((text: string) => ask({ q: text === '' ? undefined : text }), [ask])
  const askAnew = (text: string) => go(narrow ? href([], { q: text }) : href(parts, { q: text }))
  const copy = (text: string, said: string) =>
    void navigator.clipboard.writeText(text).then(
      () => notify({ text: said }),
      () => notify({ text: 'The browser did not let it be copied.', tone: 'bad' }),
    )
  const copyLink = () => copy(window.location.href, 'The link to this entry is copied.')
  const detail = useGateway(['ledger', 'entry', chosen], (client) => client.ledgerEntry(chosen ?? 0), {
    enabled: chosen !== null,
  })
  const run = detail.data?.entry.run ?? null
  useDocumentTitle(chosen === null ? 'Ledger' : `#${chosen} · Ledger`)
  const ids = useMemo(() => ledger.entries.map(({ seq }) => String(seq)), [ledger.entries])
  useListKeys('Ledger', {
    ids,
    current: chosen === null ? null : String(chosen),
    onMove: (seq) => go(hrefOf(Number(seq)), { replace: chosen !== null }),
    onBack: () => (chosen === null ? undefined : go(backTo)),
  })
  useKeys('Ledger', [
    { keys: '/', label: 'Ask the ledger', run: () => input.current?.focus() },
    {
      keys: 'f',
      label: following ? 'Stop following' : 'Follow what is written',
      run: () => setFollowing(!following),
    },
    { keys: 'v', label: 'Check the ledger', run: verification.check },
    { keys: 'w', label: 'Why it happened', run: () => showWhy() },
    { keys: 'r', label: 'Replay the run', run: () => (run === null ? undefined : go(`/activity/${run}`)) },
    {
      keys: 'shift+y',
      label: 'Copy as a command',
      run: () => copy(commandFor(q, chosen), 'The command is copied.'),
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
  const place = document.getElementById('entry-why')
  place?.scrollIntoView({ block: 'start', behavior: 'smooth' })
  place?.focus({ preventScroll: true })
}
