/**
 * Owns what nobody asked for: a call that changes or sends something, in the operator's own conversation after strangers'
 * words were read, of a kind that a reading of the operator's words does not name. Where it would ask it is held. Pure;
 * in doubt it asks, and what is held here is freed nowhere.
 */
import {
  type ActKind,
  type AskedAct,
  changesTaker,
  type Decision,
  type Effect,
  isLook,
  type Resource,
} from '@countersign/contract'
import { type CallInTask, isOwnCall, type TaskFacts, type TaskSoFar } from './task-so-far.ts'

/** For whoever reads the operator's words. */
export const actKinds: Readonly<Record<ActKind, string>> = {
  change_files: 'write, change, copy, move, download or save files and folders',
  delete: 'delete, remove or clean up something',
  use_git: 'commit, branch, or else change a repository',
  change_records: 'tasks, notes, events, bookmarks, contacts, expenses or tables',
  plan_work: 'goals, plans, schedules, reminders, or work for other agents',
  remember: 'remember or forget something',
  run_programs: 'run commands, scripts, tests or builds',
  install: 'install or update packages and programs',
  use_pages: 'click, fill in or send something on a web page',
  send: 'send, answer, post, upload or change something at others or at a service',
  pay: 'pay, buy or book',
  change_settings: 'tools, agents, permissions, keys or settings',
}

/** Held instead of asked about: by this reading of the operator's words nobody asked for it. */
export function heldBy({ kind }: Pick<Decision, 'kind'>, task: TaskFacts | undefined): string | null {
  return kind === 'ask' ? (task?.unasked ?? null) : null
}

/** Whether a reading could say that nobody asked for such a call, whatever it says. */
export function mayBeHeld(call: CallInTask): boolean {
  return isOwnCall(call) && !call.inReader && call.label.integrity === 'untrusted' && kindsOf(call).length > 0
}

/** One that could not be read, or was taken back, holds nothing. */
export function unaskedIn(call: CallInTask, { plan }: Pick<TaskSoFar, 'plan'>): string | null {
  if (plan === null || plan.kinds === null || !mayBeHeld(call)) return null
  const asked = new Set([...plan.kinds, ...plan.items.map(({ act }) => kindOfWish[act])])
  return kindsOf(call).some((kind) => asked.has(kind)) ? null : plan.id
}

/** What a wish for it says in large. */
const kindOfWish: Readonly<Record<AskedAct, ActKind>> = {
  change_files: 'change_files',
  commit: 'use_git',
  branch: 'use_git',
  add_tasks: 'change_records',
  add_notes: 'change_records',
  add_events: 'change_records',
  add_bookmarks: 'change_records',
  change_tasks: 'change_records',
  change_notes: 'change_records',
  change_events: 'change_records',
  make_tables: 'change_records',
  add_rows: 'change_records',
  change_rows: 'change_records',
}

/** The kinds that people could mean by it, by what it does and not by what it says; none where that is not known. */
export function kindsOf({ tool, effects, resources }: CallInTask): ActKind[] {
  const acts = effects.filter(isAct)
  if (acts.length === 0) return []
  const byName = kindsByName(tool.name)
  if (byName) return [...byName]
  // A key that is read is a secret in reach, and changes nothing.
  if (acts.every(({ verb }) => verb === 'authority') && resources.every(isLooked)) return []
  const changed = resources.flatMap(kindsOfChange)
  return [...new Set(acts.flatMap(({ verb, outward }) => kindsOfVerb(verb, outward, changed)))]
}

/** A look is none, and neither is a question. */
function isAct({ verb, outward }: Effect): boolean {
  return outward || !(verb === 'read' || verb === 'list' || verb === 'fetch' || verb === 'ask')
}

function kindsByName(tool: string): readonly ActKind[] | undefined {
  if (tool.startsWith('git_')) return ['use_git']
  if (tool.startsWith('browser_')) return ['use_pages', 'send']
  return named.get(tool)
}

/**
 * More money for the run is asked for by the product, and by nobody's words. What a program changed is kept for its own
 * run, so it could not be proposed again out of a row: it asks.
 */
const named: ReadonlyMap<string, readonly ActKind[]> = new Map<string, readonly ActKind[]>([
  ['allow_spending', []],
  ['package_manager', ['install']],
  [changesTaker, []],
])

function kindsOfVerb(
  verb: Effect['verb'],
  outward: boolean,
  changed: readonly ActKind[],
): readonly ActKind[] {
  if (verb === 'spend') return ['pay']
  if (verb === 'authority') return ['change_settings']
  if (outward || verb === 'send') return ['send']
  switch (verb) {
    case 'execute':
      return ['run_programs']
    case 'delete':
      return ['delete', ...changed]
    default:
      return changed
  }
}

function kindsOfChange(resource: Resource): readonly ActKind[] {
  switch (resource.type) {
    case 'file':
      return isLook(resource.op) ? [] : ['change_files']
    case 'record':
      return isLook(resource.op) ? [] : kindsOfRecord(resource.collection)
    case 'exec':
      return ['run_programs']
    case 'url':
    case 'peer':
    case 'node':
    case 'extension':
    case 'server-tool':
      return []
  }
}

function isLooked(resource: Resource): boolean {
  return resource.type === 'file' && isLook(resource.op)
}

function kindsOfRecord(collection: string): readonly ActKind[] {
  if (collection.startsWith('table:')) return ['change_records']
  return kindsOfRecords.get(collection) ?? []
}

const kindsOfRecords: ReadonlyMap<string, readonly ActKind[]> = new Map([
  ...collections('change_records', 'tasks notes events bookmarks contacts expenses custom_tables'),
  ...collections('plan_work', 'goals goal_steps plans schedules agent_tasks'),
  ...collections('remember', 'memories'),
  ...collections('change_settings', 'custom_tools'),
])

function collections(kind: ActKind, names: string): [string, ActKind[]][] {
  return names.split(' ').map((name) => [name, [kind]])
}
