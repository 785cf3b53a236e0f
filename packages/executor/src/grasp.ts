/**
 * Owns the hands that a tool is given for one permit. They reach the files that the permit names, in the state that
 * it names, the one place on the network, and the sandbox if the permit runs a program.
 */
import { Buffer } from 'node:buffer'
import type { ApprovalSubject, FileResource } from '@countersign/contract'
import type { Failure, FoundPlace, Hands } from '@countersign/tools'
import { sandboxEnvironment, shellLimits } from './confinement.ts'
import type { Egress } from './egress/egress.ts'
import { describeTarget } from './egress/target.ts'
import type { HostFiles } from './host-files.ts'
import { placeOf, refusalText, type Workspace } from './look.ts'
import type { FileChange, FileEntry, FileResult } from './sandbox/files.ts'
import type { Sandbox } from './sandbox/port.ts'

export interface GraspParts {
  readonly root: string
  readonly workspace: Workspace
  readonly sandbox: Sandbox | undefined
  readonly host: HostFiles
  readonly egress: Egress
}

export function handsFor(subject: ApprovalSubject, parts: GraspParts): Hands {
  return {
    files: fileHands(subject, parts),
    shell: shellHands(subject, parts),
    web: webHands(subject, parts),
  }
}

const mostEntries = 1000
/** The text that a tool gives is cut long before this; the client refuses what is larger. */
const largestAnswer = 4 * 1024 * 1024

function fileHands(subject: ApprovalSubject, { root, workspace, host }: GraspParts): Hands['files'] {
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

function shellHands(subject: ApprovalSubject, { sandbox }: GraspParts): Hands['shell'] {
  return {
    async run({ argv, cwd, timeoutMs, signal }) {
      if (!sandbox) return failed('There is no sandbox.')
      const bound = subject.resources.some(
        (resource) =>
          resource.type === 'exec' &&
          resource.cwd === cwd &&
          resource.argv.slice(1).join('\0') === argv.slice(1).join('\0'),
      )
      if (!bound) return failed('The permit names another command.')
      try {
        const result = await sandbox.run(
          { ...shellLimits, argv, cwd, env: sandboxEnvironment, timeoutMs },
          signal,
        )
        const { stdout, stderr } = result
        if (result.kind !== 'exited') {
          return { kind: 'ran', end: { kind: 'killed', why: result.kind }, stdout, stderr, truncated: false }
        }
        const code = result.code ?? 137
        return { kind: 'ran', end: { kind: 'exited', code }, stdout, stderr, truncated: result.truncated }
      } catch (error) {
        return failed(error instanceof Error ? error.message : String(error))
      }
    },
  }
}

function webHands(subject: ApprovalSubject, { egress }: GraspParts): Hands['web'] {
  return {
    async request({ url, method, headers, body, maxBytes, timeoutMs, signal }) {
      const target = describeTarget(url)
      const bound = subject.resources.some(
        (resource) =>
          resource.type === 'url' &&
          target.kind === 'target' &&
          resource.scheme === target.scheme &&
          resource.host === target.asciiHost &&
          resource.port === target.port &&
          resource.method === method,
      )
      if (!bound) return failed('The permit names another address.')
      const result = await egress.request(
        {
          method,
          url,
          headers,
          body: body === '' ? null : body,
          maxBytes: largestAnswer,
          timeoutMs,
          maxRedirects: 0,
        },
        signal,
      )
      switch (result.kind) {
        case 'response': {
          const answer = Object.entries(result.headers).map(
            ([name, value]) => [name, [value].flat().join(', ')] as const,
          )
          const bytes = result.body.subarray(0, maxBytes)
          const truncated = bytes.length < result.body.length
          return { kind: 'response', status: result.status, headers: answer, body: bytes, truncated }
        }
        case 'refused':
          return failed(
            `Refused, nothing was sent: ${[result.reason, result.detail].filter(Boolean).join(', ')}.`,
          )
        case 'failed':
          return failed(`${result.message} ${sentText(result.sent)}`)
        default:
          return failed(
            `${result.kind === 'timeout' ? 'No answer in time.' : 'Cancelled.'} ${sentText(result.sent)}`,
          )
      }
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

function sentText(sent: boolean): string {
  return sent ? 'The other side may have received the request.' : 'Nothing was sent.'
}

function failed(reason: string): Failure {
  return { kind: 'failed', reason }
}

function notNamed({ path }: FoundPlace): Failure {
  return failed(`The permit does not name ${path}.`)
}

function changed({ path }: FoundPlace): Failure {
  return failed(`${path} has changed since it was looked at.`)
}
