/**
 * Owns the hands on files: the ones that the permit names, in the state that it names. What was opened is compared by
 * the path that the kernel gives for it.
 */
import { Buffer } from 'node:buffer'
import type { ApprovalSubject, FileResource } from '@countersign/contract'
import type { Entry, Failure, FoundPlace, Hands, Written } from '@countersign/tools'
import type { HostFiles } from '../host-files.ts'
import { placeOf, refusalText, type Workspace } from '../look.ts'
import type { Expected, FileChange, FileEntry, FileKind, FileResult } from '../sandbox/files.ts'
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
        resource.path === place.path,
    )
  // File work is short, and a cancelled request would end the agent for every other call.
  const { signal } = new AbortController()
  return {
    place: (path) => placeOf(path, root),
    async read(place, maxBytes) {
      if (place.root === 'host') {
        const resource = subject.resources.find(isHostRead)
        if (!resource) return notNamed(place)
        const found = await host.read(resource.path, maxBytes)
        if ('reason' in found) return failed(found.reason)
        return found.sha256 === resource.content
          ? { kind: 'read', bytes: found.bytes, size: found.size }
          : changed(place)
      }
      if (workspace.kind === 'unavailable') return failed(workspace.reason)
      const result = await workspace.files.read(place.path, maxBytes, signal)
      if (result.kind !== 'ok') return failed(refusalText(place.path, result))
      const { path, contentBase64, size, sha256 } = result.value
      const resource = named({ ...place, path }, 'read')
      if (!resource) return notNamed(place)
      return sha256 === resource.content
        ? { kind: 'read', bytes: Buffer.from(contentBase64, 'base64'), size }
        : changed(place)
    },
    async list(place, depth) {
      if (place.root !== 'workspace') return notNamed(place)
      if (workspace.kind === 'unavailable') return failed(workspace.reason)
      const result = await workspace.files.list(place.path, { depth, maxEntries: mostEntries }, signal)
      if (result.kind !== 'ok') return failed(refusalText(place.path, result))
      if (!named({ ...place, path: result.value.path }, 'list')) return notNamed(place)
      return { kind: 'listed', entries: result.value.entries.map(entryOf), truncated: result.value.truncated }
    },
    bound: (place) => named(place, 'read', 'list', 'write', 'delete'),
    async info(place) {
      if (place.root !== 'workspace') return notNamed(place)
      if (workspace.kind === 'unavailable') return failed(workspace.reason)
      const result = await workspace.files.stat(place.path, { hash: true }, signal)
      if (result.kind !== 'ok') return failed(refusalText(place.path, result))
      const { path, kind, size, mode, sha256, modifiedMs, createdMs } = result.value
      const resource = named({ ...place, path }, 'read', 'list')
      if (!resource) return notNamed(place)
      if ((kind !== 'file' && kind !== 'directory') || sha256 !== resource.content) return changed(place)
      const times = { modified: new Date(modifiedMs), created: new Date(createdMs) }
      return { kind: 'info', info: { type: kind, size, mode, sha256, ...times } }
    },
    async search(place, search) {
      if (place.root !== 'workspace') return notNamed(place)
      if (workspace.kind === 'unavailable') return failed(workspace.reason)
      const result = await workspace.files.search(place.path, search, signal)
      if (result.kind !== 'ok') return failed(refusalText(place.path, result))
      if (!named({ ...place, path: result.value.path }, 'read')) return notNamed(place)
      const matches = result.value.matches.map(({ path, kind, line, text }) => {
        return { path, type: typeOf(kind), line, text }
      })
      return { kind: 'matches', matches, truncated: result.value.truncated }
    },
    async write(place, bytes, { mode = null, folders = 0 } = {}) {
      const resource = named(place, bytes === null ? 'delete' : 'write')
      if (!resource || place.root !== 'workspace') return notNamed(place)
      if (workspace.kind === 'unavailable') return failed(workspace.reason)
      const { files } = workspace
      const expected = expectedOf(resource)
      const result: FileResult<FileChange> =
        bytes === null
          ? await files.remove(place.path, expected, signal, folders)
          : await files.write(place.path, Buffer.from(bytes).toString('base64'), expected, signal, mode)
      return result.kind === 'ok' ? writtenOf(result.value) : failed(refusalText(place.path, result))
    },
    async copy(from, to) {
      const source = named(from, 'read')
      const destination = named(to, 'write')
      if (!source || from.root !== 'workspace') return notNamed(from)
      if (!destination || to.root !== 'workspace') return notNamed(to)
      if (workspace.kind === 'unavailable') return failed(workspace.reason)
      const result = await workspace.files.copy(
        { path: from.path, expected: expectedOf(source) },
        { path: to.path, expected: expectedOf(destination) },
        signal,
      )
      if (result.kind !== 'ok') return failed(refusalText(`${from.path} or ${to.path}`, result))
      return { kind: 'copied', written: writtenOf(result.value), sha256: result.value.sha256 ?? '' }
    },
    async move(from, to) {
      const source = named(from, 'delete')
      if (!source || from.root !== 'workspace' || source.identity === 'absent') return notNamed(from)
      if (!named(to, 'write') || to.root !== 'workspace') return notNamed(to)
      if (workspace.kind === 'unavailable') return failed(workspace.reason)
      // A folder has no content of its own to compare, only an identity.
      const expected = source.content === null ? null : { sha256: source.content }
      const moved = { path: from.path, expected, identity: source.identity }
      const result = await workspace.files.move(moved, to.path, signal)
      return result.kind === 'ok'
        ? { kind: 'moved' }
        : failed(refusalText(`${from.path} or ${to.path}`, result))
    },
    async makeFolder(place) {
      if (!named(place, 'write') || place.root !== 'workspace') return notNamed(place)
      if (workspace.kind === 'unavailable') return failed(workspace.reason)
      const result = await workspace.files.makeFolder(place.path, signal)
      if (result.kind !== 'ok') return failed(refusalText(place.path, result))
      return { kind: 'made', made: result.value.made }
    },
    async removeFolder(place, count) {
      if (!named(place, 'delete') || place.root !== 'workspace') return notNamed(place)
      if (workspace.kind === 'unavailable') return failed(workspace.reason)
      const result = await workspace.files.removeFolder(place.path, count, signal)
      return result.kind === 'ok' ? { kind: 'removed' } : failed(refusalText(place.path, result))
    },
  }
}

/** A call reads one file of the host; the permit names it by its real path. */
function isHostRead(resource: ApprovalSubject['resources'][number]): resource is FileResource {
  return resource.type === 'file' && resource.root === 'host' && resource.op === 'read'
}

function expectedOf({ content }: FileResource): Expected {
  return content === null ? 'absent' : { sha256: content }
}

function writtenOf({ previousBase64, previousSha256, previousMode, made }: FileChange): Written {
  if (previousSha256 === null) return { kind: 'written', before: { kind: 'nothing' }, made }
  if (previousBase64 === null) return { kind: 'written', before: { kind: 'too-large' }, made }
  const bytes = Buffer.from(previousBase64, 'base64')
  return { kind: 'written', before: { kind: 'bytes', bytes, mode: previousMode }, made }
}

function entryOf({ path, kind, size }: FileEntry): Entry {
  return { path, type: typeOf(kind), size }
}

function typeOf(kind: FileKind): Entry['type'] {
  if (kind === 'symlink') return 'link'
  return kind === 'absent' ? 'other' : kind
}

function notNamed({ path }: FoundPlace): Failure {
  return failed(`The permit does not name ${path}.`)
}

function changed({ path }: FoundPlace): Failure {
  return failed(`${path} has changed since it was looked at.`)
}
