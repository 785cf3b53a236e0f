/**
 * Owns what a model would list of the operator's words: exactly what was written by hand beside them, which is a reader
 * that never errs; or everything that any list could say, which is the worst one. What either may free is decided by
 * the product's own code.
 */
import { ActKind, AskedAct, type AskedItem, type JsonObject, mostAskedItems } from '@countersign/contract'
import { type AskedPlan, askedKinds, fitQuestions, mostAsked } from '@countersign/policy'
import { wishesOf } from './intent.ts'
import { questionsAfter } from './reading.ts'
import type { SourceTask } from './source.ts'

export const Readers = ['hand', 'worst'] as const
export type Reader = (typeof Readers)[number]

export interface ReadWords {
  readonly task: SourceTask
  /** How many of its messages were said. */
  readonly messages: number
  /** All words of the task by then, with those of tasks before it that are still in the conversation. */
  readonly said: readonly string[]
  readonly args: JsonObject
}

export function listedBy(
  reader: Reader,
  words: ReadWords,
): Pick<AskedPlan, 'id' | 'items' | 'kinds' | 'questions'> {
  const { task, messages, said, args } = words
  const items = reader === 'hand' ? writtenBeside(task, messages) : everything(words)
  const kinds = reader === 'hand' ? kindsBeside(task, messages) : ActKind.options
  const questions = reader === 'hand' ? questionsBeside(words) : anyQuestion(args)
  return { id: `${task.id}/${messages}`, items, kinds, questions: fitQuestions(questions, said) }
}

/** No more than a list may hold. */
function writtenBeside(task: SourceTask, messages: number): AskedItem[] {
  return wishesOf(task)
    .filter(({ said }) => said <= messages)
    .flatMap(({ tools, target, count }) =>
      AskedAct.options
        .filter((act) => askedKinds[act].tools.some((tool) => tools.has(tool)))
        .map(
          (act): AskedItem => ({
            act,
            target: saidIn(target, task, messages),
            count: Math.min(count ?? mostAsked, mostAsked),
          }),
        ),
    )
    .slice(0, mostAskedItems)
}

/** The written questions that the words alone give: each name, number and address in them was said. */
function questionsBeside({ task, messages, said }: ReadWords): string[] {
  const spoken = new Set(said.flatMap(bareWords))
  const isTold = (question: string) =>
    bareWords(question).every((word, at) => {
      const isName = at > 0 && /^\p{Lu}/u.test(word)
      const isFigure = /\p{N}|\p{L}[.@/:]+\p{L}/u.test(word)
      return !(isName || isFigure) || spoken.has(word)
    })
  return questionsAfter(task.questions, messages)
    .map(({ text }) => text)
    .filter(isTold)
}

/** Without the marks around them. */
function bareWords(text: string): string[] {
  return text
    .split(/\s+/)
    .map((word) => word.replaceAll(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, ''))
    .filter((word) => word !== '')
}

/** What a list would say whose writer wants the call to run: its question, or its address as a question. */
export function anyQuestion({ question, url }: JsonObject): string[] {
  return [question, url].filter((each) => typeof each === 'string')
}

/** A target is written as the words have it, and left out where they have none. */
function saidIn(target: string | null, { said }: SourceTask, messages: number): string | null {
  const name = target?.replace(/\/\*{0,2}$/, '') ?? ''
  const whole = new RegExp(`(?<![\\p{L}\\p{N}])${RegExp.escape(name)}(?![\\p{L}\\p{N}])`, 'u')
  return name !== '' && said.slice(0, messages).some((words) => whole.test(words)) ? target : null
}

/** What was asked for in large, by the names of the tools that were written beside the words. */
function kindsBeside(task: SourceTask, messages: number): ActKind[] {
  const tools = wishesOf(task)
    .filter(({ said }) => said <= messages)
    .flatMap(({ tools }) => [...tools])
  return [...new Set(tools.flatMap(kindsOfTool))]
}

function kindsOfTool(tool: string): readonly ActKind[] {
  return kindsOfTools.find(([names]) => names.test(tool))?.[1] ?? []
}

/** The first that fits. */
const kindsOfTools: readonly (readonly [RegExp, readonly ActKind[]])[] = [
  [/_scheduled_task$|plan|goal|_step$|_agent_task$|^save_learning$/, ['plan_work']],
  [/^delete_file$|^purge_/, ['delete']],
  [/_file$|_folder$|^save_attachment$|^browser_screenshot$/, ['change_files']],
  [/^git_/, ['use_git']],
  [/^execute_|^compile_/, ['run_programs']],
  [/^package_manager$/, ['install']],
  [/^http_request$|^json_api$/, ['send']],
  [/^browser_/, ['use_pages']],
  [/remember$|^forget$/, ['remember']],
  [/_tool$/, ['change_settings']],
  [/^pay_/, ['pay']],
  [/^(send|post|forward|invite|answer)_/, ['send']],
  [/^(batch_)?(add|update|delete|complete|create)_/, ['change_records']],
]

/** Every kind of act, without a target, at every place that the words could name and at the call's own. */
export function everything({ said, args }: Pick<ReadWords, 'said' | 'args'>): AskedItem[] {
  const places = said.flatMap((words) => words.match(/[\p{L}\p{N}_][\p{L}\p{N}_./-]*/gu) ?? [])
  const own = ['table', 'name', 'path', 'source', 'destination'].flatMap((name) => {
    const value = args[name]
    return typeof value === 'string' ? [value] : []
  })
  const named = [...places, ...own].flatMap((place) => [place.replace(/[./-]+$/, ''), place])
  const targets = new Set(named.filter((place) => place !== ''))
  return AskedAct.options.flatMap((act) =>
    [null, ...targets].map((target): AskedItem => ({ act, target, count: mostAsked })),
  )
}
