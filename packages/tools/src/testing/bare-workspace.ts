/** An inspector and capabilities for tests, on a temporary folder and without confinement. Never for use outside tests. */
import { execFile } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, isAbsolute, join, normalize, relative } from 'node:path'
import { type FileResource, type JsonObject, type Resource, type ToolResult } from '@countersign/contract'
import { sha256Hex } from '@countersign/contract/node'
import type { FileMatches, PreviousFile, ToolCapabilities } from '../capabilities.ts'
import { type EffectsResult, type ExecutorTool, parseArgs, type ToolDefinition } from '../definition.ts'
import type { FileLocation, FoundCodingAgent, Inspector, ResolvedPath } from '../inspector.ts'
import { exampleExtensions } from './example-skill.ts'

export interface BareWorkspace {
  readonly root: string
  readonly inspect: Inspector
  /** Hands for a permit with these resources, which only `bound` tells. */
  capabilitiesFor(resources: readonly Resource[]): ToolCapabilities
  resolve(tool: ToolDefinition, args: JsonObject): Promise<EffectsResult>
  /** Resolves and runs, as an executor with a permit would. */
  use(tool: ToolDefinition, args: JsonObject): Promise<{ resources: readonly Resource[]; result: ToolResult }>
  remove(): void
}

export function createBareWorkspace(): BareWorkspace {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-tools-')))
  const inspect = inspectorAt(root)
  const capabilitiesFor = (resources: readonly Resource[]) => capabilitiesOn(root, inspect.locate, resources)
  const resolve = (tool: ToolDefinition, args: JsonObject) => {
    const { executor, parsed } = ready(tool, args)
    return executor.effects(parsed, inspect)
  }
  return {
    root,
    inspect,
    capabilitiesFor,
    resolve,
    async use(tool, args) {
      const found = await resolve(tool, args)
      if (found.kind !== 'found') throw new Error(found.reason)
      const { executor, parsed } = ready(tool, args)
      const result = await executor.run(
        parsed,
        capabilitiesFor(found.resources),
        new AbortController().signal,
      )
      return { resources: found.resources, result }
    },
    remove: () => rmSync(root, { recursive: true, force: true }),
  }
}

function ready(tool: ToolDefinition, args: JsonObject): { executor: ExecutorTool; parsed: JsonObject } {
  const parsed = parseArgs(tool, args)
  if (tool.runs !== 'executor' || parsed.kind === 'invalid')
    throw new Error(`${tool.name} cannot be run with these`)
  return { executor: tool, parsed: parsed.args }
}

function inspectorAt(root: string): Inspector {
  const pathOf = (location: FileLocation) =>
    location.root === 'host' ? location.path : join(root, location.path)
  return {
    locate(path): ResolvedPath {
      const inside = isAbsolute(path) ? relative(root, path) : normalize(path)
      if (!inside.startsWith('..')) return { root: 'workspace', path: inside === '' ? '.' : inside }
      return isAbsolute(path) ? { root: 'host', path } : { root: 'nowhere', reason: `${path} leads out.` }
    },
    async file(location) {
      const where = {
        path: realOf(root, location.path),
        besideHead: isBesideHead(root, location.path),
        repository: repositoryAbove(root, location.path),
      }
      const stat = statSync(pathOf(location), { throwIfNoEntry: false })
      if (!stat) return { kind: 'absent', ...where }
      const identity = { device: String(stat.dev), inode: String(stat.ino) }
      if (stat.isDirectory()) return { kind: 'directory', identity, ...where }
      const content = sha256Hex(readFileSync(pathOf(location)))
      return { kind: 'file', identity, content, size: stat.size, ...where }
    },
    async hostFile(path) {
      const stat = statSync(path, { throwIfNoEntry: false })
      if (!stat?.isFile()) return { kind: 'host', path, identity: 'absent', content: null, credential: null }
      const identity = { device: String(stat.dev), inode: String(stat.ino) }
      return { kind: 'host', path, identity, content: sha256Hex(readFileSync(path)), credential: null }
    },
    async text(location, maxBytes) {
      if (!existsSync(pathOf(location)))
        return { kind: 'refused', reason: `${location.path} does not exist.` }
      const bytes = readFileSync(pathOf(location))
      const text = bytes.subarray(0, maxBytes).toString('utf8')
      return { kind: 'text', text, content: sha256Hex(bytes), truncated: bytes.length > maxBytes }
    },
    async program(name) {
      const path = isAbsolute(name) ? name : join('/usr/bin', name)
      const stat = statSync(path, { throwIfNoEntry: false })
      return stat?.isFile() ? { path, content: sha256Hex(path) } : undefined
    },
    mailServer({ host, port }, method) {
      const place = { scheme: 'https', host, port, method, addressClass: 'name' } as const
      return { kind: 'url', resource: { type: 'url', ...place, redirects: 'refused', carries: 'more' } }
    },
    url(url, method) {
      const { protocol, hostname, port } = new URL(url)
      if (hostname === 'closed.test') return { kind: 'refused', reason: 'closed' }
      const scheme = protocol === 'https:' ? 'https' : 'http'
      const resource = { type: 'url', scheme, host: hostname, port: Number(port) || 80, method } as const
      return {
        kind: 'url',
        resource: { ...resource, addressClass: 'loopback', redirects: 'refused', carries: 'address' },
      }
    },
    held: async () => ({ kind: 'refused', reason: 'Nothing is held here.' }),
    view: false,
    extensions: () => exampleExtensions,
    codingAgents: () => ['example'],
    codingAgent: async (name) => (name === 'example' ? exampleAgent : undefined),
    kept: async () => ({ kind: 'refused', reason: 'Nothing is kept here.' }),
    environment: sha256Hex(''),
  }
}

/** With every link followed as far as there is something. */
function realOf(root: string, path: string): string {
  const whole = join(root, path)
  if (existsSync(whole)) return relative(root, realpathSync(whole)) || '.'
  return path === '.' ? '.' : join(realOf(root, dirname(path)), basename(path))
}

function isBesideHead(root: string, path: string): boolean {
  if (path === '.') return false
  const folder = dirname(path)
  return existsSync(join(root, folder, 'HEAD')) || isBesideHead(root, folder)
}

function repositoryAbove(root: string, path: string): string | null {
  if (path === '.') return null
  const folder = dirname(path)
  return existsSync(join(root, folder, '.git')) ? folder : repositoryAbove(root, folder)
}

function capabilitiesOn(
  root: string,
  locate: Inspector['locate'],
  resources: readonly Resource[],
): ToolCapabilities {
  const none = async () => ({ kind: 'failed' as const, reason: 'not here' })
  return {
    session: 'ses_test',
    browser: { act: none },
    script: { run: none },
    codingAgents: {
      names: () => ['example'],
      find: async (name) => (name === 'example' ? exampleAgent : undefined),
      run: async () => ({ kind: 'failed', reason: 'No coding agent works here.' }),
      keep: async () => 'ctask_0',
      result: async () => undefined,
      results: async () => [],
    },
    extensions: {
      installed: () => exampleExtensions,
      putServer: none,
      putSkill: none,
      putProposal: none,
      takeProposal: none,
      remove: none,
      readFile: none,
    },
    servers: { list: none, skill: none, call: none },
    documents: { run: none },
    mail: {
      list: none,
      arrived: none,
      searched: none,
      read: none,
      attachment: none,
      send: none,
      sent: none,
      draft: none,
      move: none,
      check: none,
    },
    calendarServer: { list: none, fetch: none, push: none },
    models: { work: none },
    files: {
      locate,
      async read(at, maxBytes) {
        const bytes = readFileSync(at.root === 'host' ? at.path : join(root, at.path))
        return { kind: 'read', bytes: bytes.subarray(0, maxBytes), size: bytes.length }
      },
      async list(at) {
        const entries = readdirSync(join(root, at.path), { withFileTypes: true }).map((entry) => ({
          path: join(at.path, entry.name),
          type: entry.isDirectory() ? ('directory' as const) : ('file' as const),
          size: statSync(join(root, at.path, entry.name)).size,
        }))
        return { kind: 'listed', entries, truncated: false }
      },
      bound: (at) => {
        const isNamed = (resource: Resource) => resource.type === 'file' && resource.path === at.path
        return resources.find(isNamed) as FileResource | undefined
      },
      async info(at) {
        const stat = statSync(join(root, at.path))
        const type = stat.isDirectory() ? 'directory' : 'file'
        const sha256 = type === 'file' ? sha256Hex(readFileSync(join(root, at.path))) : null
        const times = { modified: stat.mtime, created: stat.birthtime }
        return { kind: 'info', info: { type, size: stat.size, mode: stat.mode & 0o777, sha256, ...times } }
      },
      async search(at, { query, names, contents, maxMatches }) {
        const matches = readdirSync(join(root, at.path), { recursive: true, encoding: 'utf8' })
          .toSorted()
          .flatMap((name) => matchesIn(root, join(at.path, name), query, { names, contents }))
        const truncated = matches.length > maxMatches
        return { kind: 'matches', matches: matches.slice(0, maxMatches), truncated, hidden: [] }
      },
      async write(at, bytes, { mode = null, folders = 0 } = {}) {
        const path = join(root, at.path)
        const before = beforeOf(path)
        const made = mkdirAll(dirname(path))
        if (bytes === null) rmSync(path)
        else writeFileSync(path, bytes)
        if (bytes !== null && mode !== null) chmodSync(path, mode)
        if (bytes === null) removeEmpty(dirname(path), folders)
        return { kind: 'written', before, made }
      },
      async copy(from, to) {
        const path = join(root, to.path)
        const written = { kind: 'written', before: beforeOf(path), made: mkdirAll(dirname(path)) } as const
        copyFileSync(join(root, from.path), path)
        return { kind: 'copied', written, sha256: sha256Hex(readFileSync(path)) }
      },
      async move(from, to) {
        if (existsSync(join(root, to.path))) return { kind: 'failed', reason: `${to.path} exists already.` }
        renameSync(join(root, from.path), join(root, to.path))
        return { kind: 'moved' }
      },
      takeHeld: async () => ({ kind: 'failed', reason: 'Nothing is held here.' }),
      restoreKept: async () => ({ kind: 'failed', reason: 'Nothing is kept here.' }),
      uploaded: async () => ({ kind: 'failed', reason: 'Nothing was uploaded.' }),
      dropUpload: async () => undefined,
      makeFolder: async (at) => ({ kind: 'made', made: mkdirAll(join(root, at.path)) }),
      async removeFolder(at, count) {
        const removed = removeEmpty(join(root, at.path), count)
        return removed > 0 ? { kind: 'removed' } : { kind: 'failed', reason: `${at.path} is not empty.` }
      },
    },
    shell: {
      bound: () => resources.find((resource) => resource.type === 'exec')?.argv,
      run: ({ argv, cwd, stdin, timeoutMs }) =>
        new Promise((resolve) => {
          const [file = '', ...rest] = argv
          const options = { cwd: join(root, cwd), env: environment, timeout: timeoutMs, maxBuffer: 1_000_000 }
          const child = execFile(file, rest, options, (error, stdout, stderr) => {
            const code = error ? Number(error.code ?? 1) : 0
            const end = error?.killed
              ? ({ kind: 'killed', why: 'timeout' } as const)
              : ({ kind: 'exited', code } as const)
            resolve({
              kind: 'ran',
              end,
              stdout,
              stderr,
              truncated: false,
              kept: null,
              held: null,
              durationMs: 1,
              hidden: [],
            })
          })
          child.stdin?.on('error', () => child.stdin?.destroy())
          child.stdin?.end(stdin ?? '')
        }),
    },
    web: {
      async request({ url, method, headers, body }) {
        const init = { method, headers, redirect: 'manual' as const, ...(body === '' ? {} : { body }) }
        const response = await fetch(url, init)
        const bytes = new Uint8Array(await response.arrayBuffer())
        return {
          kind: 'response',
          url: response.url,
          status: response.status,
          headers: [...response.headers],
          body: bytes,
          truncated: false,
        }
      },
    },
  }
}

const exampleAgent: FoundCodingAgent = {
  agent: {
    command: ['cat'],
    endpoint: 'https://models.example.org/v1',
    protocol: 'openai',
    model: 'example-model',
  },
  program: { path: '/usr/bin/cat', content: sha256Hex('/usr/bin/cat') },
}

/** As in the sandbox: nothing of the home of whoever runs the tests. */
const environment = {
  PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
  HOME: '/nowhere',
  TMPDIR: '/tmp',
  LANG: 'C.UTF-8',
}

function beforeOf(path: string): PreviousFile {
  const stat = statSync(path, { throwIfNoEntry: false })
  return stat ? { kind: 'bytes', bytes: readFileSync(path), mode: stat.mode & 0o777 } : { kind: 'nothing' }
}

function mkdirAll(folder: string): number {
  let made = 0
  for (let above = folder; !existsSync(above); above = dirname(above)) made += 1
  mkdirSync(folder, { recursive: true })
  return made
}

function removeEmpty(folder: string, count: number): number {
  let removed = 0
  for (let above = folder; removed < count && readdirSync(above).length === 0; above = dirname(above)) {
    rmdirSync(above)
    removed += 1
  }
  return removed
}

function matchesIn(
  root: string,
  path: string,
  query: string,
  { names, contents }: { names: boolean; contents: boolean },
): FileMatches['matches'] {
  const isFile = lstatSync(join(root, path)).isFile()
  const named = names && path.includes(query)
  const lines = isFile && contents ? readFileSync(join(root, path), 'utf8').split('\n') : []
  const type = isFile ? 'file' : 'directory'
  return [
    ...(named ? [{ path, type, line: null, text: null } as const] : []),
    ...lines.flatMap((text, index) =>
      text.includes(query) ? [{ path, type, line: index + 1, text } as const] : [],
    ),
  ]
}
