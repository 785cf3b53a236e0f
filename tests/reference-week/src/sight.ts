/**
 * Owns what a tool sees of a world that is only written: paths, addresses, programs and files of the host. The same
 * call is always seen the same, and nothing is random.
 */
import { posix } from 'node:path'
import { type Effect, type JsonObject, noExtensions, type UrlResource } from '@countersign/contract'
import { sha256Hex } from '@countersign/contract/node'
import {
  credentialAt,
  type EffectsResult,
  type Inspector,
  parseArgs,
  type ResolvedPath,
  type ToolDefinition,
  type UrlInspection,
} from '@countersign/tools'
import type { RecordToolRunner } from '@countersign/tools/testing'

/** What the tool's own definition finds; undefined for one that only carries another call. */
export async function lookBy(
  definition: ToolDefinition,
  args: JsonObject,
  inspector: Inspector,
  runner: RecordToolRunner,
): Promise<EffectsResult | undefined> {
  const parsed = parseArgs(definition, args)
  if (parsed.kind === 'invalid')
    return { kind: 'invalid', reason: `Arguments: ${parsed.problems.join('; ')}` }
  switch (definition.runs) {
    case 'executor':
      return definition.effects(parsed.args, inspector)
    case 'gateway':
      return runner.resolve(definition, args)
    case 'operator':
      return { kind: 'found', resources: [], effects: [asking] }
    case 'unwrapped':
      return undefined
  }
}

const asking: Effect = {
  verb: 'ask',
  object: 'the operator',
  scope: 'inside',
  reversible: true,
  outward: false,
  leaves: [],
}

/** All that does not depend on the files of a workspace. */
export function sightFrom(workspace: string): Omit<Inspector, 'file' | 'text'> {
  return {
    environment: sha256Hex('environment'),
    held: () => Promise.resolve({ kind: 'refused', reason: 'Nothing is held here.' }),
    view: true,
    codingAgents: () => [],
    extensions: () => noExtensions,
    codingAgent: () => Promise.resolve(undefined),
    locate: (path) => locatePath(path, workspace),
    hostFile: (path) =>
      Promise.resolve({
        kind: 'host',
        path,
        identity: { device: '1', inode: '1' },
        content: sha256Hex(path),
        credential: credentialAt(path, posix.dirname(workspace)),
      }),
    program(name) {
      const path = name.startsWith('/') ? name : `/usr/bin/${name}`
      return Promise.resolve({ path, content: sha256Hex(path) })
    },
    url: seeUrl,
    mailServer: ({ host, port }, method) => seeUrl(`https://${host}:${port}/`, method),
    kept: () => Promise.resolve({ kind: 'refused', reason: 'Nothing is kept here.' }),
  }
}

export function identityOf(path: string): { device: string; inode: string } {
  return { device: '1', inode: String(Number.parseInt(sha256Hex(path).slice(0, 8), 16)) }
}

/** What git keeps of itself on its branch main. */
export const gitHead = 'ref: refs/heads/main\n'
export const gitConfig = '[core]\n\trepositoryformatversion = 0\n'

function locatePath(path: string, root: string): ResolvedPath {
  const home = posix.dirname(root)
  const written = path === '~' || path.startsWith('~/') ? posix.join(home, path.slice(1)) : path
  const inside = posix.isAbsolute(written) ? posix.relative(root, written) : posix.normalize(written)
  const leaves = inside === '..' || inside.startsWith('../')
  if (!posix.isAbsolute(written) && leaves)
    return { root: 'nowhere', reason: `${path} leads out of the workspace.` }
  if (leaves) return { root: 'host', path: posix.normalize(written) }
  return { root: 'workspace', path: inside.replace(/\/$/, '') || '.' }
}

function seeUrl(text: string, method: string): UrlInspection {
  const url = URL.parse(text)
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    return { kind: 'refused', reason: 'The address is refused: not http or https.' }
  if (url.username !== '' || url.password !== '')
    return { kind: 'refused', reason: 'The address is refused: it holds a name or a password.' }
  const scheme = url.protocol === 'https:' ? 'https' : 'http'
  const addressClass = classOf(url.hostname)
  if (addressClass !== 'name' && addressClass !== 'public')
    return { kind: 'refused', reason: `${url.hostname} is a ${addressClass} address.` }
  const port = url.port === '' ? (scheme === 'https' ? 443 : 80) : Number(url.port)
  if (port !== 80 && port !== 443) return { kind: 'refused', reason: `Port ${port} is closed.` }
  return {
    kind: 'url',
    resource: {
      type: 'url',
      scheme,
      host: url.hostname,
      port,
      method,
      addressClass,
      redirects: 'refused',
      carries: 'address',
    },
  }
}

function classOf(host: string): UrlResource['addressClass'] {
  if (host === 'localhost' || host.startsWith('127.') || host === '[::1]') return 'loopback'
  if (!/^[\d.]+$/.test(host)) return 'name'
  if (host.startsWith('169.254.')) return 'link-local'
  return /^(10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.)/.test(host) ? 'private' : 'public'
}
