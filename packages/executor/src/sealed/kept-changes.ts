/**
 * Owns what programs changed in the workspace and what stood there before: a folder for each time that changes were
 * taken over. An undo gives all of it back, and what a process that died had half done is given back at the next start.
 * Refuses to give back over what somebody has changed since.
 */
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Sandbox, SandboxLayers } from '../sandbox/port.ts'
import type { ListRequest } from './list-program.ts'
import { type PathChange, pathBytes, pathText } from './path-change.ts'
import { removeFolder } from './sealing-folder.ts'
import { runTakeOver } from './take-over.ts'
import type { PathState, TakeOverReply, TakeOverRequest } from './take-over-program.ts'

export interface KeptChanges {
  /** Takes over what the layers hold. The id is that of what was kept; null where nothing was taken over. */
  take(layers: SandboxLayers, request: ListRequest): Promise<KeptReply>
  /** The paths that were changed, as text; nothing where they are not kept any more. */
  paths(id: string): Promise<readonly string[] | undefined>
  look(
    id: string,
    paths: readonly string[],
  ): Promise<{ conflicts: readonly string[]; states: readonly PathState[] }>
  /** Gives everything back, all or none. What stood there is kept in its turn. */
  restore(id: string): Promise<KeptReply>
  /** Takes over what is held in the folder, all or none, if the workspace is still as it was. */
  takeHeld(folder: string): Promise<KeptReply>
  drop(id: string): Promise<void>
}

export interface KeptReply extends Pick<TakeOverReply, 'conflicts' | 'left' | 'count' | 'tooMuch'> {
  readonly id: string | null
}

export interface KeptChangesOptions {
  readonly folder: string
  readonly sandbox: Sandbox
  readonly now: () => Date
}

/** As long as the details of a call are usually kept. */
const keepMs = 90 * 24 * 60 * 60_000
const mostKeptBytes = 8 * 1024 ** 3

const idShape = /^[0-9a-f]{32}$/
const done = 'done.json'

/** Gives back first what ended processes left unfinished, and says so on standard error. */
export async function openKeptChanges(options: KeptChangesOptions): Promise<KeptChanges> {
  const { folder, sandbox } = options
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  await recover(options)
  const kept = await keptIn(folder)
  await prune(kept, options)
  const inTurn = createTurns()
  const at = (id: string) => join(folder, id)
  const exists = (id: string) => idShape.test(id) && existsSync(join(at(id), done))

  /** One at a time: what one takes over is there before the next one looks. */
  const carryOut = (request: TakeOverWish, source: string | null, layers?: SandboxLayers) =>
    inTurn(async (): Promise<KeptReply> => {
      const id = randomBytes(16).toString('hex')
      openFolder(at(id))
      const folders = { kept: { journal: at(id), source }, ...(layers ? { layers } : {}) }
      const reply = await runTakeOver(sandbox, { ...request, id }, folders).catch(async (error: unknown) => {
        await settle(id, options).catch(report)
        // It came to its end, and only what it said of it did not arrive.
        if (existsSync(join(at(id), done))) return nothingTold
        throw error
      })
      if (!existsSync(join(at(id), done))) {
        await removeFolder(at(id))
        return { ...told(reply), id: null }
      }
      kept.set(id, await sizeOf(at(id)))
      await prune(kept, options)
      return { ...told(reply), id }
    })

  return {
    take: (layers, request) => carryOut({ task: 'take', ...request }, null, layers),
    async paths(id) {
      if (!exists(id)) return undefined
      return (await listOf(at(id))).map(({ path }) => pathText(path))
    },
    async look(id, paths) {
      const request = { task: 'look', id, paths: paths.map(pathBytes) } as const
      const { states, ...reply } = await runTakeOver(sandbox, request, {
        kept: { journal: at(id), source: at(id) },
      })
      return { conflicts: told(reply).conflicts, states }
    },
    restore: (id) =>
      exists(id)
        ? carryOut({ task: 'restore' }, at(id))
        : Promise.reject(new Error('It is not kept any more.')),
    takeHeld: (source) => carryOut({ task: 'take-held' }, source),
    drop: async (id) => {
      if (!idShape.test(id)) return
      kept.delete(id)
      await removeFolder(at(id))
    },
  }
}

const nothingTold = { conflicts: [], left: [], count: 0, tooMuch: null } as const

/** What cannot be given back now is tried at the next start; nobody is kept from working by it. */
function report(error: unknown): void {
  const why = error instanceof Error ? error.message : String(error)
  process.stderr.write(`Changes of a program could not be given back yet: ${JSON.stringify(why)}\n`)
}

type TakeOverWish = TakeOverRequest extends infer Each
  ? Each extends { id: string }
    ? Omit<Each, 'id'>
    : never
  : never

function told(reply: Pick<TakeOverReply, 'conflicts' | 'left' | 'count' | 'tooMuch'>) {
  const { count, tooMuch } = reply
  return { conflicts: reply.conflicts.map(pathText), left: reply.left.map(pathText), count, tooMuch }
}

function createTurns(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const next = last.then(work, work)
    last = next.catch(() => undefined)
    return next
  }
}

function openFolder(path: string): void {
  mkdirSync(path, { mode: 0o700 })
  writeFileSync(join(path, 'owner'), ownerOf(process.pid) ?? '', { mode: 0o600 })
}

/** A number of a process comes again; the moment at which it began does not. */
function ownerOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const began = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''
    return `${pid} ${began}`
  } catch {
    // No such process.
    return undefined
  }
}

async function recover(options: KeptChangesOptions): Promise<void> {
  for (const id of await readdir(options.folder)) {
    const path = join(options.folder, id)
    if (!idShape.test(id)) await removeFolder(path)
    if (!idShape.test(id) || existsSync(join(path, done)) || isOwned(path)) continue
    await settle(id, options).catch(report)
  }
}

function isOwned(path: string): boolean {
  try {
    const owner = readFileSync(join(path, 'owner'), 'utf8')
    return owner !== '' && ownerOf(Number.parseInt(owner, 10)) === owner
  } catch {
    // Its process died before it wrote its name, and so before it changed anything.
    return false
  }
}

/** What was begun is given back; what cannot be given back stays written down and is tried at the next start. */
async function settle(id: string, { folder, sandbox }: KeptChangesOptions): Promise<void> {
  const path = join(folder, id)
  if (existsSync(join(path, done))) return
  if (existsSync(join(path, 'plan.json'))) {
    const kept = { journal: path, source: null }
    const { conflicts } = await runTakeOver(sandbox, { task: 'recover', id }, { kept })
    const lost = conflicts.map((name) => JSON.stringify(pathText(name))).join(', ')
    const place = join(`${folder}-lost`, id)
    const rest =
      lost === ''
        ? ''
        : ` Others have changed these since, and they stay as they are: ${lost}. What was there before is in ${place}.`
    process.stderr.write(`Changes of a program that were half taken over have been given back.${rest}\n`)
    if (lost !== '') {
      mkdirSync(dirname(place), { recursive: true, mode: 0o700 })
      renameSync(path, place)
      return
    }
  }
  await removeFolder(path)
}

interface KeptSize {
  readonly at: number
  readonly bytes: number
}

/** Read once: a list can be long, and each command would read all of them. */
async function keptIn(folder: string): Promise<Map<string, KeptSize>> {
  const kept = new Map<string, KeptSize>()
  for (const id of await readdir(folder))
    if (existsSync(join(folder, id, done))) kept.set(id, await sizeOf(join(folder, id)))
  return kept
}

async function sizeOf(path: string): Promise<KeptSize> {
  const list = await listOf(path)
  const bytes = list.reduce((sum, { before }) => sum + (before?.kind === 'file' ? before.size : 0), 0)
  return { at: statSync(join(path, done)).mtimeMs, bytes }
}

/** The oldest go first when there is too much of it. */
async function prune(kept: Map<string, KeptSize>, { folder, now }: KeptChangesOptions): Promise<void> {
  let sum = 0
  for (const [id, { at, bytes }] of [...kept].toSorted(([, one], [, other]) => other.at - one.at)) {
    sum += bytes
    if (at >= now().getTime() - keepMs && sum <= mostKeptBytes) continue
    kept.delete(id)
    await removeFolder(join(folder, id))
  }
}

async function listOf(path: string): Promise<PathChange[]> {
  return JSON.parse(await readFile(join(path, done), 'utf8')) as PathChange[]
}
