/** Shows a conversation: what was said, what was done, what was asked. The same for what is live and for what is replayed. */

import type { LiveState, QuestionItem, SessionId } from '@countersign/contract'
import { lazy, Suspense, useMemo, useState } from 'react'
import type { Stream } from '../data/streams.ts'
import { useChange } from '../environment/queries.ts'
import { Button, ButtonLink, Safe, SafeBlock, TextField, TierChip, Time } from '../kit/index.ts'
import { words } from '../words/chat.tsx'
import { words as common } from '../words/common.ts'
import { Cells } from './cells.tsx'
import { entriesOf, type ThreadEntry } from './entries.ts'

const Words = lazy(() => import('./words.tsx'))

export function Thread({
  state,
  session,
  stream,
  readOnly = false,
}: {
  state: LiveState
  session: SessionId
  /** What is being said right now, if anything is. */
  stream?: Stream | undefined
  readOnly?: boolean
}) {
  const thread = state.threads[session]
  const entries = useMemo(() => entriesOf(thread?.items ?? []), [thread])
  return (
    <div role="log" aria-label={words.conversation} aria-live="off" className="space-y-4">
      {thread !== undefined && thread.dropped > 0 ? (
        <p className="text-small text-ink-3">{words.thread.dropped(thread.dropped)}</p>
      ) : null}
      {entries.map((entry) => (
        <EntryView key={keyOf(entry)} entry={entry} state={state} readOnly={readOnly} />
      ))}
      {stream === undefined ? null : <Streaming stream={stream} />}
    </div>
  )
}

function EntryView({ entry, state, readOnly }: { entry: ThreadEntry; state: LiveState; readOnly: boolean }) {
  switch (entry.kind) {
    case 'message':
      return (
        <article className="flex flex-col items-end gap-1">
          <h3 className="sr-only">{words.thread.youSaid}</h3>
          <div className="max-w-[85%] rounded-2 bg-act-soft px-3.5 py-2">
            <SafeBlock text={entry.item.text} />
          </div>
          <p className="text-small text-ink-3">
            {entry.item.run === null ? words.thread.queued : ''}
            <Time at={entry.item.at} />
          </p>
        </article>
      )
    case 'reply':
      return (
        <article>
          <h3 className="sr-only">{words.thread.agentSaid}</h3>
          <Suspense fallback={<SafeBlock text={entry.item.text} />}>
            <Words text={entry.item.text} />
          </Suspense>
        </article>
      )
    case 'activity':
      return <Cells rows={entry.rows} />
    case 'question':
      return (
        <QuestionView
          item={entry.item}
          choices={state.questions[entry.item.question]?.choices}
          readOnly={readOnly}
        />
      )
    case 'approval':
      return (
        <p className="flex flex-wrap items-center gap-3 rounded-2 border border-line bg-sheet px-3.5 py-2">
          <TierChip tier={entry.item.tier} />
          <span className="min-w-0 flex-1">
            <Safe text={entry.item.headline} />
          </span>
          {entry.item.state === 'pending' ? (
            <ButtonLink to={`/approvals/${entry.item.code}`}>
              {words.thread.review(entry.item.code)}
            </ButtonLink>
          ) : (
            <span className="text-small text-ink-2">{common.approvalState[entry.item.state]}</span>
          )}
        </p>
      )
    case 'end':
      return (
        <p className="border-s-2 border-line-strong ps-3 text-small text-ink-2">
          <Safe text={entry.item.text === '' ? words.thread.ended : entry.item.text} />
        </p>
      )
  }
}

function QuestionView({
  item,
  choices,
  readOnly,
}: {
  item: QuestionItem
  /** Undefined where it is answered or the run is over. */
  choices: readonly string[] | undefined
  readOnly: boolean
}) {
  const [typed, setTyped] = useState('')
  const answer = useChange(
    (client, given: string) => client.answer(item.question, { answer: given }),
    [['questions']],
  )
  return (
    <div className="rounded-2 border border-line bg-sheet px-4 py-3">
      <p className="mb-1 text-small text-ink-3">{words.thread.agentAsks}</p>
      <SafeBlock text={item.text} />
      {choices === undefined || readOnly ? (
        <p className="mt-2 text-small text-ink-2">
          {item.answer === null
            ? words.thread.notAnswered
            : words.thread.youAnswered(<Safe text={item.answer} />)}
        </p>
      ) : (
        <form
          className="mt-3 flex flex-wrap items-end gap-2"
          onSubmit={(event) => {
            event.preventDefault()
            if (typed.trim() !== '') answer.mutate(typed.trim())
          }}
        >
          {choices.map((choice) => (
            <Button key={choice} busy={answer.isPending} onClick={() => answer.mutate(choice)}>
              <Safe text={choice} />
            </Button>
          ))}
          <div className="min-w-40 flex-1">
            <TextField
              label={words.thread.yourAnswer}
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
            />
          </div>
          <Button type="submit" busy={answer.isPending}>
            {words.thread.answer}
          </Button>
        </form>
      )}
      {answer.error === null ? null : (
        <p role="alert" className="mt-2 font-medium text-bad">
          {answer.error.message}
        </p>
      )}
    </div>
  )
}

/** Not announced while it comes; the finished reply is. */
function Streaming({ stream }: { stream: Stream }) {
  return (
    <div aria-hidden={stream.text === ''}>
      {stream.text === '' ? null : <SafeBlock text={stream.text} />}
      <p className="mt-1 text-small text-ink-3">
        {stream.tool !== null
          ? words.thread.preparing(stream.tool)
          : stream.text === ''
            ? words.thread.thinking
            : words.thread.writing}
      </p>
    </div>
  )
}

function keyOf(entry: ThreadEntry): string {
  return entry.kind === 'activity' ? entry.key : `${entry.kind} ${String(entry.item.seq)}`
}
