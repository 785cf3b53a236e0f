/**
 * Owns what a model would list of the operator's words: exactly what was written by hand beside them, which is a reader
 * that never errs; or everything that any list could say, which is the worst one. What either may free is decided by
 * the product's own code.
 */
import { ActKind, AskedAct, type AskedItem, type JsonObject, mostAskedItems } from '@countersign/contract'
import { type AskedPlan, askedKinds, mostAsked } from '@countersign/policy'
import { wishesOf } from './intent.ts'
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

export function listedBy(reader: Reader, words: ReadWords): Pick<AskedPlan, 'id' | 'items' | 'kinds'> {
  const { task, messages } = words
  const items = reader === 'hand' ? writtenBeside(task, messages) : everything(words)
  const kinds = reader === 'hand' ? kindsBeside(task, messages) : ActKind.options
  return { id: `${task.id}/${messages}`, items, kinds }
}

/** No more than a list may hold. */
function writtenBeside(task: SourceTask, messages: number): AskedItem[] {
  return wishesOf(task)
    .filter(({ said }) => said <= messages)
    .flatMap(({ tools, target, count }) =>
      AskedAct.options
        .filter((act) => askedKinds[act].tools.some((tool) => tools.has(tool)))
        .map((act): AskedItem => ({ act, target, count: Math.min(count ?? mostAsked, mostAsked) })),
    )
    .slice(0, mostAskedItems)
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
