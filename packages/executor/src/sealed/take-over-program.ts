/**
 * The program that takes what a command changed over into the workspace. It runs inside the sandbox as source text, so
 * it stands alone: no imports, nothing from outside the function. It looks at everything before it changes anything,
 * and changes nothing where somebody else has changed the same file while the command ran.
 */

export interface TakeOverRequest {
  /** What changed at this time of the file system or later, in nanoseconds, changed while the command ran. */
  readonly since: string
  /** The content that a bound file must still have on the host if the command changed it; null for none. */
  readonly sealed: Readonly<Record<string, string | null>>
}

export interface TakeOverReply {
  /** Files that somebody else changed meanwhile. If there are any, nothing was taken over. */
  readonly conflicts: readonly string[]
  /** Pipes, sockets and the like, which are not taken over. */
  readonly left: readonly string[]
}

export function takeOverProgram(workspace: string, changes: string, view: string): void {
  const fs = process.getBuiltinModule('node:fs')
  const crypto = process.getBuiltinModule('node:crypto')
  const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK, COPYFILE_EXCL, COPYFILE_FICLONE } = fs.constants
  type Stats = import('node:fs').BigIntStats

  const request = JSON.parse(fs.readFileSync(0, 'utf8')) as TakeOverRequest
  const since = BigInt(request.since)
  const conflicts = new Set<string>()
  const left = new Set<string>()
  let applies = false

  const at = (folder: number, name: string): string => `/proc/self/fd/${folder}/${name}`
  const below = (path: string, name: string): string => (path === '' ? name : `${path}/${name}`)
  const statOf = (path: string): Stats | undefined =>
    fs.lstatSync(path, { bigint: true, throwIfNoEntry: false })
  const temporary = (folder: number): string => at(folder, `.${crypto.randomBytes(9).toString('hex')}.tmp`)

  /** A name that is whited out shows in the changes as a device without a number. */
  const isWhiteout = (stat: Stats): boolean => stat.isCharacterDevice() && stat.rdev === 0n

  function openFolder(path: string): number {
    return fs.openSync(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
  }

  function hashOf(path: string): string | null {
    let file: number
    try {
      file = fs.openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    } catch {
      return null
    }
    try {
      const hash = crypto.createHash('sha256')
      const buffer = Buffer.alloc(1_048_576)
      for (;;) {
        const count = fs.readSync(file, buffer, 0, buffer.length, null)
        if (count === 0) return hash.digest('hex')
        hash.update(buffer.subarray(0, count))
      }
    } finally {
      fs.closeSync(file)
    }
  }

  /** What stands on the host must be what stood there when the command began. */
  function check(folder: number, name: string, path: string): void {
    const found = statOf(at(folder, name))
    const sealed = request.sealed[path]
    if (sealed !== undefined) {
      const isSame = sealed === null ? found === undefined : hashOf(at(folder, name)) === sealed
      if (!isSame) conflicts.add(path)
    } else if (found?.isDirectory()) {
      const inner = openFolder(at(folder, name))
      try {
        for (const entry of fs.readdirSync(`/proc/self/fd/${inner}/.`))
          check(inner, entry, below(path, entry))
      } finally {
        fs.closeSync(inner)
      }
    } else if (found !== undefined && found.ctimeNs >= since) conflicts.add(path)
  }

  function remove(folder: number, name: string): void {
    fs.rmSync(at(folder, name), { recursive: true, force: true })
  }

  function put(folder: number, name: string, path: string, changed: Stats): void {
    const source = `${changes}/${path}`
    const fresh = temporary(folder)
    try {
      if (changed.isSymbolicLink()) fs.symlinkSync(fs.readlinkSync(source), fresh)
      else {
        fs.copyFileSync(source, fresh, COPYFILE_EXCL | COPYFILE_FICLONE)
        fs.chmodSync(fresh, Number(changed.mode & 0o777n))
        fs.utimesSync(fresh, Number(changed.atimeMs) / 1000, Number(changed.mtimeMs) / 1000)
      }
      fs.renameSync(fresh, at(folder, name))
    } catch (error) {
      fs.rmSync(fresh, { force: true })
      throw error
    }
  }

  function takeFolder(folder: number, name: string, path: string, changed: Stats): void {
    const found = statOf(at(folder, name))
    if (found !== undefined && !found.isDirectory()) {
      check(folder, name, path)
      if (applies) remove(folder, name)
    }
    if (!found?.isDirectory()) {
      if (!applies) return
      fs.mkdirSync(at(folder, name))
    }
    const inner = openFolder(at(folder, name))
    try {
      walk(inner, path)
      if (applies) fs.fchmodSync(inner, Number(changed.mode & 0o777n))
    } finally {
      fs.closeSync(inner)
    }
  }

  function takeOther(folder: number, name: string, path: string, changed: Stats): void {
    if (!changed.isFile() && !changed.isSymbolicLink()) {
      left.add(path)
      return
    }
    check(folder, name, path)
    if (!applies) return
    if (statOf(at(folder, name))?.isDirectory()) remove(folder, name)
    put(folder, name, path, changed)
  }

  function walk(folder: number, path: string): void {
    // The host first: a file that appears in between is then in the view as well and is not taken for a removed one.
    const there = fs.readdirSync(`/proc/self/fd/${folder}/.`)
    const seen = new Set(fs.readdirSync(`${view}/${path}`))
    for (const name of there) {
      if (seen.has(name)) continue
      check(folder, name, below(path, name))
      if (applies) remove(folder, name)
    }
    // Objects before what refers to them: whoever reads a repository meanwhile finds all that it names.
    const names = fs.readdirSync(`${changes}/${path}`)
    for (const name of names.sort((one, other) => Number(other === 'objects') - Number(one === 'objects'))) {
      const changed = statOf(`${changes}/${below(path, name)}`)
      if (changed === undefined || isWhiteout(changed)) continue
      if (changed.isDirectory()) takeFolder(folder, name, below(path, name), changed)
      else takeOther(folder, name, below(path, name), changed)
    }
  }

  const root = openFolder(workspace)
  walk(root, '')
  if (conflicts.size === 0) {
    applies = true
    walk(root, '')
  }
  const reply: TakeOverReply = { conflicts: [...conflicts], left: [...left] }
  fs.writeSync(1, JSON.stringify(reply))
}
