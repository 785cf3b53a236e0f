/**
 * The program that takes changes over into the workspace and gives them back. It runs inside the sandbox as source text
 * together with the programs that it is given, so it stands alone. What it is about to do is written down before it
 * begins, so that whoever finds it unfinished can give it back.
 */
import type { ListedChanges, ListRequest, listProgram } from './list-program.ts'
import type { PathChange } from './path-change.ts'
import type { Placing, placeProgram } from './place-program.ts'
import type { ShowBounds, ShownChange, showProgram } from './show-program.ts'
import type { Tree, treeProgram } from './tree-program.ts'

export type TakeOverRequest = { readonly id: string } & (
  | ({ readonly task: 'take' } & ListRequest)
  /** Only looks whether what was taken over is still as it was, and what stands at some of the paths. */
  | { readonly task: 'look'; readonly paths: readonly string[] }
  | { readonly task: 'restore' }
  /** Writes down what a command changed and takes nothing over. */
  | ({ readonly task: 'hold' } & ListRequest & ShowBounds)
  /** Looks whether what was held still fits the workspace, and what stands at some of the paths. */
  | { readonly task: 'look-held'; readonly paths: readonly string[] }
  | { readonly task: 'take-held' }
  /** For what a process that is gone had begun. */
  | { readonly task: 'recover' }
)

export interface TakeOverReply {
  /** What somebody else changed meanwhile. If there is any, nothing was taken over. */
  readonly conflicts: readonly string[]
  /** Pipes, sockets and the like, which are not taken over. */
  readonly left: readonly string[]
  /** How many paths changed. */
  readonly count: number
  /** Why it is too much to be taken over. */
  readonly tooMuch: string | null
  /** For a look: what stands at the paths that were asked for. */
  readonly states: readonly PathState[]
}

/** What a command changed, written down for a decision. */
export interface HeldList {
  readonly list: readonly PathChange[]
  /** For each of them. */
  readonly shown: readonly ShownChange[]
}

export interface PathState {
  readonly identity: 'absent' | { readonly device: string; readonly inode: string }
  readonly content: string | null
}

export interface TakeOverPlaces {
  readonly workspace: string
  readonly changes: string
  readonly view: string
  /** Where what is about to be done is written down, with what it replaces. */
  readonly journal: string
  /** What an earlier program wrote down, to be given back. */
  readonly source: string
}

export interface TakeOverParts {
  readonly tree: typeof treeProgram
  readonly list: typeof listProgram
  readonly place: typeof placeProgram
  readonly show: typeof showProgram
}

export function takeOverProgram(parts: TakeOverParts, places: TakeOverPlaces): void {
  const fs = process.getBuiltinModule('node:fs')
  const request = JSON.parse(fs.readFileSync(0, 'utf8')) as TakeOverRequest
  const host: Tree = parts.tree(places.workspace)
  const placing: Placing = parts.place(host, request.id)
  const nothing: TakeOverReply = { conflicts: [], left: [], count: 0, tooMuch: null, states: [] }
  const mostTold = 20
  const longestTold = 400
  const told = (paths: Iterable<string>): string[] =>
    [...paths].slice(0, mostTold).map((path) => path.slice(0, longestTold))

  const plan = `${places.journal}/plan.json`
  const readList = (path: string): PathChange[] => JSON.parse(fs.readFileSync(path, 'utf8')) as PathChange[]

  function conflict(paths: Iterable<string>): TakeOverReply {
    return { ...nothing, conflicts: told(paths) }
  }

  /** A list that is not whole is not there. */
  function writeWhole(path: string, content: unknown): void {
    const file = fs.openSync(`${path}.part`, 'wx', 0o600)
    try {
      fs.writeFileSync(file, JSON.stringify(content))
      fs.fsyncSync(file)
    } finally {
      fs.closeSync(file)
    }
    fs.renameSync(`${path}.part`, path)
  }

  function carryOut(list: readonly PathChange[], source: Tree): TakeOverReply {
    fs.mkdirSync(`${places.journal}/old`)
    const kept = placing.keep(list, `${places.journal}/old`)
    if ('moved' in kept) return conflict([kept.moved])
    writeWhole(plan, kept)
    const moved = placing.place(kept, source, parts.tree(`${places.journal}/old`))
    if (moved.length > 0) return conflict(moved)
    fs.renameSync(plan, `${places.journal}/done.json`)
    return { ...nothing, count: list.length }
  }

  function take(wanted: Extract<TakeOverRequest, { task: 'take' }>): TakeOverReply {
    const changes = parts.tree(places.changes)
    const found: ListedChanges = parts.list(host, changes, parts.tree(places.view), wanted)
    const left = told(found.left)
    if (found.tooMuch !== null) return { ...nothing, tooMuch: found.tooMuch }
    if (found.conflicts.size > 0) return conflict(found.conflicts)
    return found.list.length === 0 ? { ...nothing, left } : { ...carryOut(found.list, changes), left }
  }

  function hold(wanted: Extract<TakeOverRequest, { task: 'hold' }>): TakeOverReply {
    const [changes, view] = [parts.tree(places.changes), parts.tree(places.view)]
    const { list, conflicts, left, tooMuch } = parts.list(host, changes, view, wanted)
    if (tooMuch !== null) return { ...nothing, tooMuch }
    if (conflicts.size > 0) return conflict(conflicts)
    if (list.length > 0) {
      const shown = parts.show({ host, changes, view }, list, wanted)
      writeWhole(`${places.journal}/held.json`, { list, shown } satisfies HeldList)
    }
    return { ...nothing, left: told(left), count: list.length }
  }

  const readHeld = (): readonly PathChange[] =>
    (JSON.parse(fs.readFileSync(`${places.source}/held.json`, 'utf8')) as HeldList).list
  const inverse = (list: readonly PathChange[]): PathChange[] =>
    list.map(({ path, before, after }) => ({ path, before: after, after: before }))

  /** The same checks as right after the command: what stood at every path still stands there. */
  function takeHeld(list: readonly PathChange[]): TakeOverReply {
    const seen = look(inverse(list), [])
    if (seen.conflicts.length > 0) return seen
    return carryOut(list, parts.tree(`${places.source}/changes`))
  }

  function look(list: readonly PathChange[], paths: readonly string[]): TakeOverReply {
    const changed = list.filter(({ path, after }) => !placing.isAt(path, after))
    const states = paths.map((path): PathState => {
      const stat = host.stat(path)
      if (stat === undefined) return { identity: 'absent', content: null }
      const entry = host.entry(path, stat)
      const identity = { device: String(stat.dev), inode: String(stat.ino) }
      return { identity, content: entry?.kind === 'file' ? entry.sha256 : null }
    })
    return { ...conflict(changed.map(({ path }) => path)), count: list.length, states }
  }

  function restore(list: readonly PathChange[]): TakeOverReply {
    const seen = look(list, [])
    if (seen.conflicts.length > 0) return seen
    return carryOut(inverse(list), parts.tree(`${places.source}/old`))
  }

  function answer(): TakeOverReply {
    switch (request.task) {
      case 'take':
        return take(request)
      case 'look':
        return look(readList(`${places.source}/done.json`), request.paths)
      case 'restore':
        return restore(readList(`${places.source}/done.json`))
      case 'hold':
        return hold(request)
      case 'look-held':
        return look(inverse(readHeld()), request.paths)
      case 'take-held':
        return takeHeld(readHeld())
      case 'recover':
        return conflict(placing.giveBack(readList(plan), parts.tree(`${places.journal}/old`)))
    }
  }

  const reply = Buffer.from(JSON.stringify(answer()))
  for (let sent = 0; sent < reply.length; ) sent += fs.writeSync(1, reply, sent)
}
