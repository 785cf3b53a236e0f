/**
 * Owns what a list of the operator's wishes can free from a question. The list is a model's reading of the operator's
 * words and may say anything; what it can give is decided here: a change inside that can be undone and that would not
 * ask without strangers' words in the run. Pure; in doubt nothing.
 */
import { type AskedAct, type AskedItem, type Effect, isLook, type Resource } from '@countersign/contract'
import { isAtPlace, isInRepository, wasSaid } from './asked-place.ts'
import { endingOf, isNobodysOrder, isPlainDocumentEnding, isPlainSource } from './plain-document.ts'
import { type AskedFact, type CallInTask, isOwnCall, type TaskSoFar } from './task-so-far.ts'

export interface AskedKind {
  /** For whoever reads the operator's words, and for people. */
  readonly words: string
  readonly tools: readonly string[]
  /** What a target of it is. */
  readonly at: 'path' | 'repository' | 'table' | 'record' | 'none'
}

/** After these a person looks again. */
export const mostAsked = 20

/** Nothing that sends, spends, deletes, runs a program or changes who may do what is among them. */
export const askedKinds: Readonly<Record<AskedAct, AskedKind>> = {
  change_files: kind('change files', 'path', 'write_file edit_file move_file create_folder'),
  commit: kind('commit', 'repository', 'git_add git_commit'),
  branch: kind('make or switch branches', 'repository', 'git_branch git_checkout'),
  add_tasks: kind('add tasks', 'none', 'add_task batch_add_tasks'),
  add_notes: kind('add notes', 'none', 'add_note batch_add_notes'),
  add_events: kind('add calendar events', 'none', 'add_calendar_event batch_add_calendar_events'),
  add_bookmarks: kind('add bookmarks', 'none', 'add_bookmark batch_add_bookmarks'),
  change_tasks: kind('change tasks or tick them off', 'record', 'update_task complete_task'),
  change_notes: kind('change notes', 'record', 'update_note'),
  change_events: kind('change calendar events', 'record', 'update_calendar_event'),
  make_tables: kind('make tables and columns', 'table', 'create_custom_table add_custom_column'),
  add_rows: kind('add rows to a table', 'table', 'add_custom_record batch_add_custom_records'),
  change_rows: kind('change rows of a table', 'table', 'update_custom_record'),
}

function kind(words: string, at: AskedKind['at'], tools: string): AskedKind {
  return { words, at, tools: tools.split(' ') }
}

/** The wish that the call fulfils, where the list has one that is not used up. */
export function askedFact(call: CallInTask, soFar: TaskSoFar): AskedFact | null {
  const { plan, asked } = soFar
  const count = countIn(call)
  if (plan === null || asked + count > mostAsked || !mayBeAskedFor(call)) return null
  const item = plan.items.findIndex(
    (one, index) =>
      isFor(call, one, soFar) && (plan.used[index] ?? 0) + count <= Math.min(one.count, mostAsked),
  )
  const found = plan.items[item]
  return found ? { plan: plan.id, item, count, words: wordsOf(found) } : null
}

/** A batch uses up as many wishes as it has entries. */
function countIn({ tool, args }: CallInTask): number {
  const entries = Object.values(args).filter((value) => Array.isArray(value))
  return tool.name.startsWith('batch_') ? entries.reduce((sum, list) => sum + list.length, 0) : 1
}

/** Whether a wish could speak for such a call at all, whatever was wished. */
export function mayBeAskedFor(call: CallInTask): boolean {
  const { tool, effects, resources, label, secrets } = call
  return (
    isOwnCall(call) &&
    label.integrity === 'untrusted' &&
    secrets.length === 0 &&
    tools.has(tool.name) &&
    effects.some(({ verb }) => verb === 'write') &&
    effects.every((effect) => isUndoableInside(effect, tool.name)) &&
    resources.every((resource) => isOrdinary(resource, call)) &&
    keepsEnding(call)
  )
}

const tools: ReadonlySet<string> = new Set(Object.values(askedKinds).flatMap((one) => one.tools))
const mover = 'move_file'

/** What moves a file takes it away from where it was, and brings it back; nothing else may delete. */
function isUndoableInside({ verb, scope, reversible, outward, leaves }: Effect, tool: string): boolean {
  const isMild =
    verb === 'read' || verb === 'list' || verb === 'write' || (verb === 'delete' && tool === mover)
  return isMild && scope === 'inside' && reversible && !outward && leaves.length === 0
}

function isOrdinary(resource: Resource, { tool, args }: CallInTask): boolean {
  switch (resource.type) {
    case 'file':
      return (
        resource.root === 'workspace' && (isLook(resource.op) || isOrdinaryFile(resource, tool.name, args))
      )
    case 'record':
      return isLook(resource.op) || (resource.op === 'write' && isOwnRecord(resource.collection))
    case 'exec':
      return tool.name.startsWith('git_') && !resource.uninspectable
    case 'url':
    case 'peer':
    case 'node':
    case 'extension':
    case 'server-tool':
      return false
  }
}

/** A folder that is moved may hold anything, so only files are. */
function isOrdinaryFile(
  { path, op, content }: Extract<Resource, { type: 'file' }>,
  tool: string,
  args: CallInTask['args'],
): boolean {
  if (tool === 'create_folder') return op === 'write' && isNobodysOrder(`${path}/_`)
  if (op === 'delete' && (tool !== mover || content === null)) return false
  // What it holds is not in the call, or only a part of it, so it is nothing that is shown or run by what it holds.
  if (tool !== 'write_file' && (isPlainDocumentEnding(path) || !isPlainSource({ path, text: null })))
    return false
  const written = texts[tool]
  if (written === undefined) return true
  const text = args[written]
  return typeof text === 'string' && isPlainSource({ path, text })
}

/** In which argument the words stand that a tool writes. */
const texts: Readonly<Record<string, string>> = { write_file: 'content', edit_file: 'newText' }

/** Not goals, plans, schedules or what is remembered: these say what is done later. Nor contacts: to whom. */
function isOwnRecord(collection: string): boolean {
  return records.has(collection) || collection.startsWith('table:')
}

const records: ReadonlySet<string> = new Set(['tasks', 'notes', 'events', 'bookmarks', 'custom_tables'])

/** Under another ending the same words may be run or shown in another way. */
function keepsEnding({ tool, resources }: CallInTask): boolean {
  if (tool.name !== mover && tool.name !== 'copy_file') return true
  const endings = resources.flatMap((one) => (one.type === 'file' ? [endingOf(one.path)] : []))
  return new Set(endings).size === 1
}

function isFor(call: CallInTask, { act, target }: AskedItem, soFar: TaskSoFar): boolean {
  const { tools: its, at } = askedKinds[act]
  if (!its.includes(call.tool.name)) return false
  switch (at) {
    case 'none':
      return areSpokenOf(titlesOf(call), soFar.said)
    case 'record':
      return areNamed(call.resources, soFar.said)
    case 'path':
      return isAtPlace(changedPaths(call), target, call, soFar)
    case 'repository':
      return isOwnGit(call, target, soFar)
    case 'table':
      return tablesOf(call).every((table) => table === target && wasSaid(table, soFar.said))
  }
}

function changedPaths({ resources }: CallInTask): string[] {
  return resources.flatMap((one) => (one.type === 'file' && !isLook(one.op) ? [one.path] : []))
}

/** In nobody else's name. Branches are those that were said. */
function isOwnGit(call: CallInTask, target: string | null, soFar: TaskSoFar): boolean {
  const { args, tool, resources } = call
  const folders = resources.flatMap((one) => (one.type === 'exec' ? [one.cwd] : []))
  const branch = args['name'] ?? args['target']
  const { start } = args
  if (typeof branch === 'string' && !wasSaid(branch, soFar.said)) return false
  // What a branch begins with comes into the files at the next checkout.
  if (typeof start === 'string' && start !== 'HEAD' && !wasSaid(start, soFar.said)) return false
  if (Object.entries(args).some(([name, value]) => name.startsWith('author') && value !== null)) return false
  return tool.name === 'git_checkout'
    ? isAtPlace(folders, target, call, soFar)
    : isInRepository(folders, target, call, soFar)
}

function tablesOf({ resources, args }: CallInTask): string[] {
  const { table, name } = args
  const rows = resources.flatMap((one) =>
    one.type === 'record' && one.op === 'write' && one.collection.startsWith('table:')
      ? [one.collection.slice('table:'.length)]
      : [],
  )
  const said = table ?? name
  return [...rows, typeof said === 'string' ? said : '']
}

/** What each record that is made is called; an entry of a batch without a title has none that was said. */
function titlesOf({ tool, args }: CallInTask): string[] {
  const entries = tool.name.startsWith('batch_') ? Object.values(args).flat() : [args]
  return entries.map((entry) => {
    const title = typeof entry === 'object' && entry !== null && 'title' in entry ? entry['title'] : ''
    return typeof title === 'string' ? title : ''
  })
}

/** A word of each was said. What a stranger wants made is about something else. */
function areSpokenOf(titles: readonly string[], said: readonly string[]): boolean {
  const spoken = new Set(said.flatMap(stemsOf))
  return titles.length > 0 && titles.every((title) => stemsOf(title).some((stem) => spoken.has(stem)))
}

/** What records that are there are called so far. They are somebody's, so a word is said that is hardly another. */
function areNamed(resources: readonly Resource[], said: readonly string[]): boolean {
  const changed = resources.flatMap((one) => (one.type === 'record' && one.op === 'write' ? [one] : []))
  const spoken = said.flatMap(longWords)
  const isSpoken = (word: string) => spoken.some((each) => isAlike(word, each))
  return changed.length > 0 && changed.every((one) => longWords(one.title ?? '').some(isSpoken))
}

/** But for an ending of two letters. */
function isAlike(left: string, right: string): boolean {
  const [short, long] = left.length <= right.length ? [left, right] : [right, left]
  return long.startsWith(short) && long.length - short.length <= 2
}

function longWords(text: string): string[] {
  const words =
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]{5,}/gu) ?? []
  return words.filter((word) => !common.has(word))
}

/** They are in every second sentence. */
const common: ReadonlySet<string> = new Set(
  `about above after again before being below between could doing during every first other please shall should since
  still their there these thing think those though today tomorrow under until where which while without would yesterday`.split(
    /\s+/,
  ),
)

/** The beginnings of its longer words: an ending is often another. */
function stemsOf(text: string): string[] {
  return longWords(text).map((word) => word.slice(0, 5))
}

function wordsOf({ act, target }: AskedItem): string {
  const { words, at } = askedKinds[act]
  return target === null || at === 'none' || at === 'record' ? words : `${words} in ${target}`
}
