/** The rows of `countersign question`. */
import { type CommandRow, needed, optional } from '../../command-row.ts'

export const questionSummary = 'questions that the agent or a server asks you'

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
    summary: 'answer a question; its run resumes, or its server is told',
    arguments: [
      { ...needed('question', 'id of a question'), id: 'q' },
      optional('text', 'the answer; of a server, its fields are asked for'),
    ],
    options: [
      { flags: '--field <name=value>', summary: 'answer to a field that a server asks for', repeats: true },
    ],
    examples: [
      'countersign question answer q_0198… "the blue one"',
      'countersign question answer q_0198… --field city=Graz',
    ],
    load: async () => (await import('../question.ts')).answer,
  },
  {
    name: 'question decline',
    summary: 'decline a question of a server',
    arguments: [{ ...needed('question', 'id of a question'), id: 'q' }],
    options: [],
    examples: ['countersign question decline q_0198…'],
    load: async () => (await import('../question.ts')).decline,
  },
]
