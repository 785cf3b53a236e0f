/** Owns one entry whole: what happened, why, what was recorded, and what proves it. Summary and hash, never one alone. */

import { actorText, type LedgerEntryDetail, type LedgerEntryView } from '@countersign/contract'
import { History, Link2, ListFilter, X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import {
  Button,
  ButtonLink,
  CopyButton,
  DisplayFlags,
  Facts,
  KeyHint,
  Link,
  Mono,
  Safe,
  Section,
  Sheet,
  TierChip,
  useIsNarrow,
} from '../../kit/index.ts'
import { locale } from '../../language/current.ts'
import { words } from '../../words/ledger.tsx'
import { CompareEntry } from './compare-entry.tsx'
import { Outcome } from './outcome.tsx'
import { Proof } from './proof.tsx'
import { WhyChain } from './why-chain.tsx'
import { commandFor } from './words.ts'

export interface EntryDetailProps {
  readonly detail: LedgerEntryDetail
  readonly hrefOf: (seq: number) => string
  readonly onAsk: (q: string) => void
  readonly onClose: () => void
  readonly onCopyLink: () => void
}

export function EntryDetail({ detail, hrefOf, onAsk, onClose, onCopyLink }: EntryDetailProps) {
  const { entry } = detail
  const narrow = useIsNarrow()
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (narrow) heading.current?.focus({ preventScroll: true })
  }, [narrow])
  return (
    <article aria-labelledby="entry-title">
      <div className="flex min-h-7 items-center gap-2 text-small text-ink-2">
        {entry.tier === null ? null : <TierChip tier={entry.tier} />}
        {entry.outcome === null ? null : <Outcome outcome={entry.outcome} />}
        {narrow ? null : (
          <Button variant="quiet" size="small" icon={X} className="ms-auto -me-2" onClick={onClose}>
            {words.entry.close}
          </Button>
        )}
      </div>
      <h2 id="entry-title" ref={heading} tabIndex={-1} className="mt-2">
        <Safe text={entry.sentence} />
      </h2>
      <p className="mt-1 text-small text-ink-2">{words.entry.number(entry.seq, exactTime(entry.at))}</p>
      <DisplayFlags texts={[entry.sentence, detail.body]} />
      <div className="mt-3 flex flex-wrap gap-2">
        {entry.run === null ? null : (
          <ButtonLink to={`/activity/${entry.run}`}>
            <History size={16} aria-hidden className="-ms-0.5" />
            {words.entry.replay}
            <KeyHint keys="r" inButton />
          </ButtonLink>
        )}
        <Button variant="quiet" icon={ListFilter} onClick={() => onAsk(similarTo(entry))}>
          {words.entry.similar}
        </Button>
        <Button variant="quiet" icon={Link2} onClick={onCopyLink} keys="y">
          {words.entry.copyLink}
        </Button>
      </div>

      <Section title={words.entry.why} aside={<KeyHint keys="w" />}>
        <div id="entry-why" tabIndex={-1}>
          <Sheet>
            <WhyChain seq={entry.seq} hrefOf={hrefOf} />
          </Sheet>
        </div>
      </Section>
      <Section title={words.entry.recorded}>
        <Sheet>
          <Recorded entry={entry} onAsk={onAsk} />
          <Mono
            block
            text={JSON.stringify(entry.data, null, 2)}
            foldAfter={4_000}
            className="mt-3 border-t border-line pt-3"
          />
        </Sheet>
      </Section>
      <CompareEntry key={entry.seq} entry={entry} />
      <Proof detail={detail} />
      <CopyButton text={commandFor('', entry.seq)} label={words.entry.copyCommand} />
    </article>
  )
}

function Recorded({ entry, onAsk }: { entry: LedgerEntryView; onAsk: (q: string) => void }) {
  const filter = (text: string, q: string) => (
    <button
      type="button"
      title={words.entry.ask(q)}
      onClick={() => onAsk(q)}
      className="text-start underline decoration-line-strong underline-offset-2 hover:decoration-ink"
    >
      <Safe text={text} />
    </button>
  )
  return (
    <Facts
      className="text-small"
      rows={[
        [words.entry.type, filter(entry.type, `type:${entry.type}`)],
        [words.entry.who, filter(actorText(entry.actor), `actor:"${actorText(entry.actor)}"`)],
        [words.entry.tool, entry.tool === null ? null : filter(entry.tool, `tool:${entry.tool}`)],
        [words.entry.call, entry.headline === null ? null : <Safe text={entry.headline} />],
        [words.entry.effects, entry.effects.length === 0 ? null : entry.effects.join(', ')],
        [
          words.entry.rules,
          entry.rules.length === 0 ? null : (
            <span className="flex flex-wrap gap-x-3">
              {entry.rules.map((rule) => (
                <span key={rule}>{filter(rule, `rule:${rule}`)}</span>
              ))}
            </span>
          ),
        ],
        [words.entry.run, entry.run === null ? null : filter(entry.run, `run:${entry.run}`)],
        [
          words.entry.conversation,
          entry.session === null ? null : <Link to={`/chat/${entry.session}`}>{entry.session}</Link>,
        ],
        [
          words.entry.approval,
          entry.approval === null ? null : <Link to={`/approvals/${entry.approval}`}>{entry.approval}</Link>,
        ],
      ]}
    />
  )
}

/** The same kind of thing, done with the same tool. */
function similarTo({ type, tool }: LedgerEntryView): string {
  return tool === null ? `type:${type}` : `type:${type} tool:${tool}`
}

function exactTime(at: string): string {
  return new Date(at).toLocaleString(locale(), { dateStyle: 'medium', timeStyle: 'medium' })
}
