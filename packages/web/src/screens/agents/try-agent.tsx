/** A small conversation beside the form of an agent: said to it as it is saved, answered here. */
import type { Agent, SessionId } from '@countersign/contract'
import { SendHorizontal } from 'lucide-react'
import { type SubmitEvent, useState } from 'react'
import { useLive } from '../../environment/services.tsx'
import { Button, ButtonLink, Sheet, TextField, useAct } from '../../kit/index.ts'
import { Thread } from '../../thread/thread.tsx'
import { words } from '../../words/agents.tsx'

const said = words.trying

export function TryAgent({ agent, isChanged }: { agent: Agent; isChanged: boolean }) {
  const [session, setSession] = useState<SessionId | null>(null)
  const cannot = !agent.enabled ? said.off : agent.conversational ? null : said.silent
  return (
    <section aria-label={said.title} className="mt-5 xl:sticky xl:top-0 xl:mt-0">
      <div className="mb-1.5 flex items-baseline justify-between gap-3">
        <h3 className="text-small font-[600] tracking-normal text-ink-2">{said.title}</h3>
        {session === null ? null : (
          <span className="flex gap-1">
            <Button variant="quiet" size="small" onClick={() => setSession(null)}>
              {said.again}
            </Button>
            <ButtonLink variant="quiet" to={`/chat/${session}`}>
              {said.open}
            </ButtonLink>
          </span>
        )}
      </div>
      <Sheet className="flex flex-col gap-3">
        {session === null ? (
          <p className="text-ink-3">{cannot ?? (isChanged ? said.save : said.hint)}</p>
        ) : (
          <Said session={session} />
        )}
        <Say agent={agent.id} session={session} disabled={cannot !== null} onSaid={setSession} />
      </Sheet>
    </section>
  )
}

function Said({ session }: { session: SessionId }) {
  const state = useLive((live) => live.state)
  const streams = useLive((live) => live.streams)
  const run = state.threads[session]?.run ?? null
  return (
    <div className="max-h-[50dvh] overflow-y-auto" tabIndex={0} role="region" aria-label={said.title}>
      <Thread state={state} session={session} stream={run === null ? undefined : streams[run]} />
    </div>
  )
}

function Say({
  agent,
  session,
  disabled,
  onSaid,
}: {
  agent: string
  session: SessionId | null
  disabled: boolean
  onSaid: (session: SessionId) => void
}) {
  const { isBusy, act } = useAct([['sessions']])
  const [text, setText] = useState('')
  const send = async (event: SubmitEvent) => {
    event.preventDefault()
    const given = text.trim()
    if (given === '' || isBusy) return
    const message = { key: crypto.randomUUID(), session, text: given, mode: 'auto' as const }
    const done = await act(async (client) => {
      // A conversation keeps the agent that it began with.
      const sent = await client.send(session === null ? { ...message, agent } : message)
      onSaid(sent.session)
    })
    if (done) setText('')
  }
  return (
    <form onSubmit={(event) => void send(event)} className="flex items-end gap-2">
      <div className="min-w-0 flex-1">
        <TextField
          label={said.label}
          hideLabel
          placeholder={said.placeholder}
          disabled={disabled}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </div>
      <Button
        type="submit"
        icon={SendHorizontal}
        busy={isBusy}
        disabled={disabled || text.trim() === ''}
        className="whitespace-nowrap"
      >
        {said.send}
      </Button>
    </form>
  )
}
