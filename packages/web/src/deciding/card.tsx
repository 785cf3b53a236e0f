/** One request as it is decided about, top to bottom: what exactly runs, what it can affect, why you are asked, what the agent says. */

import {
  type ApprovalDetail,
  type ApprovalView,
  type Chain,
  cardFlags,
  type Effect,
  languageOf,
  readsForModel,
  reversalOf,
} from '@countersign/contract'
import { ChevronRight } from 'lucide-react'
import {
  Button,
  chainWords,
  classes,
  Facts,
  Flags,
  Link,
  Mono,
  Safe,
  SafeBlock,
  Section,
  Sheet,
  Stamp,
  TierChip,
  Time,
  useNow,
} from '../kit/index.ts'
import { locale } from '../language/current.ts'
import { dayTimeWords, leftWords } from '../language/format.ts'
import { words } from '../words/approvals.tsx'
import { words as common } from '../words/common.ts'
import { Arguments } from './arguments.tsx'
import { Preview } from './preview.tsx'

export const headlineId = 'approval-headline'

export function ApprovalCard({
  approval,
  detail,
  replaced,
  model = '',
  onExtend,
}: {
  approval: ApprovalView
  /** Undefined while it is being asked for. */
  detail: ApprovalDetail | undefined
  /** The request that this one took the place of. */
  replaced: ApprovalDetail | undefined
  /** The one that reads what the call reads; empty where it is not known. */
  model?: string
  onExtend: (() => void) | null
}) {
  const now = useNow()
  const { card } = approval
  const tense = approval.state === 'pending' ? 'now' : approval.state === 'approved' ? 'approved' : 'not run'
  return (
    <article aria-labelledby={headlineId}>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-small text-ink-3">
        <TierChip tier={card.tier} />
        <span>{approval.code}</span>
        {approval.state === 'pending' ? (
          <>
            <span>{words.card.expires(leftWords(approval.expiresAt, now))}</span>
            {onExtend === null ? null : (
              <Button variant="quiet" size="small" keys="z" onClick={onExtend}>
                {words.card.extend}
              </Button>
            )}
          </>
        ) : null}
        <Link to={`/chat/${approval.session}`}>{words.card.conversation}</Link>
      </div>
      {approval.state === 'pending' ? null : <DecidedState approval={approval} />}
      <h2 id={headlineId} tabIndex={-1} className="mt-2 text-title">
        <Safe text={card.headline} />
      </h2>
      <ActorChain chain={card.chain} />
      <Flags flags={cardFlags(card)} />
      <Section
        title={words.card.exactly[tense]}
        aside={<span className="font-mono">{approval.digest.slice(0, 12)}</span>}
      >
        <Preview preview={card.preview} />
        {replaced === undefined ? null : <Changes before={replaced.args} after={detail?.args ?? ''} />}
      </Section>
      <Section title={words.card.arguments}>
        <Arguments card={card} />
      </Section>
      <div className="mt-5 grid gap-3 lg:grid-cols-2">
        <Sheet>
          <h3 className="mb-1.5">{words.card.affects[tense]}</h3>
          <Effects effects={card.effects} model={model} />
        </Sheet>
        <Sheet>
          <h3 className="mb-1.5">{words.card.why[tense]}</h3>
          <Why approval={approval} history={detail?.history} />
        </Sheet>
      </div>
      {approval.agentSays === '' && approval.asked.length === 0 ? null : (
        <Section title={words.card.agentSays}>
          <div className="space-y-3 border-s-2 border-dashed border-line-strong ps-3 text-ink-2">
            {approval.agentSays === '' ? null : <SafeBlock text={approval.agentSays} />}
            {approval.asked.map((exchange) => (
              <div key={exchange.at}>
                <p className="text-small text-ink-3">
                  {words.card.youAsked(<Time at={exchange.at} />, <Safe text={exchange.question} />)}
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
            {words.card.everyByte}
          </summary>
          <Facts
            className="mt-2"
            rows={[
              [words.card.digest, <Mono key="digest" text={approval.digest} className="break-all" />],
              [words.card.subject, <Mono key="subject" block text={detail.subject} foldAfter={2_000} />],
            ]}
          />
        </details>
      )}
    </article>
  )
}

export function ActorChain({ chain }: { chain: Chain }) {
  return (
    <ol
      className="mt-1 flex flex-wrap items-center gap-1 text-small text-ink-2"
      aria-label={words.card.chain}
    >
      {chain.map((link, place) => (
        <li key={`${link.kind} ${link.id}`} className="flex items-center gap-1">
          {place === 0 ? null : <ChevronRight size={12} aria-hidden className="text-ink-3 rtl:rotate-180" />}
          {link.kind === 'run' ? (
            <Link to={`/activity/${link.id}`}>{common.chain.run}</Link>
          ) : link.kind === 'tool' ? (
            <Mono text={link.name} />
          ) : (
            <Safe text={place === 0 ? capitalised(chainWords(link)) : chainWords(link)} />
          )}
        </li>
      ))}
    </ol>
  )
}

function capitalised(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1)
}

export function Effects({ effects, model = '' }: { effects: readonly Effect[]; model?: string }) {
  const leaves = [...new Set(effects.flatMap((effect) => effect.leaves))]
  const reversal = reversalOf(effects)
  return (
    <ul className="space-y-1">
      {effects.map((effect, place) => (
        <li key={`${effect.verb} ${effect.object} ${String(place)}`}>
          {words.card.verbs[effect.verb]} <Safe text={effect.object} />
          {effect.outward ? <span className="text-t3">{words.card.seenByOthers}</span> : null}
        </li>
      ))}
      <li>
        {leaves.length === 0
          ? words.card.nothingLeaves
          : words.card.leaves(<Safe text={leaves.join(', ')} />)}
      </li>
      {readsForModel(effects) ? <li>{words.card.readByModel(<Safe text={model} />)}</li> : null}
      <li className={reversal === 'impossible' ? 'text-t3' : ''}>{words.card.undo[reversal]}</li>
    </ul>
  )
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
      <AskingLines approval={approval} as="li" />
      {why.rules.map((rule) => (
        <li key={rule.id}>
          <Mono text={`${rule.file}:${String(rule.line)}`} /> {words.card.quoted(<Safe text={rule.why} />)}
        </li>
      ))}
      {why.raised.length === 0 ? null : (
        <li>
          <Raised clauses={why.raised} />
        </li>
      )}
      {history === undefined ? null : (
        <li className="text-ink-2">{words.card.similar(history.approved, history.denied)}</li>
      )}
      <li className="text-ink-2">
        <Link to={`/ledger?q=${encodeURIComponent(`run:${approval.run}`)}`}>{words.card.ledger}</Link>
      </li>
    </ul>
  )
}

/** Why it asks, and what would make it stop. */
export function AskingLines({ approval, as: Line }: { approval: ApprovalView; as: 'li' | 'p' }) {
  const { why, stops } = approval.asks[languageOf(locale())]
  return (
    <>
      <Line>
        <Safe text={why} />
      </Line>
      {stops === '' ? null : (
        <Line className="text-ink-2">
          <Safe text={stops} />
        </Line>
      )}
    </>
  )
}

/** What made it more than it is by itself. */
export function Raised({ clauses }: { clauses: readonly string[] }) {
  return clauses.map((clause) => (
    <p key={clause}>
      <span className="font-medium text-t3">{words.card.raised}</span>: <Safe text={clause} />
    </p>
  ))
}

/** What became of it, larger than what it was. Only what was approved carries the seal. */
function DecidedState({ approval: { state, receipt, reason, decidedAt } }: { approval: ApprovalView }) {
  return (
    <Sheet className={classes('mt-3 flex items-start gap-3', decidedTones[state])}>
      {state === 'approved' ? <Stamp size={26} className="mt-px" /> : null}
      <div className="min-w-0">
        <p className="text-large font-bold">{words.card.states[state]}</p>
        {receipt === null ? null : (
          <p className="text-small text-ink-2">
            <Safe text={receipt} />
            {decidedAt === null ? null : `, ${dayTimeWords(new Date(decidedAt))}`}
          </p>
        )}
        {reason === null || reason === '' ? null : (
          <p className="mt-1">
            <Safe text={reason} />
          </p>
        )}
      </div>
    </Sheet>
  )
}

const decidedTones: Readonly<Record<ApprovalView['state'], string>> = {
  pending: '',
  approved: 'bg-t1-soft',
  denied: 'bg-bad-soft',
  expired: 'bg-well',
  withdrawn: 'bg-well',
  superseded: 'bg-well',
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
      <p className="mb-1 text-small text-ink-2">{words.card.changes}</p>
      <Sheet padded={false}>
        {names.map((name) => (
          <div key={name} className="border-t border-line first:border-t-0">
            <p className="px-4 pt-2 text-small text-ink-3">{name}</p>
            <pre className="bg-del px-4 whitespace-pre-wrap">
              <span className="sr-only">{words.card.proposed} </span>- <Safe text={old[name] ?? ''} />
            </pre>
            <pre className="bg-add px-4 pb-1 whitespace-pre-wrap">
              <span className="sr-only">{words.card.yours} </span>+ <Safe text={fresh[name] ?? ''} />
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
