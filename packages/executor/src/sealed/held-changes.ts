/**
 * Owns what programs changed over a view and nobody has decided about: a folder for each program, with the exact list
 * and the bytes. Nothing of it is in the workspace. A folder is there as a whole or not at all, belongs to the run whose
 * program made it, and goes when that run has gone on, when it is old, or when it was taken over. Refuses a flood.
 */
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync } from 'node:fs'
import { readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { canonicalText, type FileResource } from '@countersign/contract'
import { sha256Hex } from '@countersign/contract/node'
import { type HeldFile, type HeldSet, opens } from '@countersign/tools'
import type { Sandbox, SandboxLayers } from '../sandbox/port.ts'
import { sealedFolders } from '../sandbox/stage.ts'
import { gathered } from '../workspace-changes.ts'
import type { KeptChanges, KeptReply } from './kept-changes.ts'
import type { ListRequest } from './list-program.ts'
import { type PathChange, pathBytes, pathText } from './path-change.ts'
import { isAlive, removeFolder } from './sealing-folder.ts'
import { runTakeOver } from './take-over.ts'
import type { HeldList } from './take-over-program.ts'

export interface HeldOwner {
  readonly run: string
  readonly turn: number
}

export interface HeldChanges {
  /** Moves what the layers hold out of the call. Nothing is held where nothing changed or where it must not be. */
  hold(
    layers: SandboxLayers,
    request: ListRequest,
    owner: HeldOwner,
  ): Promise<Omit<KeptReply, 'id'> & { readonly held: HeldSet | null }>
  /** Refused for a name that is not held, and where the workspace is not as the program found it. */
  look(
    name: string,
  ): Promise<
    | { readonly kind: 'held'; readonly held: HeldSet; readonly resources: readonly FileResource[] }
    | { readonly kind: 'refused'; readonly reason: string }
  >
  /** Puts it into the workspace, all or none, for the run that it belongs to. What stood there is kept for an undo. */
  take(
    held: Pick<HeldSet, 'changes' | 'digest'>,
    run: string,
  ): Promise<KeptReply | { readonly refused: string }>
}

export interface HeldChangesOptions {
  readonly folder: string
  readonly sandbox: Sandbox
  readonly kept: KeptChanges
  readonly now: () => Date
  /** Takes values of secrets out of what is shown; the bytes stay as they are. */
  readonly mask: (text: string) => string
}

export const heldBounds = {
  mostSets: 64,
  mostOfRun: 16,
  /** Of new content, in all sets together. */
  mostBytes: 8 * 1024 ** 3,
  /** Longer than any request waits. */
  keepMs: 8 * 24 * 60 * 60_000,
  mostShown: 200,
  longestText: 16 * 1024,
  mostText: 48 * 1024,
} as const

const idShape = /^[0-9a-f]{32}$/
const gone = 'What the program changed is not held any more.'

interface HeldRecord extends HeldOwner {
  readonly at: number
  readonly bytes: number
  readonly held: HeldSet
}

export async function openHeldChanges(options: HeldChangesOptions): Promise<HeldChanges> {
  const { folder, sandbox, kept } = options
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  await clear(options)
  const at = (id: string) => join(folder, id)
  const recordOf = (id: string) => (idShape.test(id) ? readRecord(at(id)) : Promise.resolve(undefined))

  return {
    async hold(layers, request, owner) {
      const id = randomBytes(16).toString('hex')
      const part = at(`${process.pid}-${id}`)
      mkdirSync(part, { mode: 0o700 })
      try {
        const { longestText, mostText } = heldBounds
        const wish = { task: 'hold', id, longestText, mostText, ...request } as const
        const { conflicts, left, count, tooMuch } = await runTakeOver(sandbox, wish, {
          kept: { journal: part, source: null },
          layers,
        })
        const reply = { conflicts: conflicts.map(pathText), left: left.map(pathText), count, tooMuch }
        if (!existsSync(join(part, 'held.json'))) return { ...reply, held: null }
        const list = await listIn(part)
        const bytes = list.list.reduce((sum, change) => sum + sizeOf(change), 0)
        const flood = await floodOf(bytes, owner, options)
        if (flood !== undefined) return { ...reply, tooMuch: flood, held: null }
        const held = heldSet(id, list, options.mask)
        const record: HeldRecord = { ...owner, at: options.now().getTime(), bytes, held }
        await writeFile(join(part, 'record.json'), JSON.stringify(record), { mode: 0o600 })
        await rename(join(layers.sealedFolder, sealedFolders.changes), join(part, 'changes'))
        // From here on it is held; before, it is cleared away with the process that made it.
        await rename(part, at(id))
        return { ...reply, held }
      } finally {
        await removeFolder(part)
      }
    },
    async look(name) {
      const record = await recordOf(name)
      if (!record) return { kind: 'refused', reason: gone }
      const changed = scopeOf((await listIn(at(name))).list)
      const scope = gathered([...changed.keys()], mostResources).toSorted()
      const request = { task: 'look-held', id: name, paths: scope.map(pathBytes) } as const
      const { conflicts, states } = await runTakeOver(sandbox, request, {
        kept: { journal: at(name), source: at(name) },
      })
      if (conflicts.length > 0) return { kind: 'refused', reason: movedReason(conflicts.map(pathText)) }
      const resources = scope.map((path, index): FileResource => {
        const { identity, content } = states[index] ?? { identity: 'absent', content: null }
        return { type: 'file', root: 'workspace', path, op: changed.get(path) ?? 'write', identity, content }
      })
      return { kind: 'held', held: record.held, resources }
    },
    async take({ changes, digest }, run) {
      const record = await recordOf(changes)
      if (!record) return { refused: gone }
      if (record.run !== run) return { refused: 'What the program changed belongs to another run.' }
      const isSame = record.held.digest === digest && digestOf((await listIn(at(changes))).list) === digest
      if (!isSame) return { refused: 'What is held is not what was judged.' }
      const reply = await kept.takeHeld(at(changes))
      if (reply.id !== null) await removeFolder(at(changes)).catch(() => undefined)
      return reply
    },
  }
}

const mostResources = 256

/** Every path with what happens to it; a folder that is made for what is in it is told by that. */
function scopeOf(list: readonly PathChange[]): Map<string, 'write' | 'delete'> {
  return new Map(
    told(list).map(({ path, after }) => [pathText(path), after === null ? 'delete' : 'write'] as const),
  )
}

function told(list: readonly PathChange[]): PathChange[] {
  const filled = new Set(list.flatMap(({ path, after }) => (after === null ? [] : foldersOf(path))))
  return list.filter(
    ({ path, before, after }) => !(before === null && after?.kind === 'folder' && filled.has(path)),
  )
}

function foldersOf(path: string): string[] {
  const folders: string[] = []
  for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1))
    folders.push(path.slice(0, end))
  return folders
}

function heldSet(id: string, { list, shown }: HeldList, mask: (text: string) => string): HeldSet {
  const about = new Map(list.map(({ path }, index) => [path, shown[index]]))
  const all = told(list)
  const files = all
    .map((change): HeldFile => {
      const { text = null, besideHead = false, leadsOut = true } = about.get(change.path) ?? {}
      const isShown = text !== null && mask(text) === text
      return { ...heldFile(change), besideHead, leadsOut, text: isShown ? text : null }
    })
    .toSorted((one, other) => weight(other) - weight(one))
  const { mostShown } = heldBounds
  const bytes = list.reduce((sum, { before, after }) => sum + bytesOf(before) + bytesOf(after), 0)
  return {
    changes: id,
    digest: digestOf(list),
    files: files.slice(0, mostShown),
    more: Math.max(files.length - mostShown, 0),
    bytes,
  }
}

/** What a person should see first comes first, where not all can be shown. */
function weight({ change, runs, target, besideHead, mode }: HeldFile): number {
  return (
    Number(change === 'removed' || change === 'replaced') +
    2 * Number(target !== null) +
    4 * Number(runs || besideHead || opens(mode))
  )
}

function heldFile({ path, before, after }: PathChange): Omit<HeldFile, 'text' | 'besideHead' | 'leadsOut'> {
  const thing = after ?? before
  const isExecutable = (entry: PathChange['after']) => entry?.kind === 'file' && (entry.mode & 0o111) !== 0
  return {
    path: pathText(path),
    change: changeOf(before, after),
    kind: thing?.kind ?? 'file',
    size: bytesOf(thing),
    runs: isExecutable(after) && !isExecutable(before),
    mode: modeChange(before, after),
    target: after?.kind === 'link' ? pathText(after.target) : null,
  }
}

/** Of something that is of the same kind as before; what is new opens nothing. */
function modeChange(before: PathChange['before'], after: PathChange['after']): HeldFile['mode'] {
  if (before === null || after === null || before.kind === 'link' || after.kind === 'link') return null
  if (before.kind !== after.kind || before.mode === after.mode) return null
  return { before: before.mode, after: after.mode }
}

function changeOf(before: PathChange['before'], after: PathChange['after']): HeldFile['change'] {
  if (after === null) return 'removed'
  if (before === null) return 'made'
  return before.kind === after.kind ? 'changed' : 'replaced'
}

const bytesOf = (entry: PathChange['after']): number => (entry?.kind === 'file' ? entry.size : 0)
const sizeOf = ({ after }: PathChange): number => bytesOf(after)

/** Over every path with what stood there and what will, contents and modes included. */
function digestOf(list: readonly PathChange[]): string {
  return sha256Hex(canonicalText(list.map(({ path, before, after }) => ({ path, before, after }))))
}

function movedReason(conflicts: readonly string[]): string {
  return `${conflicts.slice(0, 5).join(', ')} has changed since the program ran; taking its changes over would lose that.`
}

async function listIn(path: string): Promise<HeldList> {
  return JSON.parse(await readFile(join(path, 'held.json'), 'utf8')) as HeldList
}

async function readRecord(path: string): Promise<HeldRecord | undefined> {
  try {
    return JSON.parse(await readFile(join(path, 'record.json'), 'utf8')) as HeldRecord
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** What ended processes began to hold, and what nobody can decide about any more. */
async function clear({ folder, now }: HeldChangesOptions, owner?: HeldOwner): Promise<HeldRecord[]> {
  const held: HeldRecord[] = []
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    const pid = /^(\d+)-/.exec(name)?.[1]
    if (pid !== undefined && isAlive(Number(pid))) continue
    const record = idShape.test(name) ? await readRecord(path) : undefined
    // A run that goes on has no open question of an earlier turn.
    const isOver = record && record.run === owner?.run && record.turn < owner.turn
    if (record && !isOver && record.at >= now().getTime() - heldBounds.keepMs) held.push(record)
    else await removeFolder(path)
  }
  return held
}

async function floodOf(
  bytes: number,
  owner: HeldOwner,
  options: HeldChangesOptions,
): Promise<string | undefined> {
  const others = (await clear(options, owner)).toSorted((one, other) => other.at - one.at)
  const own = others.filter(({ run }) => run === owner.run).length
  if (own >= heldBounds.mostOfRun)
    return `the changes of ${own} programs of this run wait for a decision already; decide about those first`
  if (bytes > heldBounds.mostBytes) return 'it changed more than 8 GiB'
  // Nobody tells that a run was stopped or a change denied, so the oldest give way: no run can keep the others from working.
  let sum = bytes
  for (const [place, record] of others.entries()) {
    sum += record.bytes
    if (place >= heldBounds.mostSets - 1 || sum > heldBounds.mostBytes)
      await removeFolder(join(options.folder, record.held.changes))
  }
  return undefined
}
