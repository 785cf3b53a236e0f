/** A look and hands for tests, on a temporary folder and without confinement. Never for use outside tests. */
import { execFile } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, isAbsolute, join, normalize, relative } from 'node:path'
import { type JsonObject, type Resource, type ToolResult } from '@countersign/contract'
import { sha256Hex } from '@countersign/contract/node'
import { type ExecutorTool, type Found, parseArgs, type ToolDefinition } from '../definition.ts'
import type { Before, Hands } from '../hands.ts'
import type { FoundPlace, Look, Place } from '../look.ts'

export interface BareWorkspace {
  readonly root: string
  readonly look: Look
  resolve(tool: ToolDefinition, args: JsonObject): Promise<Found>
  /** Resolves and runs, as an executor with a permit would. */
  use(tool: ToolDefinition, args: JsonObject): Promise<{ resources: readonly Resource[]; result: ToolResult }>
  remove(): void
}

export function createBareWorkspace(): BareWorkspace {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-tools-')))
  const look = lookAt(root)
  const hands = handsOn(root, look.place)
  const resolve = (tool: ToolDefinition, args: JsonObject) => {
    const { executor, parsed } = ready(tool, args)
    return executor.effects(parsed, look)
  }
  return {
    root,
    look,
    resolve,
    async use(tool, args) {
      const found = await resolve(tool, args)
      if (found.kind !== 'found') throw new Error(found.reason)
      const { executor, parsed } = ready(tool, args)
      const result = await executor.run(parsed, hands, new AbortController().signal)
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

function lookAt(root: string): Look {
  const pathOf = (place: FoundPlace) => (place.root === 'host' ? place.path : join(root, place.path))
  return {
    place(path): Place {
      const inside = isAbsolute(path) ? relative(root, path) : normalize(path)
      if (!inside.startsWith('..')) return { root: 'workspace', path: inside === '' ? '.' : inside }
      return isAbsolute(path) ? { root: 'host', path } : { root: 'nowhere', reason: `${path} leads out.` }
    },
    async file(place) {
      const stat = statSync(pathOf(place), { throwIfNoEntry: false })
      if (!stat) return { kind: 'absent' }
      const identity = { device: String(stat.dev), inode: String(stat.ino) }
      if (stat.isDirectory()) return { kind: 'directory', identity }
      const content = sha256Hex(readFileSync(pathOf(place)))
      return { kind: 'file', identity, content, size: stat.size, path: place.path }
    },
    async program(name) {
      const path = isAbsolute(name) ? name : join('/usr/bin', name)
      const stat = statSync(path, { throwIfNoEntry: false })
      return stat?.isFile() ? { path, content: sha256Hex(path) } : undefined
    },
    url(url, method) {
      const { protocol, hostname, port } = new URL(url)
      if (hostname === 'closed.test') return { kind: 'refused', reason: 'closed' }
      const scheme = protocol === 'https:' ? 'https' : 'http'
      const resource = { type: 'url', scheme, host: hostname, port: Number(port) || 80, method } as const
      return { kind: 'url', resource: { ...resource, addressClass: 'loopback', redirects: 'refused' } }
    },
    environment: sha256Hex(''),
  }
}

function handsOn(root: string, place: Look['place']): Hands {
  const none = async () => ({ kind: 'failed' as const, reason: 'not here' })
  return {
    session: 'ses_test',
    browser: { act: none },
    script: { run: none },
    files: {
      place,
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
      async write(at, bytes) {
        const path = join(root, at.path)
        const stat = statSync(path, { throwIfNoEntry: false })
        const before: Before = stat ? { kind: 'bytes', bytes: readFileSync(path) } : { kind: 'nothing' }
        mkdirSync(dirname(path), { recursive: true })
        if (bytes === null) rmSync(path)
        else writeFileSync(path, bytes)
        return { kind: 'written', before }
      },
    },
    shell: {
      run: ({ argv, cwd, timeoutMs }) =>
        new Promise((resolve) => {
          const [file = '', ...rest] = argv
          execFile(file, rest, { cwd: join(root, cwd), timeout: timeoutMs }, (error, stdout, stderr) => {
            const code = error ? Number(error.code ?? 1) : 0
            const end = error?.killed
              ? ({ kind: 'killed', why: 'timeout' } as const)
              : ({ kind: 'exited', code } as const)
            resolve({ kind: 'ran', end, stdout, stderr, truncated: false })
          })
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
