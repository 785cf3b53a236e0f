/** How the executor inspects the world for a tool: the workspace through the sandbox, the host with its own eyes. */
import { Buffer } from 'node:buffer'
import { userInfo } from 'node:os'
import { isAbsolute, join, posix, relative, sep } from 'node:path'
import {
  type FileResource,
  type MailServer,
  mailScheme,
  noExtensions,
  type UrlResource,
} from '@countersign/contract'
import type {
  FileInspection,
  FileLocation,
  Inspector,
  KeptInspection,
  ResolvedPath,
  TextInspection,
  UrlInspection,
} from '@countersign/tools'
import type { AgentPrograms } from './coding-agents/agent-programs.ts'
import { environmentHash } from './confinement.ts'
import type { AddressPolicy } from './egress/egress.ts'
import { describeTarget, type Target } from './egress/target.ts'
import type { Extensions } from './extensions/extensions.ts'
import type { HostFiles } from './host-files.ts'
import type { Programs } from './programs.ts'
import type { FileAgent, FileRefusal, FileResult } from './sandbox/files.ts'
import type { HeldChanges } from './sealed/held-changes.ts'
import type { KeptChanges } from './sealed/kept-changes.ts'
import { gathered } from './workspace-changes.ts'

/** What stands in place of the file agent where there is no sandbox. */
export type Workspace =
  | { readonly kind: 'available'; readonly files: FileAgent }
  | { readonly kind: 'unavailable'; readonly reason: string; readonly fix: string }

export interface InspectorParts {
  /** The real path of the workspace. */
  readonly root: string
  readonly workspace: Workspace
  readonly host: HostFiles
  readonly programs: Programs
  readonly egress: AddressPolicy
  readonly kept?: KeptChanges | undefined
  /** There where programs run over a view. */
  readonly held?: HeldChanges | undefined
  readonly agents?: AgentPrograms
  readonly extensions?: Pick<Extensions, 'current'>
}

export function createInspector(parts: InspectorParts): Inspector {
  return {
    locate: (path) => locatePath(path, parts.root),
    file: (location) => seeInside(location, parts.workspace),
    hostFile: (path) => parts.host.inspect(path),
    text: (location, maxBytes) => seeText(location, maxBytes, parts.workspace),
    program: (name) => parts.programs.find(name),
    codingAgents: () => parts.agents?.names() ?? [],
    codingAgent: async (name) => parts.agents?.find(name),
    extensions: () => parts.extensions?.current() ?? noExtensions,
    url: (url, method) => seeUrl(url, method, parts.egress),
    mailServer: (server, protocol) => seeMailServer(server, protocol, parts.egress),
    kept: (name) => seeKept(name, parts.kept),
    held: async (name) =>
      parts.held ? parts.held.look(name) : { kind: 'refused', reason: 'Nothing is held here.' },
    view: parts.held !== undefined,
    environment: environmentHash,
  }
}

export function locatePath(path: string, root: string): ResolvedPath {
  const written = path === '~' || path.startsWith('~/') ? join(userInfo().homedir, path.slice(1)) : path
  const inside = isAbsolute(written) ? relative(root, written) : posix.normalize(written)
  const leaves = inside === '..' || inside.startsWith(`..${sep}`)
  if (!isAbsolute(written) && leaves)
    return { root: 'nowhere', reason: `${path} leads out of the workspace.` }
  if (leaves) return { root: 'host', path: posix.normalize(written) }
  return { root: 'workspace', path: inside.replace(/\/$/, '') || '.' }
}

/** What the file agent says, in words for a model. */
export function refusalText(path: string, result: Exclude<FileResult<unknown>, { kind: 'ok' }>): string {
  switch (result.kind) {
    case 'refused':
      return `${path} ${refusals[result.reason]}.`
    case 'failed':
      return `${path}: ${result.message}`
    case 'timeout':
      return `${path} took too long.`
    case 'cancelled':
      return 'Cancelled.'
  }
}

const refusals: Record<FileRefusal, string> = {
  'bad-path': 'is not a path inside the workspace',
  'outside-workspace': 'leads out of the workspace',
  symlink: 'is a symbolic link, or lies behind one',
  'not-a-file': 'is not a file',
  'not-a-directory': 'lies below something that is not a folder',
  absent: 'does not exist',
  changed: 'has changed since it was looked at',
  exists: 'exists already',
  'not-empty': 'is not empty',
  'too-large': 'is too large',
}

async function seeInside({ root, path }: FileLocation, workspace: Workspace): Promise<FileInspection> {
  if (root !== 'workspace') return { kind: 'refused', reason: `${path} is outside the workspace.` }
  if (workspace.kind === 'unavailable') return workspace
  const { signal } = new AbortController()
  const result = await workspace.files.stat(path, { hash: true }, signal)
  if (result.kind !== 'ok') return { kind: 'refused', reason: refusalText(path, result) }
  const { kind, device, inode, sha256, size, path: real, besideHead, repository } = result.value
  const where = { path: real, besideHead, repository }
  const identity = { device: String(device), inode: String(inode) }
  if (kind === 'file' && sha256 !== null) return { kind, ...where, identity, content: sha256, size }
  if (kind === 'directory') return { kind, ...where, identity }
  if (kind === 'absent') return { kind, ...where }
  return { kind: 'refused', reason: `${path} is ${kind === 'symlink' ? 'a symbolic link' : 'not a file'}.` }
}

async function seeText(
  { root, path }: FileLocation,
  maxBytes: number,
  workspace: Workspace,
): Promise<TextInspection> {
  if (root !== 'workspace') return { kind: 'refused', reason: `${path} is outside the workspace.` }
  if (workspace.kind === 'unavailable') return workspace
  const result = await workspace.files.read(path, maxBytes, new AbortController().signal)
  if (result.kind !== 'ok') return { kind: 'refused', reason: refusalText(path, result) }
  const { contentBase64, sha256, truncated } = result.value
  return {
    kind: 'text',
    text: Buffer.from(contentBase64, 'base64').toString('utf8'),
    content: sha256,
    truncated,
  }
}

/** More are told by the folders that hold them. */
const mostKeptResources = 256

export function keptScope(paths: readonly string[]): string[] {
  return gathered(paths, mostKeptResources).toSorted()
}

async function seeKept(name: string, kept: KeptChanges | undefined): Promise<KeptInspection> {
  const paths = await kept?.paths(name)
  if (kept === undefined || paths === undefined)
    return { kind: 'refused', reason: 'What the program changed is not kept any more.' }
  const scope = keptScope(paths)
  const { conflicts, states } = await kept.look(name, scope)
  if (conflicts.length > 0) {
    const reason = `${conflicts.slice(0, 5).join(', ')} has changed since; putting it back would lose that change.`
    return { kind: 'refused', reason }
  }
  const resources = scope.map((path, index): FileResource => {
    const { identity, content } = states[index] ?? { identity: 'absent', content: null }
    return { type: 'file', root: 'workspace', path, op: 'write', identity, content }
  })
  return { kind: 'kept', paths, resources }
}

function seeUrl(url: string, method: string, policy: AddressPolicy): UrlInspection {
  const target = describeTarget(url)
  if (target.kind === 'refused')
    return { kind: 'refused', reason: `The address is refused: ${target.reason}.` }
  const { scheme, asciiHost: host, port } = target
  const opened = policy.allowPrivate.some((location) => location.host === host && location.port === port)
  // A name of the operator's own network that could be one of the public web is told apart; another port tells by itself.
  const isLikePublic = classOf(target) === 'name' && (port === 80 || port === 443)
  const addressClass = opened && isLikePublic ? 'private' : classOf(target)
  if (!opened && addressClass !== 'name' && addressClass !== 'public') {
    return { kind: 'refused', reason: `${host} is a ${addressClass} address.` }
  }
  if (!opened && port !== 80 && port !== 443 && !policy.ports.includes(port)) {
    return { kind: 'refused', reason: `Port ${port} is closed.` }
  }
  return {
    kind: 'url',
    resource: {
      type: 'url',
      scheme,
      host,
      port,
      method,
      addressClass,
      redirects: 'refused',
      carries: 'address',
    },
  }
}

/** Where mail servers listen; a place that the operator opened may have any. */
const mailPorts = { IMAP: [143, 993], SMTP: [465, 587] } as const

function seeMailServer(
  { host, port, security }: MailServer,
  protocol: 'IMAP' | 'SMTP',
  policy: AddressPolicy,
): UrlInspection {
  const name = host.includes(':') ? `[${host}]` : host
  const ports = [...policy.ports, ...mailPorts[protocol]]
  const seen = seeUrl(`${mailScheme(security)}://${name}:${port}/`, protocol, { ...policy, ports })
  if (seen.kind === 'refused')
    return {
      kind: 'refused',
      reason: `${seen.reason} Name it under localTargets in the configuration, if it is yours.`,
    }
  return { kind: 'url', resource: { ...seen.resource, carries: 'more' } }
}

function classOf({ ipClass }: Target): UrlResource['addressClass'] {
  switch (ipClass) {
    case undefined:
      return 'name'
    case 'public':
    case 'private':
    case 'loopback':
    case 'link-local':
      return ipClass
    default:
      return 'other'
  }
}
