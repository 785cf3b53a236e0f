/** The list of conversations: by day, with a search, and what can be done with each. */

import { type SessionId, type SessionView, threadStatus } from '@countersign/contract'
import { Ellipsis, EyeOff, Pin, Plus } from 'lucide-react'
import { useState } from 'react'
import { useSessions } from '../../environment/queries.ts'
import { useLive } from '../../environment/services.tsx'
import {
  ButtonLink,
  Checkbox,
  Chip,
  Loaded,
  Menu,
  Row,
  Safe,
  SearchField,
  Time,
  useGrowing,
  useIsNarrow,
  useNow,
} from '../../kit/index.ts'
import { runTone } from '../../thread/run-tone.ts'
import { words } from '../../words/chat.tsx'
import { words as common } from '../../words/common.ts'
import {
  type ConversationChanges,
  ConversationDialogs,
  useConversationChanges,
} from './conversation-changes.tsx'
import { ImportConversation } from './conversation-file.tsx'
import { type ConversationGroup, conversationGroups } from './conversation-groups.ts'

export function ConversationList({ current }: { current: SessionId | null }) {
  const sessions = useSessions()
  const narrow = useIsNarrow()
  const now = useNow()
  const [search, setSearch] = useState('')
  const [hidden, setHidden] = useState(false)
  const changes = useConversationChanges(current)
  return (
    <nav
      aria-label={words.conversations}
      className="flex h-full min-h-0 flex-col border-e border-line px-2 py-3"
    >
      <div className="mb-2 flex items-center justify-between gap-2 px-2">
        {narrow ? <h1 tabIndex={-1}>{words.title}</h1> : <h2 className="sr-only">{words.conversations}</h2>}
        <span className="ms-auto flex items-center">
          <ImportConversation />
          <ButtonLink to="/chat/private" variant="quiet">
            <EyeOff size={16} aria-hidden />
            <span className="sr-only">{words.private.new}</span>
          </ButtonLink>
          <ButtonLink to="/chat/new" variant="quiet">
            <Plus size={16} aria-hidden /> {words.new}
          </ButtonLink>
        </span>
      </div>
      <Loaded
        query={sessions}
        isEmpty={(all) => all.length === 0}
        empty={<p className="px-2 text-small text-ink-3">{words.none}</p>}
      >
        {(all) => (
          <>
            <div className="mb-2 px-1">
              <SearchField label={words.list.search} value={search} onChange={setSearch} />
            </div>
            <div className="min-h-0 flex-1 overflow-y-auto px-0.5 pb-4">
              <Groups
                groups={conversationGroups(all, { search, hidden, now })}
                current={current}
                changes={changes}
              />
              {all.some((each) => each.hidden) ? (
                <div className="mt-2 px-2">
                  <Checkbox label={words.list.showHidden} checked={hidden} onChange={setHidden} />
                </div>
              ) : null}
            </div>
          </>
        )}
      </Loaded>
      <ConversationDialogs changes={changes} />
    </nav>
  )
}

function Groups({
  groups,
  current,
  changes,
}: {
  groups: readonly ConversationGroup[]
  current: SessionId | null
  changes: ConversationChanges
}) {
  if (groups.length === 0) return <p className="px-2 text-small text-ink-3">{words.list.nothing}</p>
  return groups.map((group) => <Group key={group.name} group={group} current={current} changes={changes} />)
}

function Group({
  group: { name, sessions },
  current,
  changes,
}: {
  group: ConversationGroup
  current: SessionId | null
  changes: ConversationChanges
}) {
  const { shown, more } = useGrowing(sessions, ({ id }) => id === current)
  return (
    <section aria-label={words.list.groups[name]} className="mb-3">
      <h3 className="px-2.5 pb-1 text-small font-[500] text-ink-3">{words.list.groups[name]}</h3>
      <ul>
        {shown.map((session) => (
          <li key={session.id} className="group relative">
            <ConversationRow session={session} current={session.id === current} />
            <div className="absolute end-1 top-1 pointer-fine:opacity-0 pointer-fine:group-focus-within:opacity-100 pointer-fine:group-hover:opacity-100">
              <Menu
                label={
                  <>
                    <Ellipsis size={16} aria-hidden />
                    <span className="sr-only">{words.list.menu(session.title)}</span>
                  </>
                }
                className="bg-sheet px-1"
                items={changes.itemsFor(session)}
              />
            </div>
          </li>
        ))}
      </ul>
      {more}
    </section>
  )
}

function ConversationRow({ session, current }: { session: SessionView; current: boolean }) {
  const word = useLive((live) => threadStatus(live.state, session.id))
  const waits = word === 'waiting for you' || word === 'running' || word === 'waiting for the provider'
  return (
    <Row to={`/chat/${session.id}`} current={current} className="px-2.5 py-1.5 pe-8">
      <span className="flex items-center gap-1.5">
        {session.pinned ? <Pin size={12} aria-hidden className="shrink-0 text-ink-3" /> : null}
        <span className="truncate">
          <Safe text={session.title === '' ? words.conversation : session.title} />
        </span>
      </span>
      <span className="flex flex-wrap items-center gap-x-2 gap-y-0.5 text-small text-ink-3">
        <Time at={session.updatedAt} />
        {word !== null && waits ? <Chip tone={runTone(word)}>{common.runState[word]}</Chip> : null}
        {word === 'failed' ? <span>{common.runState[word]}</span> : null}
      </span>
    </Row>
  )
}
