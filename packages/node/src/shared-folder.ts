/**
 * Owns what a call does in the shared folder: what its permit names, in the state that it names. All of it is done by
 * the file agent in the sandbox, which can name nothing else of this computer.
 */
import { Buffer } from 'node:buffer'
import type { NodeResource } from '@countersign/contract'
import { type FileAgent, refusalText } from '@countersign/executor/node'
import type { DirectoryEntry, NodeCapabilities } from '@countersign/tools'
import type { Trash } from './trash.ts'

type NodeFiles = NodeCapabilities['files']
type FileEntryKind = 'file' | 'directory' | 'symlink' | 'other' | 'absent'

const mostEntries = 1_000
/** As much as the file agent reads. What is larger cannot be kept, so it is not changed. */
const mostKeptBytes = 25 * 1024 * 1024

export function sharedFolder(
  resource: NodeResource,
  { files, trash }: { readonly files: FileAgent; readonly trash: Trash },
): NodeFiles {
  // File work is short, and a cancelled request would end the agent for every other call.
  const { signal } = new AbortController()
  const isNamed = (path: string, ...ops: NodeResource['op'][]) =>
    resource.capability === 'files' && resource.object === path && ops.includes(resource.op)
  const expected = resource.content === null ? ('absent' as const) : { sha256: resource.content }

  /** What is there now, kept before it goes; null where nothing is. */
  async function keepBefore(path: string): Promise<{ kept: string | null } | { reason: string }> {
    if (resource.content === null) return { kept: null }
    const before = await files.read(path, mostKeptBytes, signal)
    if (before.kind !== 'ok') return { reason: refusalText(path, before) }
    if (before.value.sha256 !== resource.content) return { reason: changed(path) }
    if (before.value.truncated) return { reason: `${path} is too large to be kept in the trash.` }
    return { kept: trash.keep(Buffer.from(before.value.contentBase64, 'base64')) }
  }

  async function put(path: string, bytes: Uint8Array | null): Promise<{ reason: string } | undefined> {
    const result =
      bytes === null
        ? await files.remove(path, expected, signal)
        : await files.write(path, bytes, expected, signal)
    return result.kind === 'ok' ? undefined : { reason: refusalText(path, result) }
  }

  return {
    async list(path, depth) {
      const result = await files.list(path, { depth, maxEntries: mostEntries }, signal)
      if (result.kind !== 'ok') return failure(refusalText(path, result))
      if (!isNamed(result.value.path, 'list')) return notNamed(path)
      const entries = result.value.entries.map(
        ({ path: at, kind, size }): DirectoryEntry => ({ path: at, type: typeOf(kind), size }),
      )
      return { kind: 'listed', entries, truncated: result.value.truncated }
    },
    async read(path, maxBytes) {
      const result = await files.read(path, maxBytes, signal)
      if (result.kind !== 'ok') return failure(refusalText(path, result))
      const { path: real, contentBase64, size, sha256 } = result.value
      if (!isNamed(real, 'read')) return notNamed(path)
      if (sha256 !== resource.content) return failure(changed(path))
      return { kind: 'read', bytes: Buffer.from(contentBase64, 'base64'), size }
    },
    async write(path, bytes) {
      if (!isNamed(path, bytes === null ? 'delete' : 'write')) return notNamed(path)
      const before = await keepBefore(path)
      if ('reason' in before) return failure(before.reason)
      const problem = await put(path, bytes)
      return problem ? failure(problem.reason) : { kind: 'written', kept: before.kept }
    },
    async restore(path, kept) {
      if (!isNamed(path, 'write')) return notNamed(path)
      const bytes = trash.read(kept)
      if (!bytes) return failure('The trash does not hold it any more.')
      const problem = await put(path, bytes)
      return problem ? failure(problem.reason) : { kind: 'written' }
    },
  }
}

export function noSharedFolder(reason: string): NodeFiles {
  const none = async () => failure(reason)
  return { list: none, read: none, write: none, restore: none }
}

function typeOf(kind: FileEntryKind): DirectoryEntry['type'] {
  if (kind === 'symlink') return 'link'
  return kind === 'absent' ? 'other' : kind
}

export function failure(reason: string): { readonly kind: 'failed'; readonly reason: string } {
  return { kind: 'failed', reason }
}

export function notNamed(what: string): { readonly kind: 'failed'; readonly reason: string } {
  return failure(`The permit does not name ${what}.`)
}

function changed(path: string): string {
  return `${path} has changed since it was looked at.`
}
