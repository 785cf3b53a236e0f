/** Owns what proves an entry: its hash, the exact text that it is of, and the signed checkpoint that covers it. */

import type { LedgerEntryDetail } from '@countersign/contract'
import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { CopyButton, Facts, Mono, Section, Sheet, Time } from '../../kit/index.ts'
import { words } from '../../words/ledger.tsx'

export function Proof({ detail: { entry, body, exact, checkpoint } }: { detail: LedgerEntryDetail }) {
  return (
    <Section title={words.proof.title}>
      <Sheet>
        <Facts
          className="text-small"
          rows={[
            [words.proof.hash, <Mono key="hash" text={entry.hash} className="break-all" />],
            [
              words.proof.signed,
              checkpoint === null
                ? words.proof.notYet
                : words.proof.by(checkpoint.size, <Time at={checkpoint.at} />),
            ],
          ]}
        />
        <Fold title={exact ? words.proof.exact : words.proof.masked}>
          {exact ? null : <p className="mt-1 text-small text-ink-2">{words.proof.maskedAbout}</p>}
          <Mono block text={body} className="mt-1" />
          <CopyButton text={body} label={words.proof.copy} size="small" />
        </Fold>
        {checkpoint === null ? null : (
          <Fold title={words.proof.checkpoint}>
            <Mono block text={checkpoint.note} className="mt-1" />
          </Fold>
        )}
      </Sheet>
    </Section>
  )
}

function Fold({ title, children }: { title: string; children: ReactNode }) {
  return (
    <details className="group mt-1.5">
      <summary className="target inline-flex list-none items-center gap-1 text-small font-medium text-ink-2 hover:text-ink [&::-webkit-details-marker]:hidden">
        <ChevronRight
          size={14}
          aria-hidden
          className="transition-transform duration-[120ms] group-open:rotate-90 rtl:rotate-180 rtl:group-open:rotate-90"
        />
        {title}
      </summary>
      {children}
    </details>
  )
}
