/** Owns the commands of a conversation, the same on every surface. A line that begins with a slash never reaches a model. Pure. */

export const slashNames = [
  'new',
  'queue',
  'stop',
  'undo',
  'show',
  'model',
  'pending',
  'approve',
  'deny',
  'why',
  'status',
  'cost',
  'pause',
  'resume',
  'help',
  'exit',
] as const
export type SlashName = (typeof slashNames)[number]

export interface SlashRow {
  readonly name: SlashName
  /** What follows the name, as it is written in a list; empty where nothing does. */
  readonly takes: string
  readonly about: string
  /** The only surface that has it; null where every one does. */
  readonly only: 'terminal' | null
}

const abouts: Readonly<Record<SlashName, string>> = {
  new: 'start a new conversation',
  queue: 'send a message after the current run',
  stop: 'stop the run',
  undo: 'undo what the last run did',
  show: 'unfold what the last call brought; /show 2 the one before it',
  model: 'show or choose the model that answers here',
  pending: 'list what waits for your approval',
  approve: 'approve a request once',
  deny: 'deny a request, with a reason for the assistant',
  why: 'why something happened',
  status: 'show the state of the gateway',
  cost: 'show what was spent',
  pause: 'pause everything',
  resume: 'resume after a pause',
  help: 'list the commands',
  exit: 'leave; runs continue',
}

const takes: Readonly<Partial<Record<SlashName, string>>> = {
  queue: 'TEXT',
  model: '[NAME]',
  approve: 'CODE',
  deny: 'CODE REASON',
  why: 'REF',
}

/** In the order in which a list shows them. */
export const slashCommands: readonly SlashRow[] = slashNames.map((name) => ({
  name,
  takes: takes[name] ?? '',
  about: abouts[name],
  only: name === 'exit' || name === 'show' || name === 'model' ? 'terminal' : null,
}))

type BareName = Exclude<SlashName, 'queue' | 'approve' | 'deny' | 'why' | 'show' | 'model'>

export type SlashCommand =
  | { readonly kind: 'queue'; readonly text: string }
  | { readonly kind: 'approve'; readonly code: string }
  | { readonly kind: 'deny'; readonly code: string; readonly reason: string }
  | { readonly kind: 'why'; readonly ref: string }
  /** The call that many from the end; the last is 1. */
  | { readonly kind: 'show'; readonly back: number }
  /** Empty to be told which. */
  | { readonly kind: 'model'; readonly model: string }
  | { [Name in BareName]: { readonly kind: Name } }[BareName]
  /** There is no such command. */
  | { readonly kind: 'unknown'; readonly name: string }
  /** It is followed by too little or too much. */
  | { readonly kind: 'incomplete'; readonly name: SlashName }

/** Undefined for an ordinary message. */
export function parseSlash(line: string): SlashCommand | undefined {
  const found = /^\/(\S*)\s*(.*)$/s.exec(line.trim())
  if (!found) return undefined
  const [, written = '', rest = ''] = found
  const name = slashNames.find((each) => each === written.toLowerCase())
  if (name === undefined) return { kind: 'unknown', name: written }
  const [first = '', ...more] = rest.split(/\s+/)
  const incomplete = { kind: 'incomplete', name } as const
  switch (name) {
    case 'queue':
      return rest === '' ? incomplete : { kind: name, text: rest }
    case 'approve':
      return first === '' || more.length > 0 ? incomplete : { kind: name, code: first }
    case 'deny':
      return first === '' ? incomplete : { kind: name, code: first, reason: more.join(' ') }
    case 'why':
      return rest === '' ? incomplete : { kind: name, ref: rest }
    case 'model':
      return more.length > 0 ? incomplete : { kind: name, model: first }
    case 'show':
      return /^(?:[1-9]\d?)?$/.test(rest) ? { kind: name, back: Number(rest || 1) } : incomplete
    default:
      return rest === '' ? { kind: name } : incomplete
  }
}

/** How a command is written: `/deny CODE REASON`. */
export function slashUsage({ name, takes: what }: Pick<SlashRow, 'name' | 'takes'>): string {
  return what === '' ? `/${name}` : `/${name} ${what}`
}

/** The commands that the beginning of a line may become, while only the name is being written. */
export function slashMatching(line: string, surface: 'terminal' | 'web'): readonly SlashRow[] {
  const typed = /^\/(\S*)$/.exec(line)?.[1]?.toLowerCase()
  if (typed === undefined) return []
  return slashCommands.filter(
    ({ name, only }) => (only === null || only === surface) && name.startsWith(typed),
  )
}
