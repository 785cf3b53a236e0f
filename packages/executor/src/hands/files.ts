/** Owns the hands on files: the ones that the permit names, in the state that it names. */
import { Buffer } from 'node:buffer'
import type { ApprovalSubject, FileResource } from '@countersign/contract'
import type { Failure, FoundPlace, Hands } from '@countersign/tools'
import type { HostFiles } from '../host-files.ts'
import { placeOf, refusalText, type Workspace } from '../look.ts'
import type { FileChange, FileEntry, FileResult } from '../sandbox/files.ts'
import { failed } from './failed.ts'

export interface FileParts {
  readonly root: string
  readonly workspace: Workspace
  readonly host: HostFiles
}

const mostEntries = 1000

export function fileHands(subject: ApprovalSubject, { root, workspace, host }: FileParts): Hands['files'] {
  const named = (place: FoundPlace, ...ops: FileResource['op'][]) =>
    subject.resources.find(
      (resource): resource is FileResource =>
        resource.type === 'file' &&
        resource.root === place.root &&
        ops.includes(resource.op) &&
        (resource.path === place.path || place.root === 'host'),
    )
  // File work is short, and a cancelled request would end the agent for every other call.
  const { signal } = new AbortController()
  return {
    place: (path) => placeOf(path, root),
    async read(place, maxBytes) {
      const resource = named(place, 'read')
      if (!resource) return notNamed(place)
      if (place.root === 'host') {
        const found = await host.read(resource.path, maxBytes)
        if ('reason' in found) return failed(found.reason)
        return found.sha256 === resource.content
          ? { kind: 'read', bytes: found.bytes, size: found.size }
          : changed(place)
      }
      if (workspace.kind === 'unavailable') return failed(workspace.reason)
      const result = await workspace.files.read(place.path, maxBytes, signal)
      if (result.kind !== 'ok') return failed(refusalText(place.path, result))
      const { contentBase64, size, sha256 } = result.value
      return sha256 === resource.content
        ? { kind: 'read', bytes: Buffer.from(contentBase64, 'base64'), size }
        : changed(place)
    },
    async list(place, depth) {
      if (!named(place, 'list')) return notNamed(place)
      if (workspace.kind === 'unavailable') return failed(workspace.reason)
      const result = await workspace.files.list(place.path, { depth, maxEntries: mostEntries }, signal)
      if (result.kind !== 'ok') return failed(refusalText(place.path, result))
      return { kind: 'listed', entries: result.value.entries.map(entryOf), truncated: result.value.truncated }
    },
    async write(place, bytes) {
      const resource = named(place, bytes === null ? 'delete' : 'write')
      if (!resource || place.root !== 'workspace') return notNamed(place)
      if (workspace.kind === 'unavailable') return failed(workspace.reason)
      const expected = resource.content === null ? 'absent' : { sha256: resource.content }
      const result: FileResult<FileChange> =
        bytes === null
          ? await workspace.files.remove(place.path, expected, signal)
          : await workspace.files.write(place.path, Buffer.from(bytes).toString('base64'), expected, signal)
      if (result.kind !== 'ok') return failed(refusalText(place.path, result))
      const { previousBase64, previousSha256 } = result.value
      if (previousSha256 === null) return { kind: 'written', before: { kind: 'nothing' } }
      if (previousBase64 === null) return { kind: 'written', before: { kind: 'too-large' } }
      return { kind: 'written', before: { kind: 'bytes', bytes: Buffer.from(previousBase64, 'base64') } }
    },
  }
}

function entryOf({ path, kind, size }: FileEntry): {
  path: string
  type: 'file' | 'directory' | 'link' | 'other'
  size: number
} {
  const type = kind === 'symlink' ? 'link' : kind === 'absent' ? 'other' : kind
  return { path, type, size }
}

function notNamed({ path }: FoundPlace): Failure {
  return failed(`The permit does not name ${path}.`)
}

function changed({ path }: FoundPlace): Failure {
  return failed(`${path} has changed since it was looked at.`)
}
