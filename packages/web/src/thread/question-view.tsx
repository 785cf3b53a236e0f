/** A question of the agent, answered where it is asked. */

import type { QuestionItem, QuestionLive } from '@countersign/contract'
import { useState } from 'react'
import { useChange } from '../environment/queries.ts'
import { Button, Safe, SafeBlock, TextField } from '../kit/index.ts'
import { words } from '../words/chat.tsx'
import { EndedServerQuestion, ServerQuestionForm } from './server-question.tsx'

export function QuestionView({
  item,
  open,
  readOnly,
}: {
  item: QuestionItem
  /** Undefined where it is answered or the run is over. */
  open: QuestionLive | undefined
  readOnly: boolean
}) {
  if (item.server !== undefined)
    return open?.server && !readOnly ? (
      <ServerQuestionForm id={open.id} run={open.run} question={open.server} />
    ) : (
      <EndedServerQuestion server={item.server} text={item.text} how={item.how} />
    )
  const choices = open?.choices
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
        <AnswerForm question={item.question} choices={choices} />
      )}
    </div>
  )
}

function AnswerForm({
  question,
  choices,
}: {
  question: QuestionItem['question']
  choices: readonly string[]
}) {
  const [typed, setTyped] = useState('')
  const answer = useChange(
    (client, given: string) => client.answer(question, { answer: given }),
    [['questions']],
  )
  return (
    <>
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
      {answer.error === null ? null : (
        <p role="alert" className="mt-2 font-medium text-bad">
          {answer.error.message}
        </p>
      )}
    </>
  )
}
