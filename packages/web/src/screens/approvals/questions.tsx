/** What agents ask and wait for, answered in the list of everything that waits. */
import type { QuestionLive } from '@countersign/contract'
import { words } from '../../words/approvals.tsx'
import { QuestionForm } from '../today/question-form.tsx'

export function Questions({ questions, online }: { questions: readonly QuestionLive[]; online: boolean }) {
  if (questions.length === 0) return null
  return (
    <ul aria-label={words.questions} className="mb-2 space-y-2 border-b border-line px-3 pb-3">
      {questions.map((question) => (
        <li key={question.id}>
          <QuestionForm question={question} online={online} />
        </li>
      ))}
    </ul>
  )
}
