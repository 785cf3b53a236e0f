/**
 * File work on the workspace, done by a helper process inside the sandbox, where nothing else of the host's can
 * be named. Started at the first request, ended when idle, started again after a death. Never touches a file itself.
 */

import { sandboxNode, sandboxWorkspace } from './bubblewrap.ts'
import {
  type ExpectedFile,
  type FileKind,
  type FileRefusal,
  type FileReply,
  type FileRequest,
  fileProgram,
  type SearchRequest,
} from './file-program.ts'
import type { Sandbox, SandboxProcess } from './port.ts'

export type { ExpectedFile, FileKind, FileRefusal } from './file-program.ts'

export type FileResult<T> =
  | { readonly kind: 'ok'; readonly value: T }
  | { readonly kind: 'refused'; readonly reason: FileRefusal }
  | { readonly kind: 'failed'; readonly code: string; readonly message: string }
  | { readonly kind: 'timeout' | 'cancelled' }

export interface FileStat {
  /** Where it lies by the kernel's word, with every link on the way followed; for what is absent, where it would. */
  readonly path: string
  /** A folder that holds it, or would, holds something called `HEAD` too, as the folder of a git repository does. */
  readonly besideHead: boolean
  /** The nearest folder that holds it, or would, and a folder `.git` too; null where none does. */
  readonly repository: string | null
  readonly kind: FileKind
  readonly device: number
  readonly inode: number
  readonly size: number
  readonly mode: number
  /** Only for a file, and only when asked for. */
  readonly sha256: string | null
  readonly modifiedMs: number
  readonly createdMs: number
}

export interface FileContent {
  /** Of the file that was opened, by the kernel's word. */
  readonly path: string
  readonly contentBase64: string
  readonly size: number
  readonly truncated: boolean
  /** Of the whole file, also when the content is truncated. */
  readonly sha256: string
}

export interface FileChange {
  readonly sha256: string | null
  readonly previousSha256: string | null
  /** What an undo puts back; `null` when nothing was there or it was over 1 MiB. */
  readonly previousBase64: string | null
  readonly previousMode: number
  /** How many folders had to be made on the way. */
  readonly made: number
}

export interface FileEntry {
  readonly path: string
  readonly kind: FileKind
  readonly size: number
}

export interface FileListing {
  /** Of the folder that was opened, by the kernel's word. */
  readonly path: string
  readonly entries: readonly FileEntry[]
  readonly truncated: boolean
}

export interface FileMatch {
  readonly path: string
  readonly kind: FileKind
  /** Null where the name matched. */
  readonly line: number | null
  readonly text: string | null
}

export interface FileMatches {
  /** Of the folder that was opened, by the kernel's word. */
  readonly path: string
  readonly matches: readonly FileMatch[]
  /** There may be more: a bound on matches, time, files or bytes was reached. */
  readonly truncated: boolean
  readonly files: number
  /** What was met and passed over, as it was asked for. */
  readonly passed: readonly string[]
}

/**
 * Paths are relative to the workspace. A path that is absolute or holds `..` is refused. Links are followed by what only
 * looks, and the answer says where that led; whatever changes something refuses them in every part of the path.
 */
export interface FileAgent {
  stat(path: string, options: { readonly hash: boolean }, signal: AbortSignal): Promise<FileResult<FileStat>>
  read(path: string, maxBytes: number, signal: AbortSignal): Promise<FileResult<FileContent>>
  /** A whole file or none of it. The final name must not be a symlink; parents are made. */
  write(
    path: string,
    content: Uint8Array,
    expected: ExpectedFile,
    signal: AbortSignal,
    mode?: number | null,
  ): Promise<FileResult<FileChange>>
  /** With it go as many of the folders above as are named and empty. */
  remove(
    path: string,
    expected: ExpectedFile,
    signal: AbortSignal,
    folders?: number,
  ): Promise<FileResult<FileChange>>
  copy(
    from: { readonly path: string; readonly expected: ExpectedFile },
    to: { readonly path: string; readonly expected: ExpectedFile },
    signal: AbortSignal,
  ): Promise<FileResult<FileChange>>
  /** Moves a file or a folder to a name that is free, in a folder that exists. */
  move(
    from: {
      readonly path: string
      readonly expected: ExpectedFile
      readonly identity: { readonly device: string; readonly inode: string }
    },
    to: string,
    signal: AbortSignal,
  ): Promise<FileResult<unknown>>
  makeFolder(path: string, signal: AbortSignal): Promise<FileResult<{ readonly made: number }>>
  /** Removes an empty folder, and so many of the folders above it as are empty then. */
  removeFolder(path: string, count: number, signal: AbortSignal): Promise<FileResult<unknown>>
  search(
    path: string,
    search: Pick<SearchRequest, 'query' | 'names' | 'contents' | 'maxMatches' | 'without'>,
    signal: AbortSignal,
  ): Promise<FileResult<FileMatches>>
  list(
    path: string,
    bounds: { readonly depth: number; readonly maxEntries: number },
    signal: AbortSignal,
  ): Promise<FileResult<FileListing>>
  /** Ends the helper. Requests under way fail; a later request starts another. */
  close(): Promise<void>
}

export interface FileAgentOptions {
  readonly sandbox: Sandbox
  readonly idleMs?: number
  readonly timeoutMs?: number
}

const mostReadBytes = 25 * 1024 * 1024
/** Of a content that is written, in one request. */
const partBytes = 1024 * 1024
const mostUndoBytes = 1024 * 1024
const mostCopyBytes = 256 * 1024 * 1024
const searchBounds = {
  maxMs: 5_000,
  maxFiles: 50_000,
  maxFileBytes: 1024 * 1024,
  maxBytes: 128 * 1024 * 1024,
} as const
const mostMatches = 1_000
const mostDepth = 32
const mostEntries = 10_000

export function createFileAgent(options: FileAgentOptions): FileAgent {
  const { sandbox, idleMs = 60_000, timeoutMs = 30_000 } = options
  let helper: Helper | null = null
  let nextId = 1

  async function ask<T>(request: Omit<FileRequest, 'id'>, signal: AbortSignal): Promise<FileResult<T>> {
    if (signal.aborted) return { kind: 'cancelled' }
    if (helper === null || helper.isDead()) helper = startHelper(sandbox, idleMs)
    const id = nextId
    nextId += 1
    return helper.ask<T>({ ...request, id }, timeoutMs, signal)
  }

  return {
    stat: (path, { hash }, signal) => ask({ op: 'stat', path, hash }, signal),
    read: (path, maxBytes, signal) =>
      ask({ op: 'read', path, maxBytes: Math.min(maxBytes, mostReadBytes) }, signal),
    write: (path, content, expected, signal, mode = null) =>
      writeInParts({ path, content, key: nextId }, { expected, mode }, (request) => ask(request, signal)),
    remove: (path, expected, signal, folders = 0) => ask({ op: 'remove', path, expected, folders }, signal),
    copy: ({ path, expected }, to, signal) =>
      ask(
        { op: 'copy', path, expected, to: to.path, toExpected: to.expected, maxBytes: mostCopyBytes },
        signal,
      ),
    move: ({ path, expected, identity }, to, signal) =>
      ask({ op: 'move', path, expected, identity, to }, signal),
    makeFolder: (path, signal) => ask({ op: 'make', path }, signal),
    removeFolder: (path, folders, signal) => ask({ op: 'unmake', path, folders }, signal),
    search: (path, { query, names, contents, maxMatches, without }, signal) => {
      const search = {
        query,
        names,
        contents,
        without,
        maxMatches: Math.min(maxMatches, mostMatches),
        ...searchBounds,
      }
      return ask({ op: 'search', path, search }, signal)
    },
    list: (path, { depth, maxEntries }, signal) =>
      ask(
        {
          op: 'list',
          path,
          depth: Math.min(depth, mostDepth),
          maxEntries: Math.min(maxEntries, mostEntries),
        },
        signal,
      ),
    async close() {
      const ending = helper
      helper = null
      await ending?.end()
    },
  }
}

interface Helper {
  isDead(): boolean
  ask<T>(request: FileRequest, timeoutMs: number, signal: AbortSignal): Promise<FileResult<T>>
  end(): Promise<void>
}

type SettleRequest = (result: FileResult<never>) => void

function startHelper(sandbox: Sandbox, idleMs: number): Helper {
  const child = sandbox.start({
    argv: [
      sandboxNode,
      ...lightly,
      '-e',
      `(${fileProgram.toString()})("${sandboxWorkspace}", ${mostUndoBytes})`,
    ],
    cwd: '',
    env: {},
    profile: 'workspace-write',
    maxMemoryBytes: 1024 ** 3,
    maxProcesses: 32,
  })
  const waiting = new Map<number, SettleRequest>()
  let dead = false
  let complaint = ''
  let idle: NodeJS.Timeout | undefined

  const die = (): void => {
    dead = true
    child.kill()
  }
  const rest = (): void => {
    clearTimeout(idle)
    // Not `unref`: it must fire even when nothing else is left, or the helper would outlive its use.
    if (waiting.size === 0 && !dead) idle = setTimeout(die, idleMs)
  }
  readReplies(child, (reply) => {
    const settle = waiting.get(reply.id)
    waiting.delete(reply.id)
    rest()
    settle?.(resultOf(reply))
  })
  child.stderr.on('data', (chunk: Buffer) => {
    complaint = (complaint + chunk.toString('utf8')).slice(-2_000)
  })
  child.stdin.on('error', die)
  const ended = child.ended.then(() => {
    dead = true
    clearTimeout(idle)
    const message = `the file agent ended. ${complaint.trim()}`
    for (const settle of waiting.values()) settle({ kind: 'failed', code: 'AGENT_ENDED', message })
    waiting.clear()
  })

  return {
    isDead: () => dead,
    ask<T>(request: FileRequest, timeoutMs: number, signal: AbortSignal) {
      return new Promise<FileResult<T>>((resolve) => {
        clearTimeout(idle)
        // A helper that does not answer is stuck for everyone, since it works on one request at a time.
        const give = (kind: 'timeout' | 'cancelled'): void => {
          waiting.delete(request.id)
          die()
          finish({ kind })
        }
        const onAbort = (): void => give('cancelled')
        const timer = setTimeout(() => give('timeout'), timeoutMs)
        const finish = (result: FileResult<T>): void => {
          clearTimeout(timer)
          signal.removeEventListener('abort', onAbort)
          resolve(result)
        }
        waiting.set(request.id, finish as SettleRequest)
        signal.addEventListener('abort', onAbort, { once: true })
        child.stdin.write(`${JSON.stringify(request)}\n`)
      })
    },
    end() {
      die()
      return ended
    },
  }
}

/** The parts go one after the other, so that no more than one of them is here as text. */
async function writeInParts(
  { path, content, key }: { readonly path: string; readonly content: Uint8Array; readonly key: number },
  how: Pick<FileRequest, 'expected' | 'mode'>,
  ask: <T>(request: Omit<FileRequest, 'id'>) => Promise<FileResult<T>>,
): Promise<FileResult<FileChange>> {
  let parts = 0
  let at = 0
  for (; content.length - at > partBytes; at += partBytes, parts += 1) {
    const contentBase64 = base64Of(content.subarray(at, at + partBytes))
    const taken = await ask<never>({ op: 'part', path, content: key, contentBase64 })
    if (taken.kind !== 'ok') return taken
  }
  const contentBase64 = base64Of(content.subarray(at))
  return ask({ op: 'write', path, content: key, parts, contentBase64, ...how })
}

function base64Of(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64')
}

/** Fewer threads and a small heap: the helper only moves bytes. */
const lightly = [
  '--v8-pool-size=0',
  '--single-threaded',
  '--max-semi-space-size=1',
  '--max-old-space-size=128',
]

function resultOf(reply: FileReply): FileResult<never> {
  switch (reply.kind) {
    case 'ok':
      return { kind: 'ok', value: reply.value as never }
    case 'refused':
      return { kind: 'refused', reason: reply.reason }
    case 'failed':
      return { kind: 'failed', code: reply.code, message: reply.message }
  }
}

function readReplies(child: SandboxProcess, take: (reply: FileReply) => void): void {
  let held: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => {
    let rest = chunk
    for (let end = rest.indexOf(10); end !== -1; end = rest.indexOf(10)) {
      const line = Buffer.concat([...held, rest.subarray(0, end)]).toString('utf8')
      held = []
      rest = rest.subarray(end + 1)
      take(JSON.parse(line) as FileReply)
    }
    if (rest.length > 0) held.push(rest)
  })
}
