/** What an extension did: how often each part of it was used, what never was, and the last calls with their entries in the ledger. */
import type { ExtensionCall, PartOfExtension } from '@countersign/contract'
import { useGateway } from '../../environment/queries.ts'
import {
  Chip,
  EmptyState,
  Link,
  Loaded,
  Safe,
  Section,
  Sheet,
  TierChip,
  Time,
  type Tone,
  useGrowing,
} from '../../kit/index.ts'
import { words } from '../../words/extensions.tsx'

const tones: Readonly<Record<ExtensionCall['outcome'], Tone>> = { ok: 'ok', failed: 'bad', unknown: 'bad' }

export function WhatItDid({ name, use }: { name: string; use: readonly PartOfExtension[] }) {
  const calls = useGateway(['extensions', 'calls', name], (client) => client.extensionCalls(name))
  const unused = use.filter((part) => part.calls === 0)
  return (
    <Section title={words.use.title} level={2}>
      {unused.length === 0 ? null : <NeverUsed parts={unused} />}
      <Loaded
        query={calls}
        isEmpty={(rows) => rows.length === 0}
        empty={<EmptyState sentence={words.use.none} className="py-2!" />}
      >
        {(rows) => <LastCalls rows={rows} />}
      </Loaded>
    </Section>
  )
}

function NeverUsed({ parts }: { parts: readonly PartOfExtension[] }) {
  const [first] = parts
  if (first === undefined) return null
  return (
    <p className="mb-2 text-ink-2">
      <span className="font-medium">{words.use.unusedTitle}</span>{' '}
      <span className="text-small text-ink-3">{words.use.since(<Time at={first.unusedSince} />)}</span>
      {first.kind === 'skill' ? null : (
        <span className="mt-0.5 block break-words">
          <Safe text={parts.map(({ part }) => part).join(', ')} />
        </span>
      )}
    </p>
  )
}

function LastCalls({ rows }: { rows: readonly ExtensionCall[] }) {
  const { shown, more } = useGrowing(rows)
  return (
    <Sheet padded={false}>
      <ul aria-label={words.use.lastCalls}>
        {shown.map((call) => (
          <li
            key={call.id}
            className="flex flex-wrap items-center gap-x-2 gap-y-1 border-t border-line px-4 py-2 text-small first:border-t-0"
          >
            <Chip tone={tones[call.outcome]}>{words.use.outcomes[call.outcome]}</Chip>
            {call.tier === null ? null : <TierChip tier={call.tier} />}
            <span className="min-w-0 break-words">
              <Safe text={partWords(call.part)} />
            </span>
            <span className="ms-auto flex flex-wrap items-center gap-x-3">
              {call.ledger === null ? null : (
                <Link to={`/ledger/${String(call.ledger)}`}>{words.use.entry(call.ledger)}</Link>
              )}
              <Link to={`/activity/${call.run}`}>{words.use.run}</Link>
              <span className="text-ink-3">
                <Time at={call.at} />
              </span>
            </span>
          </li>
        ))}
      </ul>
      {more}
    </Sheet>
  )
}

function partWords(part: string): string {
  const known: Readonly<Record<string, string>> = words.use.skillParts
  return Object.hasOwn(known, part) ? (known[part] ?? part) : part
}
