/** This entry beside another one: what was recorded differently. */

import type { LedgerEntryView } from '@countersign/contract'
import { useState } from 'react'
import { useGateway } from '../../environment/queries.ts'
import { Diff, Loaded, Safe, Section, Sheet, TextField } from '../../kit/index.ts'
import { words } from '../../words/ledger.tsx'

export function CompareEntry({ entry }: { entry: LedgerEntryView }) {
  const [typed, setTyped] = useState('')
  const other = /^#?\d{1,15}$/.test(typed.trim()) ? Number(typed.trim().replace('#', '')) : null
  return (
    <Section title={words.compare.title}>
      <div className="max-w-56">
        <TextField
          label={words.compare.with}
          inputMode="numeric"
          placeholder={words.compare.example}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
      </div>
      {other === null ? null : <Difference entry={entry} other={other} />}
    </Section>
  )
}

function Difference({ entry, other }: { entry: LedgerEntryView; other: number }) {
  const found = useGateway(['ledger', 'entry', other], (client) => client.ledgerEntry(other))
  return (
    <Loaded query={found}>
      {({ entry: earlier }) => (
        <Sheet className="mt-3">
          <p className="mb-2 text-small text-ink-2">
            #{earlier.seq}: <Safe text={earlier.sentence} />
          </p>
          <Diff
            before={recordedText(earlier)}
            after={recordedText(entry)}
            label={words.compare.label}
            whole
          />
        </Sheet>
      )}
    </Loaded>
  )
}

function recordedText({ type, actor, tool, tier, outcome, rules, data }: LedgerEntryView): string {
  return JSON.stringify({ type, actor, tool, tier, outcome, rules, data }, null, 2)
}
