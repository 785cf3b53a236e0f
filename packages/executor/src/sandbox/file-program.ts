/**
 * The program of the file agent. It runs inside the sandbox as source text, so it must stand alone: no imports,
 * nothing from outside the function. It walks directories by descriptor and refuses what is not in the workspace.
 */

export interface FileRequest {
  readonly id: number
  readonly op: 'stat' | 'read' | 'write' | 'remove' | 'list'
  readonly path: string
  readonly hash?: boolean
  readonly maxBytes?: number
  readonly contentBase64?: string
  readonly expected?: Expected
  readonly depth?: number
  readonly maxEntries?: number
}

/** What must be there before a change: a file with this digest, nothing, or (`null`) anything. */
export type Expected = { readonly sha256: string } | 'absent' | null

export type FileKind = 'file' | 'directory' | 'symlink' | 'other' | 'absent'

export type FileRefusal =
  | 'bad-path'
  | 'outside-workspace'
  | 'symlink'
  | 'not-a-file'
  | 'not-a-directory'
  | 'absent'
  | 'changed'

export type FileReply =
  | { readonly id: number; readonly kind: 'ok'; readonly value: unknown }
  | { readonly id: number; readonly kind: 'refused'; readonly reason: FileRefusal }
  | { readonly id: number; readonly kind: 'failed'; readonly code: string; readonly message: string }

export function fileProgram(root: string, undoBytes: number): void {
  const fs = process.getBuiltinModule('node:fs')
  const crypto = process.getBuiltinModule('node:crypto')
  const { O_RDONLY, O_WRONLY, O_CREAT, O_EXCL, O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK } = fs.constants

  class Refusal extends Error {
    readonly reason: FileRefusal
    constructor(reason: FileRefusal) {
      super(reason)
      this.reason = reason
    }
  }

  const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? 'UNKNOWN'
  const at = (directory: number, name: string): string => `/proc/self/fd/${directory}/${name}`
  const sha256 = (bytes: Uint8Array): string => crypto.createHash('sha256').update(bytes).digest('hex')

  /** The kernel's own answer to where an open descriptor lies; no later rename can make it lie. */
  function assertInside(descriptor: number): void {
    const place = fs.readlinkSync(`/proc/self/fd/${descriptor}`)
    if (place !== root && !place.startsWith(`${root}/`)) throw new Refusal('outside-workspace')
  }

  function partsOf(path: string): string[] {
    if (path.startsWith('/') || path.includes('\0')) throw new Refusal('bad-path')
    const parts = path.split('/').filter((part) => part !== '' && part !== '.')
    if (parts.includes('..')) throw new Refusal('bad-path')
    return parts
  }

  function openDirectory(path: string): number {
    let descriptor: number
    try {
      descriptor = fs.openSync(path, O_RDONLY | O_DIRECTORY)
    } catch (error) {
      if (codeOf(error) === 'ENOTDIR') throw new Refusal('not-a-directory')
      if (codeOf(error) === 'ENOENT') throw new Refusal('absent')
      throw error
    }
    try {
      assertInside(descriptor)
      return descriptor
    } catch (error) {
      fs.closeSync(descriptor)
      throw error
    }
  }

  function withDirectory<T>(parts: readonly string[], create: boolean, use: (directory: number) => T): T {
    let directory = openDirectory(root)
    try {
      for (const part of parts) {
        if (create) makeDirectory(at(directory, part), directory)
        const next = openDirectory(at(directory, part))
        fs.closeSync(directory)
        directory = next
      }
      return use(directory)
    } finally {
      fs.closeSync(directory)
    }
  }

  function makeDirectory(path: string, parent: number): void {
    try {
      fs.mkdirSync(path)
    } catch (error) {
      if (codeOf(error) === 'EEXIST') return
      throw error
    }
    fs.fsyncSync(parent)
  }

  function withFile<T>(path: string, flags: number, use: (descriptor: number, size: number) => T): T {
    let descriptor: number
    try {
      // Without O_NONBLOCK a named pipe in the workspace would hold the agent for ever.
      descriptor = fs.openSync(path, O_RDONLY | O_NONBLOCK | flags)
    } catch (error) {
      if (codeOf(error) === 'ENOENT') throw new Refusal('absent')
      if (codeOf(error) === 'ELOOP') throw new Refusal('symlink')
      if (codeOf(error) === 'ENXIO') throw new Refusal('not-a-file')
      throw error
    }
    try {
      assertInside(descriptor)
      const stat = fs.fstatSync(descriptor)
      if (!stat.isFile()) throw new Refusal('not-a-file')
      return use(descriptor, stat.size)
    } finally {
      fs.closeSync(descriptor)
    }
  }

  function readUpTo(descriptor: number, bytes: number): Buffer {
    const buffer = Buffer.alloc(bytes)
    let filled = 0
    while (filled < bytes) {
      const count = fs.readSync(descriptor, buffer, filled, bytes - filled, filled)
      if (count === 0) break
      filled += count
    }
    return buffer.subarray(0, filled)
  }

  function hashOf(descriptor: number): string {
    const hash = crypto.createHash('sha256')
    const buffer = Buffer.alloc(65_536)
    for (let offset = 0; ; ) {
      const count = fs.readSync(descriptor, buffer, 0, buffer.length, offset)
      if (count === 0) return hash.digest('hex')
      hash.update(buffer.subarray(0, count))
      offset += count
    }
  }

  function kindOf(stat: import('node:fs').Stats | import('node:fs').Dirent): FileKind {
    if (stat.isFile()) return 'file'
    if (stat.isDirectory()) return 'directory'
    return stat.isSymbolicLink() ? 'symlink' : 'other'
  }

  function lstatIn(directory: number, name: string): import('node:fs').Stats | undefined {
    return fs.lstatSync(name === '' ? `/proc/self/fd/${directory}/.` : at(directory, name), {
      throwIfNoEntry: false,
    })
  }

  function stat(request: FileRequest): unknown {
    const parts = partsOf(request.path)
    const name = parts.at(-1) ?? ''
    const nothing = { kind: 'absent', device: 0, inode: 0, size: 0, mode: 0, sha256: null }
    try {
      return withDirectory(parts.slice(0, -1), false, (directory) => {
        const found = lstatIn(directory, name)
        if (found === undefined) return nothing
        const kind = kindOf(found)
        const wanted = kind === 'file' && request.hash === true
        return {
          kind,
          device: found.dev,
          inode: found.ino,
          size: found.size,
          mode: found.mode & 0o7777,
          sha256: wanted ? withFile(at(directory, name), O_NOFOLLOW, hashOf) : null,
        }
      })
    } catch (error) {
      if (error instanceof Refusal && error.reason === 'absent') return nothing
      throw error
    }
  }

  function read(request: FileRequest): unknown {
    const parts = partsOf(request.path)
    const name = parts.at(-1)
    if (name === undefined) throw new Refusal('not-a-file')
    const maxBytes = request.maxBytes ?? 0
    return withDirectory(parts.slice(0, -1), false, (directory) =>
      withFile(at(directory, name), 0, (descriptor, size) => {
        const bytes = readUpTo(descriptor, Math.min(maxBytes, size))
        const truncated = size > maxBytes
        return {
          contentBase64: bytes.toString('base64'),
          size,
          truncated,
          sha256: truncated ? hashOf(descriptor) : sha256(bytes),
        }
      }),
    )
  }

  interface Previous {
    readonly sha256: string | null
    readonly contentBase64: string | null
    readonly mode: number
  }

  function previousOf(directory: number, name: string, expected: Expected): Previous {
    const found = lstatIn(directory, name)
    if (found === undefined) {
      if (expected !== null && expected !== 'absent') throw new Refusal('changed')
      return { sha256: null, contentBase64: null, mode: 0o644 }
    }
    if (found.isSymbolicLink()) throw new Refusal('symlink')
    if (!found.isFile()) throw new Refusal('not-a-file')
    if (expected === 'absent') throw new Refusal('changed')
    return withFile(at(directory, name), O_NOFOLLOW, (descriptor, size) => {
      const bytes = size <= undoBytes ? readUpTo(descriptor, size) : null
      const digest = bytes === null ? hashOf(descriptor) : sha256(bytes)
      if (expected !== null && expected.sha256 !== digest) throw new Refusal('changed')
      return { sha256: digest, contentBase64: bytes?.toString('base64') ?? null, mode: found.mode & 0o777 }
    })
  }

  function write(request: FileRequest): unknown {
    const parts = partsOf(request.path)
    const name = parts.at(-1)
    if (name === undefined) throw new Refusal('not-a-file')
    const content = Buffer.from(request.contentBase64 ?? '', 'base64')
    return withDirectory(parts.slice(0, -1), true, (directory) => {
      const previous = previousOf(directory, name, request.expected ?? null)
      const temporary = at(directory, `.${crypto.randomBytes(9).toString('hex')}.tmp`)
      const descriptor = fs.openSync(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600)
      try {
        try {
          fs.writeFileSync(descriptor, content)
          fs.fchmodSync(descriptor, previous.mode)
          fs.fsyncSync(descriptor)
        } finally {
          fs.closeSync(descriptor)
        }
        fs.renameSync(temporary, at(directory, name))
      } catch (error) {
        fs.rmSync(temporary, { force: true })
        throw error
      }
      fs.fsyncSync(directory)
      return outcome(previous, sha256(content))
    })
  }

  function remove(request: FileRequest): unknown {
    const parts = partsOf(request.path)
    const name = parts.at(-1)
    if (name === undefined) throw new Refusal('not-a-file')
    return withDirectory(parts.slice(0, -1), false, (directory) => {
      const previous = previousOf(directory, name, request.expected ?? null)
      if (previous.sha256 === null) throw new Refusal('absent')
      fs.unlinkSync(at(directory, name))
      fs.fsyncSync(directory)
      return outcome(previous, null)
    })
  }

  function outcome(previous: Previous, digest: string | null): unknown {
    return { sha256: digest, previousSha256: previous.sha256, previousBase64: previous.contentBase64 }
  }

  function list(request: FileRequest): unknown {
    const maxEntries = request.maxEntries ?? 0
    const entries: { path: string; kind: FileKind; size: number }[] = []
    let truncated = false
    const walk = (directory: number, prefix: string, depth: number): void => {
      const names = fs.readdirSync(`/proc/self/fd/${directory}/.`).sort()
      for (const name of names) {
        if (entries.length >= maxEntries) {
          truncated = true
          return
        }
        const found = lstatIn(directory, name)
        if (found === undefined) continue
        const kind = kindOf(found)
        entries.push({ path: prefix + name, kind, size: found.size })
        if (kind === 'directory' && depth > 1) {
          const next = fs.openSync(at(directory, name), O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
          try {
            assertInside(next)
            walk(next, `${prefix}${name}/`, depth - 1)
          } finally {
            fs.closeSync(next)
          }
        }
      }
    }
    const parts = partsOf(request.path)
    withDirectory(parts, false, (directory) => {
      walk(directory, parts.length === 0 ? '' : `${parts.join('/')}/`, request.depth ?? 1)
    })
    return { entries, truncated }
  }

  const operations = { stat, read, write, remove, list }

  function answer(line: string): FileReply {
    const request = JSON.parse(line) as FileRequest
    try {
      return { id: request.id, kind: 'ok', value: operations[request.op](request) }
    } catch (error) {
      if (error instanceof Refusal) return { id: request.id, kind: 'refused', reason: error.reason }
      return { id: request.id, kind: 'failed', code: codeOf(error), message: String(error) }
    }
  }

  function send(reply: FileReply): void {
    const bytes = Buffer.from(`${JSON.stringify(reply)}\n`)
    for (let sent = 0; sent < bytes.length; ) sent += fs.writeSync(1, bytes, sent)
  }

  // Blocking reads: one request at a time, and no stream machinery in memory.
  const chunk = Buffer.alloc(65_536)
  let held: Buffer[] = []
  for (;;) {
    const count = fs.readSync(0, chunk, 0, chunk.length, null)
    if (count === 0) return
    let rest = Buffer.from(chunk.subarray(0, count))
    for (let end = rest.indexOf(10); end !== -1; end = rest.indexOf(10)) {
      send(answer(Buffer.concat([...held, rest.subarray(0, end)]).toString('utf8')))
      held = []
      rest = rest.subarray(end + 1)
    }
    if (rest.length > 0) held.push(rest)
  }
}
