/**
 * The capabilitieson files: the ones that the permit names, in the state that it names. What was opened is compared by
 * the path that the kernel gives for it.
 */
import { Buffer } from 'node:buffer'
import { type ApprovalSubject, changesTaker, type FileResource } from '@countersign/contract'
import type { DirectoryEntry, Failure, FileLocation, FileWrite, ToolCapabilities } from '@countersign/tools'
import type { HostFiles } from '../host-files.ts'
import { keptScope, locatePath, refusalText, type Workspace } from '../inspector.ts'
import type { ExpectedFile, FileChange, FileEntry, FileKind, FileResult } from '../sandbox/files.ts'
import type { HeldChanges } from '../sealed/held-changes.ts'
import type { KeptChanges } from '../sealed/kept-changes.ts'
import type { Uploads } from '../uploads.ts'
import { failure } from './failure.ts'

export interface FileParts {
  readonly root: string
  readonly workspace: Workspace
  readonly host: HostFiles
  readonly uploads: Uploads
  readonly kept: KeptChanges | undefined
  readonly held: HeldChanges | undefined
}

const mostEntries = 1000

export function fileCapabilities(
  subject: ApprovalSubject,
  { root, workspace, host, uploads, kept, held }: FileParts,
): ToolCapabilities['files'] {
  const named = (location: FileLocation, ...ops: FileResource['op'][]) =>
    subject.resources.find(
      (resource): resource is FileResource =>
        resource.type === 'file' &&
        resource.root === location.root &&
        ops.includes(resource.op) &&
        resource.path === location.path,
    )
  // File work is short, and a cancelled request would end the agent for every other call.
  const { signal } = new AbortController()
  return {
    locate: (path) => locatePath(path, root),
    async read(location, maxBytes) {
      if (location.root === 'host') {
        const resource = subject.resources.find(isHostRead)
        if (!resource) return notNamed(location)
        const found = await host.read(resource.path, maxBytes)
        if ('reason' in found) return failure(found.reason)
        return found.sha256 === resource.content
          ? { kind: 'read', bytes: found.bytes, size: found.size }
          : changed(location)
      }
      if (workspace.kind === 'unavailable') return failure(workspace.reason)
      const result = await workspace.files.read(location.path, maxBytes, signal)
      if (result.kind !== 'ok') return failure(refusalText(location.path, result))
      const { path, contentBase64, size, sha256 } = result.value
      const resource = named({ ...location, path }, 'read')
      if (!resource) return notNamed(location)
      return sha256 === resource.content
        ? { kind: 'read', bytes: Buffer.from(contentBase64, 'base64'), size }
        : changed(location)
    },
    async list(location, depth) {
      if (location.root !== 'workspace') return notNamed(location)
      if (workspace.kind === 'unavailable') return failure(workspace.reason)
      const result = await workspace.files.list(location.path, { depth, maxEntries: mostEntries }, signal)
      if (result.kind !== 'ok') return failure(refusalText(location.path, result))
      if (!named({ ...location, path: result.value.path }, 'list')) return notNamed(location)
      return { kind: 'listed', entries: result.value.entries.map(entryOf), truncated: result.value.truncated }
    },
    bound: (location) => named(location, 'read', 'list', 'write', 'delete'),
    async info(location) {
      if (location.root !== 'workspace') return notNamed(location)
      if (workspace.kind === 'unavailable') return failure(workspace.reason)
      const result = await workspace.files.stat(location.path, { hash: true }, signal)
      if (result.kind !== 'ok') return failure(refusalText(location.path, result))
      const { path, kind, size, mode, sha256, modifiedMs, createdMs } = result.value
      const resource = named({ ...location, path }, 'read', 'list')
      if (!resource) return notNamed(location)
      if ((kind !== 'file' && kind !== 'directory') || sha256 !== resource.content) return changed(location)
      const times = { modified: new Date(modifiedMs), created: new Date(createdMs) }
      return { kind: 'info', info: { type: kind, size, mode, sha256, ...times } }
    },
    async search(location, search) {
      if (location.root !== 'workspace') return notNamed(location)
      if (workspace.kind === 'unavailable') return failure(workspace.reason)
      const wish = { ...search, without: subject.hidden }
      const result = await workspace.files.search(location.path, wish, signal)
      if (result.kind !== 'ok') return failure(refusalText(location.path, result))
      if (!named({ ...location, path: result.value.path }, 'read')) return notNamed(location)
      const matches = result.value.matches.map(({ path, kind, line, text }) => {
        return { path, type: typeOf(kind), line, text }
      })
      // Found through a link, files bear other names than those that were passed over.
      const { path, passed } = result.value
      const hidden =
        path === location.path
          ? subject.hidden.map((each) => ({ path: each, there: passed.includes(each) }))
          : []
      return { kind: 'matches', matches, truncated: result.value.truncated, hidden }
    },
    async uploaded(sha256) {
      const bytes = await uploads.read(sha256)
      return 'reason' in bytes ? failure(bytes.reason) : { kind: 'uploaded', bytes }
    },
    dropUpload: uploads.drop,
    async write(location, bytes, { mode = null, folders = 0 } = {}) {
      const resource = named(location, bytes === null ? 'delete' : 'write')
      if (!resource || location.root !== 'workspace') return notNamed(location)
      if (workspace.kind === 'unavailable') return failure(workspace.reason)
      const { files } = workspace
      const expected = expectedOf(resource)
      const result: FileResult<FileChange> =
        bytes === null
          ? await files.remove(location.path, expected, signal, folders)
          : await files.write(location.path, bytes, expected, signal, mode)
      return result.kind === 'ok' ? writtenOf(result.value) : failure(refusalText(location.path, result))
    },
    async copy(from, to) {
      const source = named(from, 'read')
      const destination = named(to, 'write')
      if (!source || from.root !== 'workspace') return notNamed(from)
      if (!destination || to.root !== 'workspace') return notNamed(to)
      if (workspace.kind === 'unavailable') return failure(workspace.reason)
      const result = await workspace.files.copy(
        { path: from.path, expected: expectedOf(source) },
        { path: to.path, expected: expectedOf(destination) },
        signal,
      )
      if (result.kind !== 'ok') return failure(refusalText(`${from.path} or ${to.path}`, result))
      return { kind: 'copied', written: writtenOf(result.value), sha256: result.value.sha256 ?? '' }
    },
    async move(from, to) {
      const source = named(from, 'delete')
      if (!source || from.root !== 'workspace' || source.identity === 'absent') return notNamed(from)
      if (!named(to, 'write') || to.root !== 'workspace') return notNamed(to)
      if (workspace.kind === 'unavailable') return failure(workspace.reason)
      // A folder has no content of its own to compare, only an identity.
      const expected = source.content === null ? null : { sha256: source.content }
      const moved = { path: from.path, expected, identity: source.identity }
      const result = await workspace.files.move(moved, to.path, signal)
      return result.kind === 'ok'
        ? { kind: 'moved' }
        : failure(refusalText(`${from.path} or ${to.path}`, result))
    },
    async makeFolder(location) {
      if (!named(location, 'write') || location.root !== 'workspace') return notNamed(location)
      if (workspace.kind === 'unavailable') return failure(workspace.reason)
      const result = await workspace.files.makeFolder(location.path, signal)
      if (result.kind !== 'ok') return failure(refusalText(location.path, result))
      return { kind: 'made', made: result.value.made }
    },
    async restoreKept(name) {
      const paths = (await kept?.paths(name)) ?? []
      const unnamed = keptScope(paths).find((path) => !named({ root: 'workspace', path }, 'write'))
      if (unnamed !== undefined) return notNamed({ root: 'workspace', path: unnamed })
      if (!kept || paths.length === 0) return failure('What the program changed is not kept any more.')
      const { conflicts, id } = await kept.restore(name)
      const [first] = conflicts
      return first === undefined
        ? { kind: 'restored', kept: id }
        : changed({ root: 'workspace', path: first })
    },
    async takeHeld(wanted) {
      if (!held || subject.tool.name !== changesTaker) return failure('The permit names another tool.')
      const reply = await held.take(wanted, subject.run)
      if ('refused' in reply) return failure(reply.refused)
      const [first] = reply.conflicts
      return first === undefined
        ? { kind: 'taken', kept: reply.id }
        : changed({ root: 'workspace', path: first })
    },
    async removeFolder(location, count) {
      if (!named(location, 'delete') || location.root !== 'workspace') return notNamed(location)
      if (workspace.kind === 'unavailable') return failure(workspace.reason)
      const result = await workspace.files.removeFolder(location.path, count, signal)
      return result.kind === 'ok' ? { kind: 'removed' } : failure(refusalText(location.path, result))
    },
  }
}

/** A call reads one file of the host; the permit names it by its real path. */
function isHostRead(resource: ApprovalSubject['resources'][number]): resource is FileResource {
  return resource.type === 'file' && resource.root === 'host' && resource.op === 'read'
}

function expectedOf({ content }: FileResource): ExpectedFile {
  return content === null ? 'absent' : { sha256: content }
}

function writtenOf({ previousBase64, previousSha256, previousMode, made }: FileChange): FileWrite {
  if (previousSha256 === null) return { kind: 'written', before: { kind: 'nothing' }, made }
  if (previousBase64 === null) return { kind: 'written', before: { kind: 'too-large' }, made }
  const bytes = Buffer.from(previousBase64, 'base64')
  return { kind: 'written', before: { kind: 'bytes', bytes, mode: previousMode }, made }
}

function entryOf({ path, kind, size }: FileEntry): DirectoryEntry {
  return { path, type: typeOf(kind), size }
}

function typeOf(kind: FileKind): DirectoryEntry['type'] {
  if (kind === 'symlink') return 'link'
  return kind === 'absent' ? 'other' : kind
}

function notNamed({ path }: FileLocation): Failure {
  return failure(`The permit does not name ${path}.`)
}

function changed({ path }: FileLocation): Failure {
  return failure(`${path} has changed since it was looked at.`)
}
