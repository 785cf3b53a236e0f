/**
 * Owns what a standing grant covers: one tool and its exact targets, or a place that holds them. Never an executable,
 * a shell or the end of a domain name; of the network only plain looks, and of the computer outside the workspace only
 * single paths. A folder never stands for what is deleted, run or obeyed by its name.
 */
import {
  canonicalText,
  type Effect,
  type FileResource,
  isLook,
  type Resource,
  type UrlResource,
} from '@countersign/contract'
import { isPlainSource } from '../plain-document.ts'

export type GrantCover =
  | { readonly type: 'call'; readonly hash: string }
  | { readonly type: 'file'; readonly path: string; readonly op: FileResource['op'] }
  | {
      readonly type: 'url'
      readonly scheme: string
      readonly host: string
      readonly port: number
      readonly method: string
    }
  /** Everything in the folder and below; what is written, in files that are shown as they are. */
  | { readonly type: 'folder'; readonly path: string; readonly op: FolderOp }
  | { readonly type: 'host'; readonly scheme: string; readonly host: string; readonly port: number }
  /** Whatever this tool touches in the workspace and looks at on the network, below the tier that needs a device's seal. */
  | { readonly type: 'tool' }

/** To create makes only what is not there; to change does both. */
export type FolderOp = 'read' | 'list' | 'create' | 'change'

/** From the narrowest to the broadest: this exact call, its targets, the place of its targets, the whole tool. */
export const stops = ['call', 'target', 'place', 'tool'] as const
export type Stop = (typeof stops)[number]
/** The broadest that can hold after untrusted content was read. */
export const widestUntrusted: Stop = 'place'

export interface CoveredCall {
  readonly tool: string
  readonly argsHash: string
  readonly resources: readonly Resource[]
  readonly effects: readonly Effect[]
}

/** What a grant of this call names at that stop, or null when the call has no target that a grant could name. */
export function coversAt(stop: Stop, call: CoveredCall): GrantCover[] | null {
  const targets = targetsOf(call.resources)
  if (!targets) return null
  if (stop === 'call') return [{ type: 'call', hash: call.argsHash }]
  if (executes(call) || (reachesOthers(call) && stop !== 'target')) return null
  switch (stop) {
    case 'target':
      return distinct(targets.map(coverOf))
    case 'place':
      return placesOf(targets)
    case 'tool':
      return targets.some(isOutside) ? null : [{ type: 'tool' }]
  }
}

/** Whether every target of the call lies inside. The caller has compared the tool. */
export function isCovered(covers: readonly GrantCover[], call: CoveredCall): boolean {
  if (covers.some((cover) => cover.type === 'call' && cover.hash === call.argsHash)) return true
  const targets = executes(call) ? null : targetsOf(call.resources)
  const able = reachesOthers(call) ? covers.filter(isExact) : covers
  return targets?.every((target) => able.some((cover) => contains(cover, target))) ?? false
}

type Target =
  | { readonly type: 'file'; readonly path: string; readonly op: FileResource['op']; readonly isNew: boolean }
  | Extract<GrantCover, { type: 'url' }>

/** The targets of a call, or null when it touches something that can never be granted. */
function targetsOf(resources: readonly Resource[]): Target[] | null {
  const targets: Target[] = []
  for (const resource of resources) {
    if (resource.type === 'file') {
      const { root, path, op, identity } = resource
      targets.push({ type: 'file', path: `${root}:${path}`, op, isNew: identity === 'absent' })
    } else if (resource.type === 'url' && isPlainLook(resource)) {
      const { scheme, host, port, method } = resource
      targets.push({ type: 'url', scheme, host, port, method })
    } else return null
  }
  return targets.length > 0 ? targets : null
}

/**
 * What programs of this computer run, and what is opened to its other users, is granted by its own path or to the byte,
 * never by a folder or for a whole tool.
 */
function reachesOthers({ effects }: CoveredCall): boolean {
  return effects.some(({ scope }) => scope === 'host-run' || scope === 'opened')
}

function executes({ effects }: CoveredCall): boolean {
  return effects.some(({ verb }) => verb === 'execute')
}

function isExact({ type }: GrantCover): boolean {
  return type === 'file' || type === 'url'
}

/** Nothing goes along but the address. Words in headers or a body are not what was approved the first time. */
function isPlainLook({ method, carries }: UrlResource): boolean {
  return carries === 'address' && (method === 'GET' || method === 'HEAD')
}

function coverOf(target: Target): GrantCover {
  if (target.type === 'url') return target
  const { type, path, op } = target
  return { type, path, op }
}

function placesOf(targets: readonly Target[]): GrantCover[] | null {
  const places = targets.map(placeOf)
  return places.every((place) => place !== null) ? distinct(places) : null
}

function placeOf(target: Target): GrantCover | null {
  if (target.type === 'url') {
    const { scheme, host, port } = target
    return { type: 'host', scheme, host, port }
  }
  const op = folderOpOf(target)
  if (isOutside(target) || op === null) return null
  return { type: 'folder', path: folderOf(target.path), op }
}

function folderOpOf({ op, path, isNew }: Extract<Target, { type: 'file' }>): FolderOp | null {
  if (isLook(op)) return op
  if (op === 'delete' || !isPlainSource({ path: bare(path), text: null })) return null
  return isNew ? 'create' : 'change'
}

function isOutside(target: Target): boolean {
  return target.type === 'file' && target.path.startsWith('host:')
}

function contains(cover: GrantCover, target: Target): boolean {
  if (isOutside(target) && cover.type !== 'file') return false
  switch (cover.type) {
    case 'call':
      return false
    case 'tool':
      return true
    case 'folder': {
      if (target.type !== 'file' || !isBelow(target.path, cover.path)) return false
      const op = folderOpOf(target)
      return op === cover.op || (op === 'create' && cover.op === 'change')
    }
    case 'host':
      return (
        target.type === 'url' &&
        target.scheme === cover.scheme &&
        target.host === cover.host &&
        target.port === cover.port
      )
    default:
      return canonicalText({ ...cover }) === canonicalText({ ...coverOf(target) })
  }
}

/** The root of a tree is `root:`, and everything in it lies below. A step upwards is nobody's place. */
function isBelow(path: string, folder: string): boolean {
  if (bare(path).split('/').includes('..')) return false
  return path === folder || path.startsWith(folder.endsWith(':') ? folder : `${folder}/`)
}

function folderOf(path: string): string {
  const slash = path.lastIndexOf('/')
  return slash === -1 ? path.slice(0, path.indexOf(':') + 1) : path.slice(0, slash)
}

const bare = (path: string) => path.slice(path.indexOf(':') + 1)

function distinct(covers: readonly GrantCover[]): GrantCover[] {
  return [...new Map(covers.map((cover) => [canonicalText({ ...cover }), cover])).values()]
}
