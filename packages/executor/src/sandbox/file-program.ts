/**
 * The program of the file agent. It runs inside the sandbox as source text, so it must stand alone: no imports,
 * nothing from outside the function. It walks directories by descriptor and refuses what is not in the workspace.
 */

export interface FileRequest {
  readonly id: number
  readonly op:
    | 'stat'
    | 'read'
    | 'part'
    | 'write'
    | 'remove'
    | 'list'
    | 'copy'
    | 'move'
    | 'make'
    | 'unmake'
    | 'search'
  readonly path: string
  readonly hash?: boolean
  readonly maxBytes?: number
  readonly contentBase64?: string
  /** Of a content that comes in parts: which one, and for its last part how many came before. */
  readonly content?: number
  readonly parts?: number
  readonly expected?: ExpectedFile
  /** The permissions of a file that is new; null for the usual ones. One that is replaced keeps its own. */
  readonly mode?: number | null
  readonly depth?: number
  readonly maxEntries?: number
  /** How many folders above what was removed go with it, as long as they are empty. */
  readonly folders?: number
  /** Where a copy or a move leads, and what must be there. */
  readonly to?: string
  readonly toExpected?: ExpectedFile
  readonly identity?: { readonly device: string; readonly inode: string }
  readonly search?: SearchRequest
}

export interface SearchRequest {
  readonly query: string
  readonly names: boolean
  readonly contents: boolean
  readonly maxMatches: number
  /** Paths that are passed over with all that is in them, and with other names of the same files. */
  readonly without: readonly string[]
  readonly maxMs: number
  readonly maxFiles: number
  readonly maxFileBytes: number
  readonly maxBytes: number
}

/** What must be there before a change: a file with this digest, nothing, or (`null`) anything. */
export type ExpectedFile = { readonly sha256: string } | 'absent' | null

export type FileKind = 'file' | 'directory' | 'symlink' | 'other' | 'absent'

export type FileRefusal =
  | 'bad-path'
  | 'outside-workspace'
  | 'symlink'
  | 'not-a-file'
  | 'not-a-directory'
  | 'absent'
  | 'changed'
  | 'exists'
  | 'not-empty'
  | 'too-large'

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

  /** Where an open descriptor lies in the workspace, whatever names led to it. */
  function realPath(descriptor: number): string {
    return fs.readlinkSync(`/proc/self/fd/${descriptor}`).slice(root.length + 1) || '.'
  }

  const isLink = (path: string): boolean =>
    fs.lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true

  /** What only looks may follow links inside the workspace; what changes something is given the real path. */
  function openDirectory(path: string, links: 'followed' | 'refused'): number {
    let descriptor: number
    try {
      descriptor = fs.openSync(path, O_RDONLY | O_DIRECTORY | (links === 'followed' ? 0 : O_NOFOLLOW))
    } catch (error) {
      const code = codeOf(error)
      // A link in the way, or one that leads nowhere.
      if ((code === 'ENOTDIR' || code === 'ELOOP' || code === 'ENOENT') && isLink(path))
        throw new Refusal('symlink')
      if (code === 'ENOTDIR') throw new Refusal('not-a-directory')
      if (code === 'ENOENT') throw new Refusal('absent')
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

  function withDirectory<T>(
    parts: readonly string[],
    how: 'look' | 'change' | 'create',
    use: (directory: number, made: number) => T,
  ): T {
    let directory = openDirectory(root, 'refused')
    let made = 0
    try {
      for (const part of parts) {
        if (how === 'create' && makeDirectory(at(directory, part), directory)) made += 1
        const next = openDirectory(at(directory, part), how === 'look' ? 'followed' : 'refused')
        fs.closeSync(directory)
        directory = next
      }
      return use(directory, made)
    } finally {
      fs.closeSync(directory)
    }
  }

  function makeDirectory(path: string, parent: number): boolean {
    try {
      fs.mkdirSync(path)
    } catch (error) {
      if (codeOf(error) === 'EEXIST') return false
      throw error
    }
    fs.fsyncSync(parent)
    return true
  }

  /** Removes the folder and those above it, as many as asked for, and ends at the first that holds something. */
  function removeFolders(parts: readonly string[], count: number): number {
    let removed = 0
    for (let length = parts.length; removed < count && length > 0; length -= 1) {
      try {
        withDirectory(parts.slice(0, length - 1), 'change', (directory) => {
          const path = at(directory, parts[length - 1] ?? '')
          if (!fs.lstatSync(path).isDirectory()) throw new Refusal('not-a-directory')
          fs.rmdirSync(path)
          fs.fsyncSync(directory)
        })
      } catch (error) {
        if (codeOf(error) === 'ENOTEMPTY') break
        throw error
      }
      removed += 1
    }
    return removed
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

  /** A `.git` that is no folder says that a repository of its own begins here, whose name is not known. */
  function repositoryIn(directory: number, around: string | null): string | null {
    const git = lstatIn(directory, '.git')
    if (git === undefined) return around
    return git.isDirectory() ? realPath(directory) : null
  }

  interface Nearest {
    readonly directory: number
    readonly missing: readonly string[]
    readonly besideHead: boolean
    readonly repository: string | null
  }

  /** Opens the folders of the path as far as there are any. */
  function withNearest<T>(parts: readonly string[], use: (nearest: Nearest) => T): T {
    let directory = openDirectory(root, 'refused')
    let besideHead = lstatIn(directory, 'HEAD') !== undefined
    let repository = repositoryIn(directory, null)
    try {
      for (const [index, part] of parts.entries()) {
        let next: number
        try {
          next = openDirectory(at(directory, part), 'followed')
        } catch (error) {
          if (error instanceof Refusal && error.reason === 'absent')
            return use({ directory, missing: parts.slice(index), besideHead, repository })
          throw error
        }
        fs.closeSync(directory)
        directory = next
        besideHead ||= lstatIn(directory, 'HEAD') !== undefined
        repository = repositoryIn(directory, repository)
      }
      return use({ directory, missing: [], besideHead, repository })
    } finally {
      fs.closeSync(directory)
    }
  }

  function stat(request: FileRequest): unknown {
    const parts = partsOf(request.path)
    const name = parts.at(-1) ?? ''
    return withNearest(parts.slice(0, -1), ({ directory, missing, besideHead, repository }) => {
      const folder = realPath(directory)
      const names = [...(folder === '.' ? [] : [folder]), ...missing, ...(name === '' ? [] : [name])]
      const where = { path: names.join('/') || '.', besideHead, repository }
      const found = missing.length === 0 ? lstatIn(directory, name) : undefined
      if (found === undefined) return { ...nothing, ...where }
      const kind = kindOf(found)
      const wanted = kind === 'file' && request.hash === true
      return {
        ...where,
        kind,
        device: found.dev,
        inode: found.ino,
        size: found.size,
        mode: found.mode & 0o7777,
        sha256: wanted ? withFile(at(directory, name), O_NOFOLLOW, hashOf) : null,
        modifiedMs: found.mtimeMs,
        createdMs: found.birthtimeMs,
      }
    })
  }

  const nothing = {
    kind: 'absent',
    device: 0,
    inode: 0,
    size: 0,
    mode: 0,
    sha256: null,
    modifiedMs: 0,
    createdMs: 0,
  }

  function read(request: FileRequest): unknown {
    const parts = partsOf(request.path)
    const name = parts.at(-1)
    if (name === undefined) throw new Refusal('not-a-file')
    const maxBytes = request.maxBytes ?? 0
    return withDirectory(parts.slice(0, -1), 'look', (directory) =>
      withFile(at(directory, name), 0, (descriptor, size) => {
        const bytes = readUpTo(descriptor, Math.min(maxBytes, size))
        const truncated = size > maxBytes
        return {
          path: realPath(descriptor),
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

  function previousOf(directory: number, name: string, expected: ExpectedFile): Previous {
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

  /**
   * Puts a whole file in place or leaves what was there. `fill` writes it and gives its digest. Where nothing was, the
   * name must still be free: what came into being meanwhile is somebody's file.
   */
  function replace(
    directory: number,
    name: string,
    { sha256: previous }: Previous,
    mode: number,
    fill: (descriptor: number) => string,
  ): string {
    const temporary = at(directory, `.${crypto.randomBytes(9).toString('hex')}.tmp`)
    const descriptor = fs.openSync(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600)
    try {
      let digest: string
      try {
        digest = fill(descriptor)
        fs.fchmodSync(descriptor, mode)
        fs.fsyncSync(descriptor)
      } finally {
        fs.closeSync(descriptor)
      }
      if (previous === null) placeNew(temporary, at(directory, name))
      else fs.renameSync(temporary, at(directory, name))
      fs.fsyncSync(directory)
      return digest
    } catch (error) {
      fs.rmSync(temporary, { force: true })
      throw error
    }
  }

  /** A rename would replace what is there; a link or a copy to a name that is taken fails. */
  function placeNew(temporary: string, path: string): void {
    try {
      linkOrCopy(temporary, path)
    } catch (error) {
      if (codeOf(error) === 'EEXIST') throw new Refusal('changed')
      throw error
    }
    fs.unlinkSync(temporary)
  }

  function linkOrCopy(temporary: string, path: string): void {
    try {
      fs.linkSync(temporary, path)
    } catch (error) {
      // Not every file system has links.
      if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes(codeOf(error))) throw error
      fs.copyFileSync(temporary, path, fs.constants.COPYFILE_EXCL)
    }
  }

  /** Parts of a content that is to be written. Those of one that was given up go with the helper. */
  const held = new Map<number, Buffer[]>()

  function part(request: FileRequest): unknown {
    const key = request.content ?? 0
    const parts = held.get(key) ?? []
    parts.push(Buffer.from(request.contentBase64 ?? '', 'base64'))
    held.set(key, parts)
    return null
  }

  /** A part that is missing belonged to a helper that is gone. */
  function contentOf(request: FileRequest): Buffer[] {
    const key = request.content ?? 0
    const parts = held.get(key) ?? []
    held.delete(key)
    if (parts.length !== (request.parts ?? 0)) throw new Error('A part of the content is missing.')
    return [...parts, Buffer.from(request.contentBase64 ?? '', 'base64')]
  }

  function write(request: FileRequest): unknown {
    const parts = partsOf(request.path)
    const name = parts.at(-1)
    if (name === undefined) throw new Refusal('not-a-file')
    const content = contentOf(request)
    return withDirectory(parts.slice(0, -1), 'create', (directory, made) => {
      const previous = previousOf(directory, name, request.expected ?? null)
      const mode = previous.sha256 === null ? (request.mode ?? previous.mode) : previous.mode
      const digest = replace(directory, name, previous, mode & 0o777, (descriptor) => {
        const hash = crypto.createHash('sha256')
        for (const each of content) {
          fs.writeFileSync(descriptor, each)
          hash.update(each)
        }
        return hash.digest('hex')
      })
      return outcome(previous, digest, made)
    })
  }

  function remove(request: FileRequest): unknown {
    const parts = partsOf(request.path)
    const name = parts.at(-1)
    if (name === undefined) throw new Refusal('not-a-file')
    const result = withDirectory(parts.slice(0, -1), 'change', (directory) => {
      const previous = previousOf(directory, name, request.expected ?? null)
      if (previous.sha256 === null) throw new Refusal('absent')
      fs.unlinkSync(at(directory, name))
      fs.fsyncSync(directory)
      return outcome(previous, null, 0)
    })
    removeFolders(parts.slice(0, -1), request.folders ?? 0)
    return result
  }

  function outcome(previous: Previous, digest: string | null, made: number): unknown {
    const { sha256: previousSha256, contentBase64: previousBase64, mode } = previous
    return { sha256: digest, previousSha256, previousBase64, previousMode: mode, made }
  }

  function copy(request: FileRequest): unknown {
    const from = partsOf(request.path)
    const to = partsOf(request.to ?? '')
    const source = from.at(-1)
    const name = to.at(-1)
    if (source === undefined || name === undefined) throw new Refusal('not-a-file')
    return withDirectory(from.slice(0, -1), 'change', (sourceFolder) =>
      withFile(at(sourceFolder, source), O_NOFOLLOW, (input, size) => {
        if (size > (request.maxBytes ?? 0)) throw new Refusal('too-large')
        const wanted = request.expected ?? null
        if (wanted === 'absent' || (wanted !== null && wanted.sha256 !== hashOf(input))) {
          throw new Refusal('changed')
        }
        const sourceMode = fs.fstatSync(input).mode & 0o777
        return withDirectory(to.slice(0, -1), 'create', (directory, made) => {
          const previous = previousOf(directory, name, request.toExpected ?? null)
          const mode = previous.sha256 === null ? sourceMode : previous.mode
          const digest = replace(directory, name, previous, mode, (output) => {
            const hash = crypto.createHash('sha256')
            const buffer = Buffer.alloc(1_048_576)
            for (let offset = 0; ; ) {
              const count = fs.readSync(input, buffer, 0, buffer.length, offset)
              if (count === 0) break
              const part = buffer.subarray(0, count)
              hash.update(part)
              for (let sent = 0; sent < count; ) sent += fs.writeSync(output, part, sent)
              offset += count
            }
            const copied = hash.digest('hex')
            if (wanted !== null && wanted.sha256 !== copied) throw new Refusal('changed')
            return copied
          })
          return outcome(previous, digest, made)
        })
      }),
    )
  }

  /** A covered folder is a mount of its own; where its parent went, the cover would not follow. */
  function holdsMount(parts: readonly string[]): boolean {
    const path = [root, ...parts].join('/')
    return fs
      .readFileSync('/proc/self/mountinfo', 'utf8')
      .split('\n')
      .map((line) => {
        const escaped = line.split(' ')[4] ?? ''
        return escaped.replaceAll(/\\([0-7]{3})/g, (_, digits: string) =>
          String.fromCharCode(Number.parseInt(digits, 8)),
        )
      })
      .some((mount) => mount === path || mount.startsWith(`${path}/`))
  }

  function move(request: FileRequest): unknown {
    const from = partsOf(request.path)
    const to = partsOf(request.to ?? '')
    const source = from.at(-1)
    const name = to.at(-1)
    if (source === undefined || name === undefined) throw new Refusal('bad-path')
    return withDirectory(from.slice(0, -1), 'change', (sourceFolder) =>
      withDirectory(to.slice(0, -1), 'change', (directory) => {
        const found = lstatIn(sourceFolder, source)
        if (found === undefined) throw new Refusal('absent')
        if (found.isSymbolicLink()) throw new Refusal('symlink')
        if (found.isFile()) previousOf(sourceFolder, source, request.expected ?? null)
        else if (!found.isDirectory()) throw new Refusal('not-a-file')
        const { identity } = request
        const isSame = identity?.device === String(found.dev) && identity.inode === String(found.ino)
        if (!isSame) throw new Refusal('changed')
        if (found.isDirectory() && holdsMount(from)) throw new Refusal('outside-workspace')
        if (lstatIn(directory, name) !== undefined) throw new Refusal('exists')
        fs.renameSync(at(sourceFolder, source), at(directory, name))
        // Another file may have taken the name since it was looked at; it goes back to where it was, or beside a third.
        const moved = lstatIn(directory, name)
        if (moved?.dev !== found.dev || moved.ino !== found.ino) {
          const isFree = lstatIn(sourceFolder, source) === undefined
          const back = isFree ? source : `${source}.${crypto.randomBytes(4).toString('hex')}`
          if (moved !== undefined) fs.renameSync(at(directory, name), at(sourceFolder, back))
          throw new Refusal('changed')
        }
        fs.fsyncSync(directory)
        fs.fsyncSync(sourceFolder)
        return {}
      }),
    )
  }

  function make(request: FileRequest): unknown {
    return withDirectory(partsOf(request.path), 'create', (_, made) => {
      if (made === 0) throw new Refusal('exists')
      return { made }
    })
  }

  function unmake(request: FileRequest): unknown {
    const removed = removeFolders(partsOf(request.path), request.folders ?? 1)
    if (removed === 0) throw new Refusal('not-empty')
    return { removed }
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
    const path = withDirectory(parts, 'look', (directory) => {
      walk(directory, parts.length === 0 ? '' : `${parts.join('/')}/`, request.depth ?? 1)
      return realPath(directory)
    })
    return { path, entries, truncated }
  }

  /** Linear in both: a star that fails takes one more character, and only the last star is tried again. */
  function fitsPattern(text: string, pattern: string): boolean {
    let here = 0
    let there = 0
    let star = -1
    let mark = 0
    while (here < text.length) {
      if (pattern[there] === '*') {
        star = there
        there += 1
        mark = here
      } else if (pattern[there] === '?' || (there < pattern.length && pattern[there] === text[here])) {
        here += 1
        there += 1
      } else if (star !== -1) {
        there = star + 1
        mark += 1
        here = mark
      } else return false
    }
    while (pattern[there] === '*') there += 1
    return there === pattern.length
  }

  const inodeOf = ({ dev, ino }: import('node:fs').Stats): string => `${dev} ${ino}`

  /** The files at and in the paths that have a second name, with the path each; null where they are too many to tell. */
  function secondNamed(paths: readonly string[]): ReadonlyMap<string, string> | null {
    const mostEntries = 20_000
    const found = new Map<string, string>()
    let entries = 0
    const visit = (directory: number, name: string, path: string): void => {
      entries += 1
      const stat = entries > mostEntries ? undefined : lstatIn(directory, name)
      if (stat?.isDirectory()) {
        const next = fs.openSync(at(directory, name), O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
        try {
          for (const inner of fs.readdirSync(`/proc/self/fd/${next}/.`)) visit(next, inner, path)
        } finally {
          fs.closeSync(next)
        }
      } else if (stat && stat.nlink > 1) found.set(inodeOf(stat), path)
    }
    for (const path of paths) {
      try {
        const parts = partsOf(path)
        withDirectory(parts.slice(0, -1), 'change', (directory) =>
          visit(directory, parts.at(-1) ?? '.', path),
        )
      } catch (error) {
        // What is not there has no other name.
        if (!(error instanceof Refusal) && codeOf(error) !== 'ENOENT') return null
      }
    }
    return entries > mostEntries ? null : found
  }

  function search(request: FileRequest): unknown {
    const wish = request.search
    if (wish === undefined) throw new TypeError('nothing to search for')
    const query = wish.query.toLowerCase()
    const isPattern = /[*?]/.test(query)
    const endsAt = Date.now() + wish.maxMs
    const matches: { path: string; kind: FileKind; line: number | null; text: string | null }[] = []
    let files = 0
    let bytes = 0
    let truncated = false

    const isFull = (): boolean => {
      const full = matches.length >= wish.maxMatches || files >= wish.maxFiles || bytes >= wish.maxBytes
      if (full || Date.now() > endsAt) truncated = true
      return truncated
    }
    const fitsName = (path: string): boolean => {
      const whole = path.toLowerCase()
      const subject = query.includes('/') ? whole : whole.slice(whole.lastIndexOf('/') + 1)
      return isPattern ? fitsPattern(subject, query) : subject.includes(query)
    }
    const searchContent = (descriptor: number, size: number, path: string): void => {
      const content = readUpTo(descriptor, Math.min(size, wish.maxFileBytes))
      bytes += content.length
      if (size > wish.maxFileBytes) truncated = true
      if (content.subarray(0, 8_000).includes(0)) return
      const text = content.toString('utf8')
      if (!text.toLowerCase().includes(query)) return
      let found = 0
      for (const [index, line] of text.split('\n').entries()) {
        const column = line.toLowerCase().indexOf(query)
        if (column === -1) continue
        if (found === 3 || isFull()) return
        found += 1
        const shown = line.slice(Math.max(0, column - 80), column + query.length + 120).trim()
        matches.push({ path, kind: 'file', line: index + 1, text: shown })
      }
    }
    const passed = new Set<string>()
    const linked = secondNamed(wish.without)
    const visit = (directory: number, name: string, path: string): void => {
      if (wish.without.includes(path)) {
        passed.add(path)
        return
      }
      const found = lstatIn(directory, name)
      if (found === undefined) return
      if (found.isFile() && found.nlink > 1) {
        const first = linked?.get(inodeOf(found))
        if (first !== undefined) passed.add(first)
        if (linked === null || first !== undefined) return
      }
      files += 1
      const kind = kindOf(found)
      if (wish.names && fitsName(path)) matches.push({ path, kind, line: null, text: null })
      if (kind === 'file' && wish.contents && !isPattern && !isFull()) {
        withFile(at(directory, name), O_NOFOLLOW, (descriptor, size) => searchContent(descriptor, size, path))
      }
      if (kind !== 'directory' || name === '.git' || name === 'node_modules') return
      const next = fs.openSync(at(directory, name), O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
      try {
        assertInside(next)
        walk(next, `${path}/`)
      } finally {
        fs.closeSync(next)
      }
    }
    const walk = (directory: number, prefix: string): void => {
      // Deeper than this nothing of a person's is found, and every level holds a descriptor.
      if (prefix.split('/').length > 64) {
        truncated = true
        return
      }
      for (const name of fs.readdirSync(`/proc/self/fd/${directory}/.`).sort()) {
        if (isFull()) return
        try {
          visit(directory, name, prefix + name)
        } catch (error) {
          // What vanished, or may not be read, is not found.
          if (!(error instanceof Refusal) && !['ENOENT', 'EACCES', 'ELOOP'].includes(codeOf(error)))
            throw error
        }
      }
    }
    const parts = partsOf(request.path)
    const path = withDirectory(parts, 'look', (directory) => {
      walk(directory, parts.length === 0 ? '' : `${parts.join('/')}/`)
      return realPath(directory)
    })
    return { path, matches, truncated, files, passed: [...passed] }
  }

  const operations = { stat, read, part, write, remove, list, copy, move, make, unmake, search }

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
  let begun: Buffer[] = []
  for (;;) {
    const count = fs.readSync(0, chunk, 0, chunk.length, null)
    if (count === 0) return
    let rest = Buffer.from(chunk.subarray(0, count))
    for (let end = rest.indexOf(10); end !== -1; end = rest.indexOf(10)) {
      send(answer(Buffer.concat([...begun, rest.subarray(0, end)]).toString('utf8')))
      begun = []
      rest = rest.subarray(end + 1)
    }
    if (rest.length > 0) begun.push(rest)
  }
}
