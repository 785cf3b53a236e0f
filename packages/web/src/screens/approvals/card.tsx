/** One request as it is decided about, top to bottom: what exactly runs, what it can affect, why you are asked, what the agent says. */
import {
  type ApprovalDetail,
  type ApprovalView,
  type Chain,
  cardFlags,
  type Effect,
  linkWords,
} from '@countersign/contract'
import { ChevronRight } from 'lucide-react'
import {
  Button,
  Facts,
  Flags,
  Link,
  leftWords,
  Mono,
  Safe,
  SafeBlock,
  Section,
  Sheet,
  Stamp,
  TierChip,
  Time,
  useNow,
} from '../../kit/index.ts'
import { Arguments } from './arguments.tsx'
import { Preview } from './preview.tsx'

export const headlineId = 'approval-headline'

export function ApprovalCard({
  approval,
  detail,
  replaced,
  onExtend,
}: {
  approval: ApprovalView
  /** Undefined while it is being asked for. */
  detail: ApprovalDetail | undefined
  /** The request that this one took the place of. */
  replaced: ApprovalDetail | undefined
  onExtend: (() => void) | null
}) {
  const now = useNow()
  const { card } = approval
  return (
    <article aria-labelledby={headlineId}>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-small text-ink-3">
        <TierChip tier={card.tier} />
        <span>{approval.code}</span>
        {approval.state === 'pending' ? (
          <>
            <span>expires in {leftWords(approval.expiresAt, now)}</span>
            {onExtend === null ? null : (
              <Button look="quiet" size="small" keys="z" onClick={onExtend}>
                Extend
              </Button>
            )}
          </>
        ) : (
          <span>{approval.state}</span>
        )}
      </div>
      <h2 id={headlineId} tabIndex={-1} className="mt-2 text-title">
        <Safe text={card.headline} />
      </h2>
      <ActorChain chain={card.chain} />
      <Flags flags={cardFlags(card)} />
      {approval.receipt === null ? null : <Receipt text={approval.receipt} reason={approval.reason} />}
      <Section
        title="Exactly what will run"
        aside={<span className="font-mono">{approval.digest.slice(0, 12)}</span>}
      >
        <Preview preview={card.preview} />
        {replaced === undefined ? null : <Changes before={replaced.args} after={detail?.args ?? ''} />}
      </Section>
      <Section title="Arguments">
        <Arguments card={card} />
      </Section>
      <div className="mt-5 grid gap-3 lg:grid-cols-2">
        <Sheet>
          <h3 className="mb-1.5">What it can affect</h3>
          <Effects effects={card.effects} />
        </Sheet>
        <Sheet>
          <h3 className="mb-1.5">Why you are asked</h3>
          <Why approval={approval} history={detail?.history} />
        </Sheet>
      </div>
      {approval.agentSays === '' && approval.asked.length === 0 ? null : (
        <Section title="The agent says (unverified)">
          <div className="space-y-3 border-s-2 border-dashed border-line-strong ps-3 text-ink-2">
            {approval.agentSays === '' ? null : <SafeBlock text={approval.agentSays} />}
            {approval.asked.map((exchange) => (
              <div key={exchange.at}>
                <p className="text-small text-ink-3">
                  You asked <Time at={exchange.at} />: <Safe text={exchange.question} />
                </p>
                <SafeBlock text={exchange.answer} className="mt-0.5" />
              </div>
            ))}
          </div>
        </Section>
      )}
      {detail === undefined ? null : (
        <details className="mt-5">
          <summary className="target cursor-default text-small font-medium text-ink-2">
            Every byte that is bound
          </summary>
          <Facts
            className="mt-2"
            rows={[
              ['Digest', <Mono key="digest" text={approval.digest} className="break-all" />],
              ['Subject', <Mono key="subject" block text={detail.subject} foldAfter={2_000} />],
            ]}
          />
        </details>
      )}
    </article>
  )
}

function ActorChain({ chain }: { chain: Chain }) {
  return (
    <ol
      className="mt-1 flex flex-wrap items-center gap-1 text-small text-ink-2"
      aria-label="Who is asking, from whoever began it to the tool"
    >
      {chain.map((link, place) => (
        <li key={`${link.kind} ${link.id}`} className="flex items-center gap-1">
          {place === 0 ? null : <ChevronRight size={12} aria-hidden className="text-ink-3 rtl:rotate-180" />}
          {link.kind === 'run' ? (
            <Link to={`/activity/${link.id}`}>this run</Link>
          ) : link.kind === 'tool' ? (
            <Mono text={link.name} />
          ) : (
            <Safe text={place === 0 ? capitalised(linkWords(link)) : linkWords(link)} />
          )}
        </li>
      ))}
    </ol>
  )
}

function capitalised(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function Effects({ effects }: { effects: readonly Effect[] }) {
  const leaves = [...new Set(effects.flatMap((effect) => effect.leaves))]
  const undoable = effects.every((effect) => effect.reversible)
  return (
    <ul className="space-y-1">
      {effects.map((effect, place) => (
        <li key={`${effect.verb} ${effect.object} ${String(place)}`}>
          {verbWords[effect.verb]} <Safe text={effect.object} />
          {effect.outward ? <span className="text-t3">, seen by others</span> : null}
        </li>
      ))}
      <li>
        {leaves.length === 0 ? (
          'Nothing leaves this machine'
        ) : (
          <>
            Leaves this machine: <Safe text={leaves.join(', ')} />
          </>
        )}
      </li>
      <li className={undoable ? '' : 'text-t3'}>{undoable ? 'Can be undone' : 'Cannot be undone'}</li>
    </ul>
  )
}

const verbWords: Readonly<Record<Effect['verb'], string>> = {
  read: 'Reads',
  list: 'Lists',
  write: 'Writes',
  delete: 'Deletes',
  fetch: 'Fetches',
  send: 'Sends to',
  execute: 'Runs',
  spend: 'Spends',
  ask: 'Asks',
  authority: 'Changes who is in charge:',
}

function Why({
  approval,
  history,
}: {
  approval: ApprovalView
  history: ApprovalDetail['history'] | undefined
}) {
  const { why } = approval.card
  return (
    <ul className="space-y-1">
      <li>
        <Safe text={why.reason} />
      </li>
      {why.rules.map((rule) => (
        <li key={rule.id}>
          <Mono text={`${rule.file}:${String(rule.line)}`} /> “<Safe text={rule.why} />”
        </li>
      ))}
      {why.raised.map((clause) => (
        <li key={clause}>
          <span className="font-medium text-t3">Raised</span>: <Safe text={clause} />
        </li>
      ))}
      {history === undefined ? null : (
        <li className="text-ink-2">
          Similar: {history.approved} approved, {history.denied} denied in 30 days
        </li>
      )}
      <li className="text-ink-2">
        <Link to={`/ledger?q=${encodeURIComponent(`run:${approval.run}`)}`}>See it in the ledger</Link>
      </li>
    </ul>
  )
}

function Receipt({ text, reason }: { text: string; reason: string | null }) {
  return (
    <Sheet className="mt-4 flex items-start gap-3">
      <Stamp size={22} className="mt-px" />
      <div>
        <Safe text={text} />
        {reason === null || reason === '' ? null : (
          <p className="text-small text-ink-2">
            <Safe text={reason} />
          </p>
        )}
      </div>
    </Sheet>
  )
}

/** What the operator changed, argument by argument. */
function Changes({ before, after }: { before: string; after: string }) {
  const [old, fresh] = [argumentsOf(before), argumentsOf(after)]
  const names = [...new Set([...Object.keys(old), ...Object.keys(fresh)])].filter(
    (name) => old[name] !== fresh[name],
  )
  if (names.length === 0) return null
  return (
    <div className="mt-3">
      <p className="mb-1 text-small text-ink-2">Your changes</p>
      <Sheet padded={false}>
        {names.map((name) => (
          <div key={name} className="border-t border-line first:border-t-0">
            <p className="px-4 pt-2 text-small text-ink-3">{name}</p>
            <pre className="bg-del px-4 whitespace-pre-wrap">
              <span className="sr-only">Proposed: </span>- <Safe text={old[name] ?? ''} />
            </pre>
            <pre className="bg-add px-4 pb-1 whitespace-pre-wrap">
              <span className="sr-only">Yours: </span>+ <Safe text={fresh[name] ?? ''} />
            </pre>
          </div>
        ))}
      </Sheet>
    </div>
  )
}

function argumentsOf(text: string): Record<string, string> {
  if (text === '') return {}
  const value = JSON.parse(text) as Record<string, unknown>
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [
      name,
      typeof part === 'string' ? part : JSON.stringify(part),
    ]),
  )
}
