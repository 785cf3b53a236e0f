/** What was said, by you and by the agent, with what can be done about it. The last line has the same height while it streams. */

import type { Attachment, MessageItem } from '@countersign/contract'
import { Pencil, RotateCw } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import type { Stream } from '../data/streams.ts'
import { useServices } from '../environment/services.tsx'
import { Button, CopyButton, Safe, SafeBlock, Time, useNow } from '../kit/index.ts'
import { lengthWords } from '../language/format.ts'
import { words } from '../words/chat.tsx'
import { ReadAloud } from './read-aloud.tsx'
import { SlowWays } from './retrying.tsx'
import { SentFiles } from './sent-files.tsx'

const Words = lazy(() => import('./words.tsx'))

/** What a conversation that is not over offers for what was said in it. */
export interface MessageActions {
  readonly resend: (text: string, attachments: readonly Attachment[]) => void
  readonly edit: (text: string) => void
}

const line = 'mt-1 flex min-h-8 flex-wrap items-center gap-x-1 text-small text-ink-3'
/** There for a finger and for the keyboard; with a mouse, where it points. */
const quiet =
  'flex items-center transition-opacity pointer-fine:opacity-0 group-hover:opacity-100 group-focus-within:opacity-100'

export function YourMessage({ item, actions }: { item: MessageItem; actions: MessageActions | null }) {
  return (
    <article className="group flex flex-col items-end">
      <h3 className="sr-only">{words.thread.youSaid}</h3>
      <div className="max-w-[85%] rounded-2 bg-act-soft px-3.5 py-2">
        {item.text === '' ? null : <SafeBlock text={item.text} />}
        <SentFiles attachments={item.attachments ?? []} />
      </div>
      <div className={line}>
        <span className={quiet}>
          <CopyButton text={item.text} size="small" label={words.thread.copy} />
          {actions === null ? null : (
            <>
              <Button variant="quiet" size="small" icon={Pencil} onClick={() => actions.edit(item.text)}>
                {words.thread.edit}
              </Button>
              <Button
                variant="quiet"
                size="small"
                icon={RotateCw}
                onClick={() => actions.resend(item.text, item.attachments ?? [])}
              >
                {words.thread.retry}
              </Button>
            </>
          )}
        </span>
        <span className="ms-1">
          {item.run === null ? words.thread.queued : ''}
          <Time at={item.at} />
        </span>
      </div>
    </article>
  )
}

/** The reply while it is said and afterwards: one element, so that nothing of it is drawn anew at the end. */
export function Reply({
  text,
  note,
  at,
  model,
  streaming,
  aloud = null,
}: {
  text: string
  /** Why it ends where it ends, if that needs saying. */
  note: string | null
  /** Null while it is being said. */
  at: string | null
  /** The one that said it, where that is known. */
  model?: string | undefined
  streaming: Stream | null
  aloud?: 'anywhere' | 'here' | null
}) {
  return (
    <article className="group">
      <h3 className="mb-0.5 text-small font-[600] text-ink-2">{words.thread.agent}</h3>
      {text === '' ? null : (
        <Suspense fallback={<SafeBlock text={text} />}>
          <Words text={text} />
        </Suspense>
      )}
      {note === null ? null : <p className="mt-2 border-s-2 border-t2 ps-3 text-small text-ink-2">{note}</p>}
      {streaming === null ? (
        <div className={line}>
          {at === null ? null : <Time at={at} />}
          {model === undefined ? null : (
            <span className="min-w-0 truncate">
              · <Safe text={model} />
            </span>
          )}
          <span className={quiet}>
            <CopyButton text={text} size="small" label={words.thread.copy} />
            {aloud === null || text === '' ? null : <ReadAloud text={text} onlyHere={aloud === 'here'} />}
          </span>
        </div>
      ) : (
        <Saying stream={streaming} />
      )}
    </article>
  )
}

/** Not announced while it comes; the finished reply is. */
function Saying({ stream }: { stream: Stream }) {
  const said =
    stream.tool !== null
      ? words.thread.preparing(stream.tool)
      : stream.text === ''
        ? words.thread.thinking
        : words.thread.writing
  if (stream.reasoning === '') return <p className={line}>{said}</p>
  return (
    <details className="text-small text-ink-3">
      <summary className={`${line} cursor-default`}>{words.thread.reasoning(said)}</summary>
      <SafeBlock text={stream.reasoning} className="border-s-2 border-line ps-3" />
    </details>
  )
}

/** Longer than most models need for their first word. */
const slowMs = 10_000

/** Something goes on and nothing of it has arrived yet. */
export function Thinking({ run }: { run: string }) {
  const { now } = useServices()
  const [since] = useState(now)
  const ms = useNow(1_000).getTime() - since.getTime()
  return (
    <article>
      <h3 className="mb-0.5 text-small font-[600] text-ink-2">{words.thread.agent}</h3>
      <p role="status" className={line}>
        {ms < slowMs ? words.thread.thinking : words.thread.slow}
      </p>
      {ms < slowMs ? null : (
        <>
          <p className="text-small text-ink-3">{words.thread.silent(lengthWords(ms - (ms % 1_000)))}</p>
          <SlowWays run={run} />
        </>
      )}
    </article>
  )
}
