/** The rows of `countersign question`. */
import { type CommandRow, needed } from '../../command-row.ts'

export const questionSummary = 'questions that the agent asks you'

export const questionRows: readonly CommandRow[] = [
  {
    name: 'question list',
    summary: 'list open questions',
    arguments: [],
    options: [],
    examples: ['countersign question list'],
    load: async () => (await import('../question.ts')).list,
  },
  {
    name: 'question answer',
    summary: 'answer a question; its run resumes',
    arguments: [{ ...needed('question', 'id of a question'), id: 'q' }, needed('text', 'the answer')],
    options: [],
    examples: ['countersign question answer q_0198… "the blue one"'],
    load: async () => (await import('../question.ts')).answer,
  },
]
