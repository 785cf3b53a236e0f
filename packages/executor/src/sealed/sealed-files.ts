/**
 * Owns the sealed files of one call: private copies of every program and file that the permit binds, and whatever the
 * call's commands change in the workspace until it is taken over. Refuses bytes that are not those of the permit.
 */
import { execFile } from 'node:child_process'
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { link, mkdir } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ApprovalSubject, ExecResource, FileResource } from '@countersign/contract'
import type { SandboxLayers } from '../sandbox/port.ts'
import { sealedFolders } from '../sandbox/stage.ts'
import type { HeldChanges, HeldOwner } from './held-changes.ts'
import { type HiddenPath, hidePaths } from './hide-files.ts'
import type { KeptChanges, KeptReply } from './kept-changes.ts'
import type { ListRequest } from './list-program.ts'
import { pathBytes, takeOverBounds } from './path-change.ts'
import type { ProgramCopies } from './program-copies.ts'
import { sealFile, sealWay } from './seal-file.ts'
import { removeFolder } from './sealing-folder.ts'

export interface SealedFilesParts {
  /** Where sealed folders are made; only the executor may enter. */
  readonly folder: string
  /** The real path of the workspace. */
  readonly workspace: string
  readonly nodePath: string
  readonly copies: ProgramCopies
}

export interface SealedFiles {
  /** Seals at the first command, all but the paths that are named. */
  layers(
    paths: SealedPaths,
  ): Promise<{ readonly kind: 'sealed'; readonly layers: SandboxLayers } | FileChanged>
  /** Before the first command: hides these as well as what the permit hides. */
  hide(paths: readonly string[]): void
  /** What was kept from every command so far. Nothing before the first one. */
  hidden(): readonly HiddenPath[]
  /** After a command that could write: puts its changes into the workspace, all or none. */
  takeOver(kept: KeptChanges): Promise<KeptReply>
  /** Instead: holds its changes until somebody decides about them. The next command begins without them. */
  hold(held: HeldChanges, owner: HeldOwner): ReturnType<HeldChanges['hold']>
  close(): Promise<void>
}

export interface SealedPaths {
  /** Bound files that enter as they are. */
  readonly unsealed: readonly string[]
  /** Paths as the command writes them. One that leads to a file must lead to one that the permit binds. */
  readonly written: readonly string[]
}

interface RoomPaths extends SealedPaths {
  readonly hidden: readonly string[]
}

interface FileChanged {
  readonly kind: 'changed'
  readonly reason: string
}

export function createSealedFiles(subject: ApprovalSubject, parts: SealedFilesParts): SealedFiles {
  let sealedFolder: SealedFolder | undefined
  const asked = new Set(subject.hidden)
  let hidden: readonly HiddenPath[] | undefined
  return {
    async layers(paths) {
      sealedFolder ??= openSealedFolder(parts.folder)
      const sealed = await seal(subject, { ...paths, hidden: [...asked] }, sealedFolder, parts)
      if (sealed.kind !== 'sealed') return sealed
      const now = sealedFolder.hidden
      hidden = (hidden ?? now).filter(({ path }) => now.some((each) => each.path === path))
      sealedFolder.began = await nextTick(sealedFolder)
      return sealed
    },
    hide(paths) {
      for (const path of paths) asked.add(path)
    },
    hidden: () => hidden ?? [],
    async hold(held, owner) {
      if (sealedFolder === undefined || isUnchanged(sealedFolder)) return { ...nothing, held: null }
      const room = sealedFolder
      sealedFolder = undefined
      try {
        return await handedOver(room, (layers, request) => held.hold(layers, request, owner))
      } finally {
        await removeFolder(room.path).catch(() => undefined)
      }
    },
    async takeOver(kept) {
      if (sealedFolder === undefined || isUnchanged(sealedFolder)) return nothing
      const room = sealedFolder
      // The next command begins in a new room: what was refused is not taken over with what it does.
      const leave = async (): Promise<void> => {
        sealedFolder = undefined
        await removeFolder(room.path).catch(() => undefined)
      }
      const reply = await handedOver(room, kept.take).catch(async (error: unknown) => {
        await leave()
        throw error
      })
      const isTaken = reply.conflicts.length === 0 && reply.tooMuch === null
      if (!isTaken || !(await carryOver(room))) await leave()
      return reply
    },
    async close() {
      if (sealedFolder !== undefined) await removeFolder(sealedFolder.path)
      sealedFolder = undefined
    },
  }
}

const nothing: KeptReply = { conflicts: [], left: [], count: 0, tooMuch: null, id: null }

interface SealedFolder {
  readonly path: string
  /** When the command began, by the clock of the file system and by the machine's steady one. */
  began: { readonly since: bigint; readonly steadyMs: number }
  /** What must be on the host where a command changed a bound file. */
  readonly sealed: Map<string, string | null>
  hidden: readonly HiddenPath[]
  layers: SandboxLayers | undefined
}

function openSealedFolder(folder: string): SealedFolder {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const path = mkdtempSync(join(folder, 'room-'))
  for (const name of Object.values(sealedFolders)) mkdirSync(join(path, name))
  return { path, began: { since: 0n, steadyMs: 0 }, sealed: new Map(), hidden: [], layers: undefined }
}

/** The time by the clock of the file system, which moves in steps: all that happened before has an earlier one. */
async function nextTick({ path }: SealedFolder): Promise<SealedFolder['began']> {
  const first = fileTime(path)
  let since = fileTime(path)
  while (since <= first) {
    await sleep(1)
    since = fileTime(path)
  }
  return { since, steadyMs: performance.now() }
}

function fileTime(path: string): bigint {
  const changes = join(path, sealedFolders.changes)
  chmodSync(changes, statSync(changes).mode & 0o777)
  return statSync(changes, { bigint: true }).ctimeNs
}

/** How far the clock of the file system may fall behind the steady one before it was set back. */
const clockSlackMs = 100

async function seal(
  subject: ApprovalSubject,
  paths: RoomPaths,
  sealedFolder: SealedFolder,
  parts: SealedFilesParts,
): Promise<{ kind: 'sealed'; layers: SandboxLayers } | FileChanged> {
  if (sealedFolder.layers !== undefined) return { kind: 'sealed', layers: sealedFolder.layers }
  const programs = subject.resources.filter((resource): resource is ExecResource => resource.type === 'exec')
  const node = await sealPrograms(programs, sealedFolder, parts)
  if (typeof node === 'object' && node !== null) return node
  const files = subject.resources.filter(
    (resource): resource is FileResource =>
      resource.type === 'file' &&
      resource.root === 'workspace' &&
      resource.op === 'read' &&
      !paths.unsealed.includes(resource.path),
  )
  const refused = await sealFiles(files, sealedFolder, parts.workspace)
  if (refused !== undefined) return refused
  const turned = await sealWays(paths, sealedFolder, parts.workspace)
  if (turned !== undefined) return turned
  await hide(paths.hidden, sealedFolder, parts.workspace)
  sealedFolder.layers = { sealedFolder: sealedFolder.path, node, workspace: 'sealed' }
  return { kind: 'sealed', layers: sealedFolder.layers }
}

/** Gives the copy of Node.js if the call binds it. */
async function sealPrograms(
  programs: readonly ExecResource[],
  { path: sealedFolder }: SealedFolder,
  { copies, nodePath }: SealedFilesParts,
): Promise<string | null | FileChanged> {
  let node: string | null = null
  for (const program of programs) {
    const copy = await copies.copyOf(program)
    if (copy === undefined) return changed(`${program.path} has changed since it was looked at.`)
    const inside = relative('/usr', program.path)
    if (program.path === nodePath) node = copy
    else if (!inside.startsWith('..')) {
      const to = join(sealedFolder, sealedFolders.usr, inside)
      await mkdir(dirname(to), { recursive: true })
      await link(copy, to).catch(ignoreExisting)
    }
  }
  return node
}

async function sealFiles(
  files: readonly FileResource[],
  { path: sealedFolder, sealed }: SealedFolder,
  workspace: string,
): Promise<FileChanged | undefined> {
  const into = join(sealedFolder, sealedFolders.files)
  const whiteouts = new Set<string>()
  for (const { path, content } of files) {
    const outcome = await sealFile(workspace, path, content, into)
    if (outcome.kind === 'changed') return outcome
    sealed.set(outcome.path, outcome.sha256)
    if (outcome.sha256 === null) whiteouts.add(join(into, outcome.path))
  }
  chmodSync(into, statSync(workspace).mode & 0o777)
  await whiteOut([...whiteouts])
  return undefined
}

/** A folder or a link that was exchanged since leads to a file that the permit does not bind. */
async function sealWays(
  { written, unsealed }: SealedPaths,
  { path: sealedFolder, sealed }: SealedFolder,
  workspace: string,
): Promise<FileChanged | undefined> {
  if (sealed.size === 0) return undefined
  const into = join(sealedFolder, sealedFolders.files)
  for (const path of written) {
    const real = await sealWay(workspace, path, into)
    const isBound = real === undefined || sealed.has(real) || unsealed.includes(real)
    if (!isBound) return changed(`${path} leads elsewhere.`)
  }
  return undefined
}

/** Last, so that nothing of it shows in what was sealed before. */
async function hide(paths: readonly string[], sealedFolder: SealedFolder, workspace: string): Promise<void> {
  const into = join(sealedFolder.path, sealedFolders.files)
  const { hidden, whiteouts } = await hidePaths(workspace, paths, [...sealedFolder.sealed.keys()], into)
  await whiteOut(whiteouts)
  sealedFolder.hidden = hidden
}

/** A name that must stay free: the kernel lets everybody make this one device. */
function whiteOut(paths: readonly string[]): Promise<void> {
  if (paths.length === 0) return Promise.resolve()
  const script = 'for name; do mknod "$name" c 0 0 || exit 1; done'
  return new Promise((resolve, reject) => {
    execFile('/bin/sh', ['-c', script, 'sh', ...paths], { env: { PATH: '/usr/bin:/bin' } }, (error) =>
      error === null ? resolve() : reject(error),
    )
  })
}

function isUnchanged({ path }: SealedFolder): boolean {
  return readdirSync(join(path, sealedFolders.changes)).length === 0
}

async function handedOver<T>(
  sealedFolder: SealedFolder,
  to: (layers: SandboxLayers, request: ListRequest) => Promise<T>,
): Promise<T> {
  const { path, began, sealed, hidden } = sealedFolder
  const elapsedMs = performance.now() - began.steadyMs
  // With a clock that was set back nobody can say what changed meanwhile.
  if (Number(fileTime(path) - began.since) / 1e6 < elapsedMs - clockSlackMs)
    throw new Error('nothing that the command changed was taken over: the clock was set back while it ran')
  const bound = [...sealed].map(([file, sha256]) => [pathBytes(file), sha256] as const)
  const layers: SandboxLayers = { sealedFolder: path, node: null, workspace: 'taking-over' }
  const request = {
    since: began.since.toString(),
    sealed: Object.fromEntries(bound),
    hidden: hidden.map((one) => pathBytes(one.path)),
    ...takeOverBounds,
  }
  return to(layers, request).catch((cause: unknown) => {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new Error(`what the command changed could not be taken over: ${why}`, { cause })
  })
}

/** The next command of the call sees bound files as the last one left them, and begins with no changes. */
async function carryOver(sealedFolder: SealedFolder): Promise<boolean> {
  const { path, sealed } = sealedFolder
  const [files, changes, work] = [sealedFolders.files, sealedFolders.changes, sealedFolders.work].map(
    (name) => join(path, name),
  ) as [string, string, string]
  try {
    for (const file of sealed.keys()) {
      const way = wayTo(changes, file)
      if (way.kind === 'nothing') continue
      // Another thing stands in its way now, which the workspace has by itself.
      if (way.kind === 'blocked' || wayTo(files, file).kind === 'blocked') return false
      rmSync(join(files, file), { recursive: true, force: true })
      renameSync(join(changes, file), join(files, file))
      sealed.delete(file)
    }
    for (const folder of [changes, work]) {
      await removeFolder(folder)
      mkdirSync(folder)
    }
    return true
  } catch {
    // What was taken over stays so; the room is left.
    return false
  }
}

/** The folders on the way are the program's to make: one that is a link would lead out of the room. */
function wayTo(root: string, file: string): { readonly kind: 'there' | 'nothing' | 'blocked' } {
  const parts = file.split('/')
  for (let depth = 1; depth <= parts.length; depth += 1) {
    const found = lstatSync(join(root, ...parts.slice(0, depth)), { throwIfNoEntry: false })
    if (found === undefined) return { kind: 'nothing' }
    if (depth < parts.length && !found.isDirectory()) return { kind: 'blocked' }
  }
  return { kind: 'there' }
}

function changed(reason: string): FileChanged {
  return { kind: 'changed', reason }
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error
}
