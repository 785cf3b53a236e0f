/**
 * A question of a server: named, marked as a stranger's, its words behind a bar. It looks like no card of ours, and nothing
 * of it is sent before the operator says so.
 */
import {
  answerIn,
  type FieldValue,
  forDisplay,
  presetsOf,
  problemWithAnswers,
  type QuestionEnd,
  type QuestionReply,
  type ServerAnswers,
  type ServerQuestion,
} from '@countersign/contract'
import { Unplug } from 'lucide-react'
import { type FormEvent, type ReactNode, useId, useState } from 'react'
import { useChange } from '../environment/queries.ts'
import { Button, Mono, SafeBlock } from '../kit/index.ts'
import { words } from '../words/chat.tsx'
import { FieldInput } from './server-field.tsx'

export function ServerQuestionForm({
  id,
  run,
  question,
  online = true,
}: {
  id: string
  run: string
  question: ServerQuestion
  online?: boolean
}) {
  const { server, tool, form } = question
  const [values, setValues] = useState<ServerAnswers>(() => presetsOf(form))
  const [problem, setProblem] = useState<string>()
  const change = useChange(
    (client, reply: QuestionReply) => client.reply(id, reply),
    [['questions'], ['run', run]],
  )
  const isHeld = change.isPending || !online
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const wrong = problemWithAnswers(form, values)
    setProblem(wrong)
    if (wrong === undefined && !isHeld) change.mutate({ action: 'accept', values })
  }
  return (
    <Framed server={server} aside={words.thread.serverAside(<Mono text={server} />, <Mono text={tool} />)}>
      <form onSubmit={submit}>
        <div
          className="my-3 space-y-3 border-s-4 border-edge ps-3"
          role="group"
          aria-label={words.thread.serverWords}
        >
          <SafeBlock text={form.message} className="break-words" />
          {form.fields.map((field) => (
            <FieldInput
              key={field.name}
              field={field}
              value={answerIn(values, field.name)}
              onChange={(value) => setValues((before) => changed(before, field.name, value))}
            />
          ))}
        </div>
        <Reply
          server={server}
          busy={change.isPending}
          online={online}
          problem={problem ?? change.error?.message}
          onReply={(action) => change.mutate({ action })}
        />
      </form>
    </Framed>
  )
}

function Reply({
  server,
  busy,
  online,
  problem,
  onReply,
}: {
  server: string
  busy: boolean
  online: boolean
  problem: string | undefined
  onReply: (action: 'decline' | 'cancel') => void
}) {
  const isHeld = busy || !online
  return (
    <>
      {problem === undefined ? null : (
        <p role="alert" className="mb-2 font-medium text-bad">
          {forDisplay(problem).text}
        </p>
      )}
      {/* A long question leaves the words above it behind. */}
      <p className="mb-2 text-small text-ink-2">{words.thread.serverFoot(<Mono text={server} />)}</p>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" busy={busy} disabled={isHeld}>
          {words.thread.sendTo(server)}
        </Button>
        <Button disabled={isHeld} onClick={() => onReply('decline')}>
          {words.thread.decline}
        </Button>
        <Button variant="quiet" disabled={isHeld} onClick={() => onReply('cancel')}>
          {words.thread.dismiss}
        </Button>
      </div>
    </>
  )
}

export function EndedServerQuestion({
  server,
  text,
  how,
}: {
  server: string
  text: string
  how: QuestionEnd | undefined
}) {
  return (
    <Framed server={server}>
      <SafeBlock text={text} className="my-2 border-s-4 border-line-strong ps-3 break-words" />
      <p className="text-small text-ink-2">
        {how === undefined ? words.thread.notAnswered : words.thread.serverEnds[how]}
      </p>
    </Framed>
  )
}

function Framed({ server, aside, children }: { server: string; aside?: ReactNode; children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="rounded-2 border border-dashed border-edge bg-well px-4 py-3">
      <p id={id} className="flex items-center gap-2 font-medium">
        <Unplug aria-hidden className="size-4 shrink-0 text-ink-2" />
        <span className="min-w-0 break-words">{words.thread.serverAsks(<Mono text={server} />)}</span>
      </p>
      {aside === undefined ? null : <p className="mt-1 text-small text-ink-2">{aside}</p>}
      {children}
    </section>
  )
}

function changed(before: ServerAnswers, name: string, value: FieldValue | undefined): ServerAnswers {
  const { [name]: _, ...rest } = before
  return value === undefined ? rest : { ...rest, [name]: value }
}
