/** Owns what proves an entry: its hash, the exact text that it is of, and the signed checkpoint that covers it. */
import type { LedgerEntryDetail } from '@countersign/contract'
import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { CopyButton, Facts, Mono, Section, Sheet, Time } from '../../kit/index.ts'
import { countWords } from '../../language/plural.ts'

export function Proof({ detail: { entry, body, exact, checkpoint } }: { detail: LedgerEntryDetail }) {
  return (
    <Section title="What proves it">
      <Sheet>
        <Facts
          className="text-small"
          rows={[
            ['Hash', <Mono key="hash" text={entry.hash} className="break-all" />],
            [
              'Signed',
              checkpoint === null ? (
                'Not yet. The next checkpoint covers it, within a minute.'
              ) : (
                <>
                  By the checkpoint over {countWords(checkpoint.size, 'entry', 'entries')},{' '}
                  <Time at={checkpoint.at} />
                </>
              ),
            ],
          ]}
        />
        <Fold title={exact ? 'The exact text of the hash' : 'The text, with a secret masked'}>
          {exact ? null : (
            <p className="mt-1 text-small text-ink-2">
              A secret that became known later is masked here, so this text no longer gives the hash.
            </p>
          )}
          <Mono block text={body} className="mt-1" />
          <CopyButton text={body} label="Copy the text" size="small" />
        </Fold>
        {checkpoint === null ? null : (
          <Fold title="The signed checkpoint">
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
