/**
 * Owns the grounds on which paths are tried: a workspace with links, pipes and a covered folder in it, and sentinels
 * all around it. Looks at the disk for itself; what the executor says about it does not matter here.
 */
import { spawnSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type Server } from 'node:net'
import { homedir, tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { createTestHost, type TestHost } from '../../../../../packages/executor/src/testing/host.ts'

export interface Grounds {
  readonly host: TestHost
  readonly workspace: string
  /** Folders with sentinels, outside the workspace. */
  readonly outside: readonly string[]
  /** A folder inside the workspace that the sandbox covers, relative to it. */
  readonly covered: string
  /** No honest file has this in its name, so that a file which landed outside is found. */
  readonly landing: string
  /** What differs outside from the beginning, in sentences. */
  changes(): string[]
  /** Links, the pipe and the socket that are no longer what they were; they are laid again. */
  disturbed(): string[]
  /** Puts the workspace back as it was in the beginning. */
  tidy(): void
  /** Whether the host would go out of the workspace by this path, and something is there. */
  leadsOut(path: string): boolean
  /** Whether a text holds a secret of a sentinel, plain or in base64. */
  shows(text: string): boolean
  close(): Promise<void>
}

/** In memory where that is possible: every write is flushed, and many are made. */
const parent = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

const mark = 'SENTINEL-'
export const sesame = 'opensesame'

export async function openGrounds(egress: {
  allowPrivate: { host: string; port: number }[]
}): Promise<Grounds> {
  const bare = createTestHost({ ...egress, ports: [] }, parent)
  const covered = 'nest/covered'
  const host: TestHost = {
    ...bare,
    options: { ...bare.options, keyFile: join(bare.workspace, covered, 'executor.key') },
  }
  const workspace = realpathSync(host.workspace)
  const landing = `lands-${randomBytes(6).toString('hex')}`
  const data = dirname(workspace)
  const visited = [tmpdir(), homedir()].map((folder) => mkdtempSync(join(folder, '.countersign-prove-')))
  const outside = [
    ...visited,
    join(host.folder, 'outside'),
    join(host.folder, 'home'),
    join(data, 'beside'),
    `${workspace}-twin`,
  ]
  for (const folder of outside) laySentinels(folder)
  mkdirSync(join(workspace, covered), { recursive: true })
  copyFileSync(bare.options.keyFile, host.options.keyFile)
  writeFileSync(join(workspace, covered, 'secret.txt'), secret())
  const furniture = furnitureOf(join(host.folder, 'outside'))
  for (const [name, target] of furniture) symlinkSync(target, join(workspace, name))
  spawnSync('mkfifo', [join(workspace, 'pipe')])
  const socket = await listening(join(workspace, 'socket'))
  const names = [...furniture.keys(), 'pipe', 'socket']
  const kinds = new Map(names.map((name) => [name, kindOf(join(workspace, name))]))
  const own = readdirSync(workspace)
  const watched = () => [
    ...outside.flatMap((folder) => [...walk(folder)]),
    ...[host.options.trustFile, host.options.keyFile, join(workspace, covered, 'secret.txt')].map(
      (path) => [path, kindOf(path)] as const,
    ),
    ...placesToLand(workspace, visited).flatMap((folder) =>
      namesIn(folder)
        .filter((name) => name.includes(landing))
        .map((name) => [join(folder, name), 'landed'] as const),
    ),
    ...namesIn(join(workspace, covered)).map((name) => [`covered ${name}`, 'there'] as const),
  ]
  const before = new Map(watched())

  function tidy(): void {
    for (const name of readdirSync(workspace))
      if (!own.includes(name)) rmSync(join(workspace, name), { recursive: true, force: true })
    mkdirSync(join(workspace, 'notes/deep'), { recursive: true })
    writeFileSync(join(workspace, 'notes/note.txt'), 'a note')
    writeFileSync(join(workspace, 'mine.txt'), 'mine')
    writeFileSync(join(workspace, 'café'), 'composed')
    writeFileSync(join(workspace, 'café'.normalize('NFD')), 'decomposed')
    linkSync(join(host.folder, 'outside', 'plain.txt'), join(workspace, 'twin'))
  }

  tidy()
  return {
    host,
    workspace,
    outside,
    covered,
    landing,
    changes() {
      const now = new Map(watched())
      return [...new Set([...before.keys(), ...now.keys()])]
        .filter((path) => before.get(path) !== now.get(path))
        .map(
          (path) => `outside: ${path} was ${before.get(path) ?? 'absent'}, is ${now.get(path) ?? 'absent'}`,
        )
    },
    disturbed() {
      const wrong = names.filter((name) => kindOf(join(workspace, name)) !== kinds.get(name))
      for (const name of wrong) {
        const target = furniture.get(name)
        rmSync(join(workspace, name), { recursive: true, force: true })
        if (target !== undefined) symlinkSync(target, join(workspace, name))
        kinds.set(name, kindOf(join(workspace, name)))
      }
      return wrong.map((name) => `${name} of the workspace is no longer what it was`)
    },
    tidy,
    leadsOut(path) {
      const found = realOf(resolve(workspace, path))
      return found !== undefined && !isWithin(found, workspace)
    },
    shows: (text) => forms.some((form) => text.includes(form)),
    async close() {
      await new Promise((done) => socket.close(done))
      for (const folder of visited) rmSync(folder, { recursive: true, force: true })
      host.remove()
    },
  }
}

export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`)
}

/** A file with a secret in it, which a search would find by its second word. */
export function secret(): string {
  return `${mark}${randomBytes(8).toString('hex')} ${sesame}\n`
}

/** The mark as it stands in plain text, and in base64 at each of the three places where it can begin. */
const forms = [
  mark,
  ...[0, 1, 2].map((shift) => {
    const text = Buffer.from('x'.repeat(shift) + mark).toString('base64')
    return text.slice(Math.ceil((shift * 4) / 3), Math.floor(((shift + mark.length) * 8) / 6))
  }),
]

function laySentinels(folder: string): void {
  mkdirSync(join(folder, 'folder/deeper'), { recursive: true })
  for (const name of ['secret.txt', 'secret.png', 'folder/secret.txt', 'folder/deeper/secret.txt'])
    writeFileSync(join(folder, name), secret())
  // A second name of this one lies in the workspace, where it may be read like any file.
  writeFileSync(join(folder, 'plain.txt'), 'no secret')
}

/** Every link leads out, save one that leads to itself and one to a file beside it: a link is refused as such. */
function furnitureOf(outside: string): Map<string, string> {
  return new Map([
    ['door', outside],
    ['window', join(outside, 'secret.txt')],
    ['hatch', '../../outside'],
    ['dangling', join(outside, 'not-there.txt')],
    ['dangling-folder', join(outside, 'not-there')],
    ['chain', 'chain-two'],
    ['chain-two', 'chain-three'],
    ['chain-three', outside],
    ['loop', 'loop-two'],
    ['loop-two', 'loop'],
    ['up', '..'],
    ['root', '/'],
    ['system', '/usr/lib'],
    ['process', '/proc/self'],
    ['descriptors', '/dev/fd'],
    ['climb', 'notes/../../beside/secret.txt'],
    ['inner', 'notes/note.txt'],
    ['inner-folder', 'notes'],
    ['via', 'inner-folder/../up/beside'],
  ])
}

async function listening(path: string): Promise<Server> {
  const server = createServer((socket) => socket.destroy())
  await new Promise<void>((done) => server.listen(path, done))
  return server
}

/** Where a path that was misread could have ended. */
function placesToLand(workspace: string, visited: readonly string[]): string[] {
  const above: string[] = []
  for (let folder = dirname(workspace); ; folder = dirname(folder)) {
    above.push(folder)
    if (folder === dirname(folder)) break
  }
  return [
    ...above,
    ...visited.map((folder) => dirname(folder)),
    process.cwd(),
    dirname(process.cwd()),
    '/etc',
    '/dev',
  ]
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function* walk(folder: string): Generator<readonly [string, string]> {
  yield [folder, kindOf(folder)]
  for (const name of namesIn(folder)) {
    const path = join(folder, name)
    if (lstatSync(path).isDirectory()) yield* walk(path)
    else yield [path, kindOf(path)]
  }
}

/** All that a change could change, save the change time: a second name of a file may come and go. */
function kindOf(path: string): string {
  const found = lstatSync(path, { throwIfNoEntry: false, bigint: true })
  if (!found) return 'absent'
  const times = `${(found.mode & 0o7777n).toString(8)} ${found.mtimeNs}`
  if (found.isSymbolicLink()) return `link to ${readlinkSync(path)}`
  if (found.isDirectory()) return `folder ${times} ${namesIn(path).toSorted().join(' ')}`
  if (found.isFile())
    return `file ${times} ${createHash('sha256').update(readFileSync(path)).digest('hex').slice(0, 16)}`
  return found.isFIFO() ? 'pipe' : found.isSocket() ? 'socket' : 'device'
}

function realOf(path: string): string | undefined {
  try {
    return realpathSync(path)
  } catch {
    return undefined
  }
}
