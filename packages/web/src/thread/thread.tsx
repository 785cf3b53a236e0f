/** Shows a conversation: what was said, what was done, what was asked. The same for what is live and for what is replayed. */

import type { LiveState, ReplyItem, RunId, SessionId } from '@countersign/contract'
import { useMemo } from 'react'
import type { Stream } from '../data/streams.ts'
import { ButtonLink, Safe, TierChip } from '../kit/index.ts'
import { words } from '../words/chat.tsx'
import { words as common } from '../words/common.ts'
import { words as retrying } from '../words/retrying.ts'
import { Cells } from './cells.tsx'
import { entriesOf, type ThreadEntry } from './entries.ts'
import { QuestionView } from './question-view.tsx'
import { Ended, Retrying } from './retrying.tsx'
import { type MessageActions, Reply, Thinking, YourMessage } from './said.tsx'

export function Thread({
  state,
  session,
  stream: said,
  readOnly = false,
  actions = null,
  aloud = null,
}: {
  state: LiveState
  session: SessionId
  /** What is being said right now, if anything is. */
  stream?: Stream | undefined
  readOnly?: boolean
  actions?: MessageActions | null
  /** Whose voice may read replies: any, or only one of this machine. Left out, none does. */
  aloud?: 'anywhere' | 'here' | null
}) {
  const thread = state.threads[session]
  // What broke off is told below, and nobody thinks meanwhile.
  const isBroken = said?.text === '' && state.runs[said.run]?.state === 'parked'
  const stream = isBroken ? undefined : said
  const entries = useMemo(() => entriesOf(thread?.items ?? []), [thread])
  return (
    <div role="log" aria-label={words.conversation} aria-live="off" className="space-y-4">
      {thread !== undefined && thread.dropped > 0 ? (
        <p className="text-small text-ink-3">{words.thread.dropped(thread.dropped)}</p>
      ) : null}
      {[
        ...entries.map((entry) =>
          entry.kind === 'reply' ? (
            <Reply
              key={keyOf(entry)}
              text={entry.item.text}
              note={replyNote(entry.item)}
              at={entry.item.at}
              model={entry.item.model}
              streaming={null}
              aloud={aloud}
            />
          ) : (
            <EntryView key={keyOf(entry)} entry={entry} state={state} readOnly={readOnly} actions={actions} />
          ),
        ),
        // Among the others, under the key and of the kind that the finished reply will have.
        ...(stream === undefined
          ? []
          : [<Reply key={replyKey(stream)} text={stream.text} note={null} at={null} streaming={stream} />]),
      ]}
      {thread?.run == null || (stream !== undefined && stream.text !== '') ? null : (
        <Retrying run={state.runs[thread.run]} readOnly={readOnly} />
      )}
      {thread?.run != null && stream === undefined && !readOnly && isThinking(state, thread.run, entries) ? (
        <Thinking key={thread.run} run={thread.run} />
      ) : null}
    </div>
  )
}

interface EntryProps {
  readonly entry: Exclude<ThreadEntry, { kind: 'reply' }>
  readonly state: LiveState
  readonly readOnly: boolean
  readonly actions: MessageActions | null
}

function EntryView({ entry, state, readOnly, actions }: EntryProps) {
  switch (entry.kind) {
    case 'message':
      return <YourMessage item={entry.item} actions={actions} />
    case 'undo':
      return <h3 className="text-small font-[600] text-ink-2">{words.thread.youUndid(entry.calls)}</h3>
    case 'activity':
      return <Cells rows={entry.rows} readOnly={readOnly} />
    case 'question':
      return (
        <QuestionView item={entry.item} open={state.questions[entry.item.question]} readOnly={readOnly} />
      )
    case 'approval':
      return <LooseApproval entry={entry} />
    case 'end':
      return <Ended item={entry.item} readOnly={readOnly} />
    case 'empty':
      return <p className="border-s-2 border-line-strong ps-3 text-small text-ink-2">{retrying.empty}</p>
  }
}

/** Why it ends where it ends, if that needs saying. */
function replyNote({ cut, cutShort }: ReplyItem): string | null {
  if (cutShort === true) return words.thread.cutShort
  return cut > 0 ? words.thread.longer(cut) : null
}

/** A request whose call is no longer among the items. */
function LooseApproval({ entry: { item } }: { entry: Extract<ThreadEntry, { kind: 'approval' }> }) {
  return (
    <p className="flex flex-wrap items-center gap-3 rounded-2 border border-line bg-sheet px-3.5 py-2">
      <TierChip tier={item.tier} />
      <span className="min-w-0 flex-1">
        <Safe text={item.headline} />
      </span>
      {item.state === 'pending' ? (
        <ButtonLink to={`/approvals/${item.code}`}>{words.thread.review(item.code)}</ButtonLink>
      ) : (
        <span className="text-small text-ink-2">{common.approvalState[item.state]}</span>
      )}
    </p>
  )
}

/** The run goes on, and no call of it is shown as under way. */
function isThinking(state: LiveState, run: RunId, entries: readonly ThreadEntry[]): boolean {
  const last = entries.at(-1)
  if (state.runs[run]?.state !== 'running') return false
  // A call of a server goes on, and waits for the operator.
  if (Object.values(state.questions).some((each) => each.run === run)) return false
  return (
    last?.kind !== 'activity' ||
    last.rows.every(({ cells }) => cells.every(({ item }) => item.outcome !== null))
  )
}

function replyKey({ run, turn }: { readonly run: RunId; readonly turn: number }): string {
  return `reply ${run} ${String(turn)}`
}

function keyOf(entry: ThreadEntry): string {
  if (entry.kind === 'activity') return entry.key
  if (entry.kind === 'reply') return replyKey(entry.item)
  return `${entry.kind} ${String(entry.item.seq)}`
}
