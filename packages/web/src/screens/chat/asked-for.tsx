/** A quiet line: what the words of this conversation ask for, and the way to take it back. */
import type { SessionId } from '@countersign/contract'
import { useChange, useGateway } from '../../environment/queries.ts'
import { Button, Safe, useNotify } from '../../kit/index.ts'
import { words } from '../../words/chat.tsx'
import { askedText } from './asked-text.ts'

export function AskedFor({ session }: { session: SessionId | null }) {
  const notify = useNotify()
  const key = ['session', session, 'asked-for']
  const lists = useGateway(key, (client) => client.askedFor(session ?? ''), {
    enabled: session !== null,
  })
  const take = useChange((client, id: string) => client.takeBack(id), [key])
  // Only the newest can still speak for a call.
  const list = lists.data?.at(-1)
  if (list === undefined || list.items.length + list.questions.length === 0) return null
  const isTaken = list.takenBackAt !== null
  return (
    <section
      aria-label={words.asked.title}
      className="flex flex-wrap items-center gap-2 py-1 text-small text-ink-2"
    >
      <p className="min-w-0">
        {isTaken ? words.asked.takenBack : words.asked.for} <Safe text={askedText(list)} />
      </p>
      {isTaken ? null : (
        <Button
          variant="quiet"
          size="small"
          disabled={take.isPending}
          onClick={() =>
            take.mutate(list.id, {
              onSuccess: ({ ledger }) => notify({ text: words.asked.done(ledger) }),
              onError: ({ message }) => notify({ text: message, tone: 'bad' }),
            })
          }
        >
          {words.asked.takeBack}
        </Button>
      )}
    </section>
  )
}
