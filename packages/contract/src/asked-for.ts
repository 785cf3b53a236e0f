/** Owns the shape of what the operator's own words ask for, as a model that saw nothing else listed it. */
import { z } from 'zod'
import { AskedForId, RunId, SessionId } from './ids.ts'

/** Kinds of acts as people speak of them. Policy says which tools each of them may mean. */
export const AskedAct = z.enum([
  'change_files',
  'commit',
  'branch',
  'add_tasks',
  'add_notes',
  'add_events',
  'add_bookmarks',
  'change_tasks',
  'change_notes',
  'change_events',
  'make_tables',
  'add_rows',
  'change_rows',
])
export type AskedAct = z.infer<typeof AskedAct>

export const AskedItem = z.strictObject({
  act: AskedAct,
  /** A path or a folder of the workspace, or a table; null where none was named. */
  target: z.string().min(1).max(200).nullable(),
  count: z.int().min(1).max(20),
})
export type AskedItem = z.infer<typeof AskedItem>

export const mostAskedItems = 8

/** What people ask for, in large: it frees nothing. What none of these names is held instead of asked about. */
export const ActKind = z.enum([
  'change_files',
  'delete',
  'use_git',
  'change_records',
  'plan_work',
  'remember',
  'run_programs',
  'install',
  'use_pages',
  'send',
  'pay',
  'change_settings',
])
export type ActKind = z.infer<typeof ActKind>

export const mostListedQuestions = 5
/** Of a question for the web, in characters. */
export const longestQuestion = 200

/** What somebody would look up for the operator's words. Whoever wrote it knew these words and nothing else. */
export const ListedQuestion = z.string().min(1).max(longestQuestion)

/** What a model is told in place of an answer, once for a list. */
export function questionsText(questions: readonly string[]): string {
  const lines = questions.map((question, index) => `${index + 1}. ${question}`)
  return [
    'Not asked yet. These can be looked up without asking the operator:',
    ...lines,
    'Ask one of them to the letter, or ask yours again; then the operator is asked.',
  ].join('\n')
}

/** What people see of it; the list is shown with what the words ask for. */
export const questionsToldSummary = 'Not asked yet: the model was told which questions are free.'

/** What a reader of the operator's words found in them. */
export const AskedList = z.strictObject({
  items: z.array(AskedItem).max(mostAskedItems),
  /** Every kind of act that the words ask for; null where it could not be read, so that nothing is held for it. */
  kinds: z.array(ActKind).max(ActKind.options.length).nullable(),
  /** Each complete in itself. */
  questions: z.array(ListedQuestion).max(mostListedQuestions),
})
export type AskedList = z.infer<typeof AskedList>

export const AskedForView = z.strictObject({
  id: AskedForId,
  session: SessionId,
  run: RunId,
  items: z.array(AskedItem),
  kinds: z.array(ActKind).nullable(),
  questions: z.array(ListedQuestion),
  at: z.string(),
  takenBackAt: z.string().nullable(),
})
export type AskedForView = z.infer<typeof AskedForView>
