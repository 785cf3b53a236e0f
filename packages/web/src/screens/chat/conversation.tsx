/** One conversation: what was said and done in it, and where the next message is written. */

import {
  type Attachment,
  emptyLive,
  fold,
  type InputMode,
  type LiveState,
  type SessionId,
  threadStatus,
} from '@countersign/contract'
import { Eraser, MessagesSquare, PanelRight } from 'lucide-react'
import { useCallback, useMemo, useRef, useState } from 'react'
import { UnaskedRows } from '../../deciding/unasked.tsx'
import { useKeys } from '../../environment/keys.tsx'
import { useChange, useGateway, useSessions } from '../../environment/queries.ts'
import { useGo } from '../../environment/route.ts'
import { useLive, useServices } from '../../environment/services.tsx'
import {
  Button,
  ButtonLink,
  Chip,
  EmptyState,
  Safe,
  Skeleton,
  StaleNote,
  useDocumentTitle,
  useIsNarrow,
  useNotify,
} from '../../kit/index.ts'
import { runTone } from '../../thread/run-tone.ts'
import { Thread } from '../../thread/thread.tsx'
import { words } from '../../words/chat.tsx'
import { words as common } from '../../words/common.ts'
import { AddresseeChoice, addresseeOf } from './addressee.tsx'
import { AskedFor } from './asked-for.tsx'
import { useCommands } from './commands.ts'
import { Composer } from './composer.tsx'
import { ModelSelect, useModelChoice } from './model-choice.tsx'
import { Scroller } from './scroller.tsx'
import { type OutgoingMessage, useSending } from './sending.ts'

const starters = [words.starters.what, words.starters.note, words.starters.files]

export function Conversation({
  session,
  isPrivate,
  panel,
  onPanel,
}: {
  session: SessionId | null
  /** The conversation that begins here is. */
  isPrivate: boolean
  panel: boolean
  onPanel: () => void
}) {
  const talk = useConversation(session, isPrivate)
  const { shown, run, waiting, online } = talk
  const streams = useLive((live) => live.streams)
  const thread = session === null ? undefined : shown?.threads[session]
  const keptNowhere = useIsKeptNowhere(session, isPrivate)
  return (
    <div className="flex h-full min-h-0 flex-1 flex-col">
      <Heading session={session} isPrivate={isPrivate} panel={panel} onPanel={onPanel} />
      <Scroller mark={thread?.seq ?? 0}>
        <StaleNote at={null} />
        {/* What was said has headings of its own, one below this. */}
        {session === null ? null : <h2 className="sr-only">{words.conversation}</h2>}
        {session === null ? (
          waiting.length > 0 ? null : (
            <Starters isPrivate={isPrivate} onStart={(text) => talk.send(text, 'auto')} />
          )
        ) : shown === null ? (
          <Skeleton />
        ) : (
          <Thread
            state={shown}
            session={session}
            stream={run === null ? undefined : streams[run]}
            aloud={keptNowhere ? 'here' : 'anywhere'}
            actions={{ resend: (text, files) => talk.send(text, 'auto', files), edit: talk.edit }}
          />
        )}
        <Outgoing messages={waiting} online={online} />
      </Scroller>
      <div className="px-4 pb-4 max-md:sticky max-md:bottom-(--thumb-bar) max-md:bg-paper max-md:pb-3 md:px-6">
        <div className="mx-auto max-w-3xl">
          <UnaskedRows session={session} className="max-h-[40dvh] overflow-y-auto py-1" />
          <AskedFor session={session} />
          <Composer
            field={talk.field}
            draft={talk.draft}
            onDraft={talk.setDraft}
            last={lastMessage(thread)}
            running={talk.running}
            online={online}
            kept={waiting.length}
            onSend={talk.send}
            onStop={talk.stop}
            talks={!keptNowhere}
            choices={
              <>
                {session === null ? <AddresseeChoice value={talk.to} onChange={talk.setTo} /> : null}
                <ModelSelect value={talk.model.value} onChange={talk.model.choose} />
              </>
            }
          />
        </div>
      </div>
    </div>
  )
}

/** Until it is known that it is not private, it is. */
function useIsKeptNowhere(session: SessionId | null, isPrivate: boolean): boolean {
  const sessions = useSessions()
  if (session === null) return isPrivate
  return sessions.data?.find(({ id }) => id === session)?.private !== false
}

/** What is known of a conversation, and what can be done in it. */
function useConversation(session: SessionId | null, isPrivate: boolean) {
  const go = useGo()
  const notify = useNotify()
  const { client } = useServices()
  const state = useLive((live) => live.state)
  const online = useLive((live) => live.link.kind === 'live')
  const field = useRef<HTMLTextAreaElement>(null)
  const [draft, setDraft] = useState('')
  const [to, setTo] = useState('')
  const model = useModelChoice(session)
  const failed = useCallback((message: string) => notify({ text: message, tone: 'bad' }), [notify])
  const sending = useSending(
    useCallback((made) => go(`/chat/${made}`, { replace: true }), [go]),
    failed,
  )
  const run = session === null ? null : (state.threads[session]?.run ?? null)
  const running = run !== null && state.runs[run] !== undefined && state.runs[run].state !== 'stopped'
  const stop = () => {
    if (run !== null && running) client.stopRun(run).catch((error: Error) => failed(error.message))
  }
  const put = (text: string, mode: InputMode, attachments: readonly Attachment[] = []) =>
    sending.send({
      session,
      text,
      ...(attachments.length === 0 ? {} : { attachments: [...attachments] }),
      mode,
      ...(session === null ? { ...addresseeOf(to), ...(isPrivate ? { private: true } : {}) } : {}),
      ...model.sent,
    })
  const edit = (text: string) => {
    setDraft(text)
    field.current?.focus()
  }
  const command = useCommands({ run, stop, queue: (text) => put(text, 'queue'), help: () => edit('/') })
  useKeys(words.title, [
    { keys: 'mod+.', label: words.keys.stop, typing: true, run: stop },
    { keys: 'i', label: words.keys.write, run: () => field.current?.focus() },
  ])
  return {
    field,
    draft,
    setDraft,
    to,
    setTo,
    model,
    online,
    run,
    running,
    stop,
    edit,
    shown: useShown(session, state),
    waiting: sending.waiting.filter((each) => each.session === session),
    send: (text: string, mode: InputMode, attachments: readonly Attachment[] = []): boolean => {
      const done = attachments.length > 0 ? undefined : command(text)
      if (done === undefined) put(text, mode, attachments)
      return done !== false && text !== '/help'
    },
  }
}

/** A conversation that the live state no longer keeps is folded from its own events, by the same reducer. Null while it is asked for. */
function useShown(session: SessionId | null, state: LiveState): LiveState | null {
  const known = session !== null && state.threads[session] !== undefined
  const events = useGateway(
    ['session', session, 'events'],
    (asked) => asked.sessionEvents(session ?? '', { limit: 1_000 }),
    { enabled: session !== null && !known },
  )
  const folded = useMemo(() => fold(emptyLive, events.data ?? []), [events.data])
  if (known) return state
  return events.data === undefined && events.error === null ? null : folded
}

function Heading({
  session,
  isPrivate,
  panel,
  onPanel,
}: {
  session: SessionId | null
  isPrivate: boolean
  panel: boolean
  onPanel: () => void
}) {
  const narrow = useIsNarrow()
  const sessions = useSessions()
  const word = useLive((live) => (session === null ? null : threadStatus(live.state, session)))
  const known = sessions.data?.find(({ id }) => id === session)
  const named = known?.title ?? ''
  const begins = isPrivate ? words.private.new : words.newConversation
  const title = named !== '' ? named : session === null ? begins : words.conversation
  useDocumentTitle(title)
  return (
    <div className="flex items-center gap-3 px-4 pt-4 pb-2 md:px-6">
      {narrow ? (
        <ButtonLink to="/chat/list" variant="quiet" className="-ms-3 shrink-0">
          <MessagesSquare size={16} aria-hidden />
          <span className="sr-only">{words.conversations}</span>
        </ButtonLink>
      ) : null}
      <h1
        tabIndex={-1}
        className="min-w-0 max-md:line-clamp-2 max-md:text-[length:var(--text-large)] md:truncate"
      >
        <Safe text={title} />
      </h1>
      {word === null || word === 'done' ? null : <Chip tone={runTone(word)}>{common.runState[word]}</Chip>}
      {known?.private ? <Chip tone="plain">{words.private.mark}</Chip> : null}
      <span className="flex-1" />
      {known?.private ? <EndPrivate session={known.id} /> : null}
      {session === null ? null : (
        <Button
          variant="quiet"
          size="small"
          icon={PanelRight}
          {...(narrow ? {} : { keys: 't' })}
          aria-pressed={panel}
          className="shrink-0 whitespace-nowrap"
          onClick={onPanel}
        >
          {words.run}
        </Button>
      )}
    </div>
  )
}

/** Everything that was said is erased, and what still works in it is stopped. */
function EndPrivate({ session }: { session: SessionId }) {
  const go = useGo()
  const end = useChange((client) => client.removeSession(session), [['sessions']])
  return (
    <Button
      variant="quiet"
      size="small"
      icon={Eraser}
      disabled={end.isPending}
      onClick={() => end.mutate(undefined, { onSuccess: () => go('/chat/new', { replace: true }) })}
    >
      {words.private.end}
    </Button>
  )
}

function Starters({ isPrivate, onStart }: { isPrivate: boolean; onStart: (text: string) => void }) {
  return (
    <EmptyState
      sentence={isPrivate ? words.private.begin : words.begin}
      action={
        <div className="flex flex-col items-start gap-2">
          {starters.map((text) => (
            <Button key={text} className="text-start" onClick={() => onStart(text)}>
              {text}
            </Button>
          ))}
        </div>
      }
    />
  )
}

function Outgoing({ messages, online }: { messages: readonly OutgoingMessage[]; online: boolean }) {
  return messages.map((each) => (
    <p
      key={each.key}
      className="mt-4 ms-auto w-fit max-w-[85%] rounded-2 bg-act-soft/60 px-3.5 py-2 text-ink-2"
    >
      {[each.text, ...(each.attachments ?? []).map(({ name }) => name)].filter(Boolean).join(' · ')}{' '}
      <span className="text-small text-ink-3">{online ? words.sending : words.waitsForLink}</span>
    </p>
  ))
}

function lastMessage(thread: LiveState['threads'][SessionId] | undefined): string | null {
  const last = thread?.items.findLast((item) => item.kind === 'message')
  return last?.kind === 'message' ? last.text : null
}
