/** The Chat screen: talk, watch, steer, stop. */

import { emptyLive, fold, type SessionId, threadStatus } from '@countersign/contract'
import { PanelRight, Plus } from 'lucide-react'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useKeys } from '../../environment/keys.tsx'
import { useGateway, useSessions } from '../../environment/queries.ts'
import { useRoute } from '../../environment/route.ts'
import type { Screen } from '../../environment/screen.ts'
import { useLive, useServices } from '../../environment/services.tsx'
import {
  Button,
  ButtonLink,
  Chip,
  EmptyState,
  Loaded,
  Row,
  Safe,
  Skeleton,
  StaleNote,
  Time,
  useDocumentTitle,
  useIsNarrow,
  useNotify,
  VirtualList,
} from '../../kit/index.ts'
import { runTone } from '../../thread/run-tone.ts'
import { Thread } from '../../thread/thread.tsx'
import { words } from '../../words/chat.tsx'
import { words as common } from '../../words/common.ts'
import { commandIn, slashHelp } from './commands.ts'
import { Composer } from './composer.tsx'
import { RunPanel } from './run-panel.tsx'
import { useSending } from './sending.ts'

export const screen: Screen = { component: ChatScreen }

const starters = [words.starters.what, words.starters.note, words.starters.files]

function ChatScreen() {
  const route = useRoute()
  const narrow = useIsNarrow()
  const ref = route.parts[0] ?? null
  const session = ref === null || ref === 'new' ? null : (ref as SessionId)
  const [panel, setPanel] = useState(true)
  useKeys(words.title, [
    { keys: 'n', label: words.newConversation, run: () => route.go('/chat/new') },
    { keys: 't', label: words.keys.togglePanel, run: () => setPanel(!panel) },
  ])
  if (narrow && ref === null) return <SessionList current={null} />
  return (
    <div
      className={
        narrow
          ? 'flex min-h-[calc(100dvh-3rem-var(--thumb-bar))] flex-col'
          : `grid h-full ${panel && session ? 'grid-cols-[13rem_minmax(0,1fr)_17rem]' : 'grid-cols-[13rem_minmax(0,1fr)]'}`
      }
    >
      {narrow ? null : <SessionList current={session} />}
      <Conversation session={session} panel={panel} onPanel={() => setPanel(!panel)} />
      {narrow || session === null || !panel ? null : <LivePanel session={session} />}
    </div>
  )
}

function LivePanel({ session }: { session: SessionId }) {
  const state = useLive((live) => live.state)
  return <RunPanel state={state} session={session} />
}

function SessionList({ current }: { current: SessionId | null }) {
  const sessions = useSessions()
  const state = useLive((live) => live.state)
  const narrow = useIsNarrow()
  return (
    <nav
      aria-label={words.conversations}
      className="flex h-full min-h-0 flex-col border-e border-line px-2 py-3"
    >
      <div className="mb-2 flex items-center justify-between gap-2 px-2">
        {narrow ? (
          <h1 tabIndex={-1}>{words.title}</h1>
        ) : (
          <h2 className="text-small text-ink-2">{words.conversations}</h2>
        )}
        <ButtonLink to="/chat/new" variant="quiet">
          <Plus size={16} aria-hidden /> {words.new}
        </ButtonLink>
      </div>
      <div className="min-h-0 flex-1">
        <Loaded
          query={sessions}
          isEmpty={(all) => all.length === 0}
          empty={<p className="px-2 text-small text-ink-3">{words.none}</p>}
        >
          {(all) => (
            <VirtualList
              label={words.newestFirst}
              rows={all}
              keyOf={({ id }) => id}
              follow={current}
              estimate={56}
              className="h-[75dvh] md:h-full"
              render={({ id, title, updatedAt }) => {
                const word = threadStatus(state, id)
                return (
                  <Row to={`/chat/${id}`} current={id === current} className="px-2.5 py-1.5">
                    <span className="block truncate">
                      <Safe text={title} />
                    </span>
                    <span className="flex items-center gap-2 text-small text-ink-3">
                      {word === null || word === 'done' ? (
                        <Time at={updatedAt} />
                      ) : (
                        <Chip tone={runTone(word)}>{common.runState[word]}</Chip>
                      )}
                    </span>
                  </Row>
                )
              }}
            />
          )}
        </Loaded>
      </div>
    </nav>
  )
}

function Conversation({
  session,
  panel,
  onPanel,
}: {
  session: SessionId | null
  panel: boolean
  onPanel: () => void
}) {
  const route = useRoute()
  const notify = useNotify()
  const narrow = useIsNarrow()
  const { client } = useServices()
  const sessions = useSessions()
  const state = useLive((live) => live.state)
  const streams = useLive((live) => live.streams)
  const online = useLive((live) => live.link.kind === 'live')
  const field = useRef<HTMLTextAreaElement>(null)
  const title =
    sessions.data?.find(({ id }) => id === session)?.title ??
    (session === null ? words.newConversation : words.conversation)
  useDocumentTitle(title)
  const go = route.go
  const sending = useSending(
    useCallback((made) => go(`/chat/${made}`, { replace: true }), [go]),
    useCallback((message) => notify({ text: message, tone: 'bad' }), [notify]),
  )
  const known = session !== null && state.threads[session] !== undefined
  // A conversation that the live state no longer keeps is folded from its own events, by the same reducer.
  const events = useGateway(
    ['session', session, 'events'],
    (asked) => asked.sessionEvents(session ?? '', { limit: 1_000 }),
    {
      enabled: session !== null && !known,
    },
  )
  const shown = useMemo(
    () => (known ? state : fold(emptyLive, events.data ?? [])),
    [known, state, events.data],
  )
  const run = session === null ? null : (state.threads[session]?.run ?? null)
  const live = run === null ? undefined : state.runs[run]
  const running = live !== undefined && live.state !== 'stopped'
  const word = session === null ? null : threadStatus(state, session)

  const stop = () => {
    if (run !== null && running)
      client.stopRun(run).catch((error: Error) => notify({ text: error.message, tone: 'bad' }))
  }
  useKeys(words.title, [
    { keys: 'mod+.', label: words.keys.stop, typing: true, run: stop },
    { keys: 'i', label: words.keys.write, run: () => field.current?.focus() },
  ])

  function send(text: string, mode: 'auto' | 'queue' | 'steer') {
    const command = commandIn(text)
    if (command === null) return sending.send(session, text, mode)
    switch (command.kind) {
      case 'pause':
        return void client.pause().catch((error: Error) => notify({ text: error.message, tone: 'bad' }))
      case 'resume':
        return void client.resume().catch((error: Error) => notify({ text: error.message, tone: 'bad' }))
      case 'stop':
        return stop()
      case 'pending':
        return route.go('/approvals')
      case 'undo':
        return route.go(run === null ? '/activity' : `/activity/${run}?undo=1`)
      case 'help':
        return notify({ text: slashHelp.map(([name, about]) => `${name} ${about}`).join(' · ') })
      case 'unknown':
        return notify({ text: words.commands.unknown(command.name), tone: 'bad' })
    }
  }

  const waiting = sending.waiting.filter((each) => each.session === session)
  return (
    <div className="flex h-full min-h-0 flex-1 flex-col">
      <div className="flex items-baseline gap-3 px-4 pt-4 pb-2 md:px-6">
        <h1 tabIndex={-1} className="min-w-0 truncate">
          <Safe text={title} />
        </h1>
        {word === null ? null : <Chip tone={runTone(word)}>{common.runState[word]}</Chip>}
        <span className="flex-1" />
        {narrow || session === null ? null : (
          <Button
            variant="quiet"
            size="small"
            icon={PanelRight}
            keys="t"
            aria-pressed={panel}
            className="shrink-0 whitespace-nowrap"
            onClick={onPanel}
          >
            {words.run}
          </Button>
        )}
      </div>
      <Scroller mark={shown.seq} streamed={run === null ? 0 : (streams[run]?.text.length ?? 0)}>
        <StaleNote at={null} />
        {session === null ? (
          <EmptyState
            sentence={words.begin}
            action={
              <div className="flex flex-col items-start gap-2">
                {starters.map((text) => (
                  <Button key={text} onClick={() => send(text, 'auto')}>
                    {text}
                  </Button>
                ))}
              </div>
            }
          />
        ) : !known && events.data === undefined && events.error === null ? (
          <Skeleton />
        ) : (
          <Thread state={shown} session={session} stream={run === null ? undefined : streams[run]} />
        )}
        {waiting.map((each) => (
          <p
            key={each.key}
            className="mt-4 ms-auto max-w-[85%] rounded-2 bg-act-soft/60 px-3.5 py-2 text-ink-2"
          >
            {each.text}{' '}
            <span className="text-small text-ink-3">{online ? words.sending : words.waitsForLink}</span>
          </p>
        ))}
      </Scroller>
      <div className="px-4 pb-4 md:px-6 max-md:sticky max-md:bottom-(--thumb-bar) max-md:bg-paper max-md:pb-3">
        <Composer
          field={field}
          running={running}
          online={online}
          kept={waiting.length}
          onSend={send}
          onStop={stop}
        />
      </div>
    </div>
  )
}

/** Stays at the end while one is there, and leaves one alone who scrolled up. */
function Scroller({
  mark,
  streamed,
  children,
}: {
  mark: number
  streamed: number
  children: React.ReactNode
}) {
  const scroller = useRef<HTMLDivElement>(null)
  const [away, setAway] = useState<number | null>(null)
  useEffect(() => {
    const box = scroller.current
    if (box !== null && away === null) box.scrollTop = box.scrollHeight
  }, [mark, streamed, away, children])
  return (
    <div className="relative min-h-0 flex-1">
      <div
        ref={scroller}
        tabIndex={0}
        role="region"
        aria-label={words.messages}
        onScroll={({ currentTarget: box }) => {
          const atEnd = box.scrollHeight - box.scrollTop - box.clientHeight < 40
          setAway((since) => (atEnd ? null : (since ?? mark)))
        }}
        className="h-full overflow-y-auto px-4 pt-2 pb-4 md:px-6"
      >
        <div className="mx-auto max-w-3xl">{children}</div>
      </div>
      {away === null || away === mark ? null : (
        <Button className="absolute inset-x-0 bottom-2 mx-auto w-fit" onClick={() => setAway(null)}>
          {words.unseen(mark - away)}
        </Button>
      )}
    </div>
  )
}
