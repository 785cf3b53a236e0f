/** The Chat screen: talk, watch, steer, stop. On a phone it opens with a place to write, and the rest is one step away. */

import type { SessionId } from '@countersign/contract'
import { useState } from 'react'
import { useKeys } from '../../environment/keys.tsx'
import { useRoute } from '../../environment/route.ts'
import type { Screen } from '../../environment/screen.ts'
import { useLive } from '../../environment/services.tsx'
import { Dialog, useIsNarrow } from '../../kit/index.ts'
import { words } from '../../words/chat.tsx'
import { Conversation } from './conversation.tsx'
import { ConversationList } from './conversation-list.tsx'
import { RunPanel } from './run-panel.tsx'

export const screen: Screen = { component: ChatScreen }

const places = ['new', 'private', 'list']

function ChatScreen() {
  const route = useRoute()
  const narrow = useIsNarrow()
  const ref = route.parts[0] ?? null
  const session = ref === null || places.includes(ref) ? null : (ref as SessionId)
  const [panel, setPanel] = useState(!narrow)
  useKeys(words.title, [
    { keys: 'n', label: words.newConversation, run: () => route.go('/chat/new') },
    { keys: 't', label: words.keys.togglePanel, run: () => setPanel(!panel) },
  ])
  const conversation = (
    // Another conversation has another draft.
    <Conversation
      key={session ?? ref ?? 'new'}
      session={session}
      isPrivate={ref === 'private'}
      panel={panel}
      onPanel={() => setPanel(!panel)}
    />
  )
  if (narrow)
    return ref === 'list' ? (
      <ConversationList current={null} />
    ) : (
      <div className="flex h-[calc(100dvh-3rem-var(--thumb-bar))] flex-col">
        {conversation}
        {session === null ? null : (
          <Dialog open={panel} onClose={() => setPanel(false)} title={words.panel.title} place="edge">
            <LivePanel session={session} />
          </Dialog>
        )}
      </div>
    )
  const columns =
    panel && session ? 'grid-cols-[15rem_minmax(0,1fr)_17rem]' : 'grid-cols-[15rem_minmax(0,1fr)]'
  return (
    <div className={`grid h-full ${columns}`}>
      <ConversationList current={session} />
      {conversation}
      {session === null || !panel ? null : (
        <aside
          aria-label={words.panel.title}
          className="h-full overflow-y-auto border-s border-line px-4 py-4"
        >
          <LivePanel session={session} />
        </aside>
      )}
    </div>
  )
}

function LivePanel({ session }: { session: SessionId }) {
  const state = useLive((live) => live.state)
  return <RunPanel state={state} session={session} />
}
