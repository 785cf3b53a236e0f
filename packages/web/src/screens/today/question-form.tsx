/** One question of an agent with its choices, answered where it is read. */

import type { QuestionLive } from '@countersign/contract'
import { type FormEvent, useState } from 'react'
import { useChange } from '../../environment/queries.ts'
import { Button, Link, SafeBlock, TextField, useNotify } from '../../kit/index.ts'
import { ServerQuestionForm } from '../../thread/server-question.tsx'
import { words } from '../../words/today.tsx'

export function QuestionForm({ question, online }: { question: QuestionLive; online: boolean }) {
  return question.server ? (
    <ServerQuestionForm id={question.id} run={question.run} question={question.server} online={online} />
  ) : (
    <WordsForm question={question} online={online} />
  )
}

function WordsForm({ question, online }: { question: QuestionLive; online: boolean }) {
  const notify = useNotify()
  const [typed, setTyped] = useState('')
  const change = useChange(
    (client, answer: string) => client.answer(question.id, { answer }),
    [['questions'], ['run', question.run]],
  )
  const answer = (text: string) => {
    if (text === '' || change.isPending) return
    change.mutate(text, {
      onSuccess: ({ ledger }) => notify({ text: words.question.answered(text, ledger) }),
      onError: (error) => notify({ text: error.message, tone: 'bad' }),
    })
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    answer(typed.trim())
  }
  return (
    <div>
      <SafeBlock text={question.text} className="font-medium" />
      <p className="text-small text-ink-2">
        {question.kind === 'unknown' ? words.question.unknown : words.question.waits}{' '}
        <Link to={`/chat/${question.session}`}>{words.question.conversation}</Link>
      </p>
      {question.choices.length === 0 ? null : (
        <div className="mt-2 flex flex-wrap gap-2" role="group" aria-label={words.question.answers}>
          {question.choices.map((choice) => (
            <Button key={choice} busy={change.isPending} disabled={!online} onClick={() => answer(choice)}>
              {choice}
            </Button>
          ))}
        </div>
      )}
      <form onSubmit={submit} className="mt-2 flex max-w-md gap-2">
        <div className="min-w-0 flex-1">
          <TextField
            label={question.choices.length === 0 ? words.question.yours : words.question.own}
            hideLabel
            placeholder={question.choices.length === 0 ? words.question.yours : words.question.own}
            value={typed}
            maxLength={10_000}
            onChange={(event) => setTyped(event.target.value)}
          />
        </div>
        <Button type="submit" busy={change.isPending} disabled={!online || typed.trim() === ''}>
          {words.question.send}
        </Button>
      </form>
    </div>
  )
}
