import { chmodSync, chownSync, lchownSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { homePaths } from './home.ts'
import { folderProblem, prepareOwnFolder, requireOwnFolder } from './own-folder.ts'

const isRoot = process.getuid?.() === 0
const stranger = 12_345

let base: string
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'countersign-folder-'))
})
afterEach(() => rmSync(base, { recursive: true, force: true }))

function made(name: string, mode = 0o700): string {
  const path = join(base, name)
  mkdirSync(path, { recursive: true })
  chmodSync(path, mode)
  return path
}

describe.skipIf(process.platform === 'win32')('a folder of ours', () => {
  it('may be below the shared folder for temporary files', () => {
    expect(folderProblem(made('own'))).toBeNull()
    expect(folderProblem(join(base, 'own', 'missing'))).toBeNull()
  })

  it('is refused when others can write to it or to one above it', () => {
    made('open/inside')
    chmodSync(join(base, 'open'), 0o777)
    expect(folderProblem(join(base, 'open'))?.what).toContain('others can write')
    expect(folderProblem(join(base, 'open', 'inside'))?.what).toContain('others can write')
    expect(() => requireOwnFolder(join(base, 'open', 'inside', 'missing'))).toThrow(
      expect.objectContaining({ code: 'folder_refused' }),
    )
  })

  it('may be below one in which nobody can take the names of others, and may not be one itself', () => {
    made('shared/inside')
    chmodSync(join(base, 'shared'), 0o1777)
    expect(folderProblem(join(base, 'shared', 'inside'))).toBeNull()
    expect(folderProblem(join(base, 'shared'))?.what).toContain('others can write')
  })

  it('is refused when a group of several can write to it', () => {
    const path = made('group', 0o770)
    if (isRoot) chownSync(path, 0, stranger)
    expect(folderProblem(path) === null).toBe(!isRoot)
  })

  it('is followed through links, which count as well', () => {
    made('real')
    symlinkSync(join(base, 'real'), join(base, 'link'))
    expect(folderProblem(join(base, 'link'))).toBeNull()
    symlinkSync('round', join(base, 'round'))
    expect(folderProblem(join(base, 'round'))?.what).toContain('circles')
    made('open', 0o777)
    mkdirSync(join(base, 'open', 'inside'))
    symlinkSync(join(base, 'open', 'inside'), join(base, 'link-out'))
    expect(folderProblem(join(base, 'link-out'))?.what).toContain('others can write')
  })

  it('is made closed to others', () => {
    prepareOwnFolder(join(base, 'new', 'deep'))
    expect(folderProblem(join(base, 'new', 'deep'))).toBeNull()
  })

  it.runIf(isRoot)('is refused when it, one above it or a link to it belongs to another user', () => {
    const path = made('theirs/inside')
    chownSync(join(base, 'theirs'), stranger, stranger)
    expect(folderProblem(path)?.what).toContain('another user')
    expect(folderProblem(join(base, 'theirs'))?.what).toContain('another user')
    expect(folderProblem(join(base, 'theirs'), [stranger])).toBeNull()
    expect(folderProblem(path, [stranger])?.what).toContain('another user')
    made('ours')
    symlinkSync(join(base, 'ours'), join(base, 'their-link'))
    lchownSync(join(base, 'their-link'), stranger, stranger)
    expect(folderProblem(join(base, 'their-link'))?.what).toContain('another user')
  })
})

describe.skipIf(process.platform !== 'linux')('the run folder', () => {
  const run = (runtime: string | undefined) =>
    homePaths({ XDG_STATE_HOME: join(base, 'state'), XDG_RUNTIME_DIR: runtime }, 'linux').run

  it('is in the runtime folder of the system where that is ours', () => {
    const runtime = made('runtime')
    expect(run(runtime)).toBe(join(runtime, 'countersign'))
  })

  it('is below our own state where there is none, or where it is open to others', () => {
    const own = join(base, 'state', 'countersign', 'run')
    expect(run(undefined)).toBe(own)
    expect(run(join(base, 'missing'))).toBe(own)
    expect(run(made('runtime', 0o777))).toBe(own)
  })
})
