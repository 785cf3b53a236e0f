/**
 * Owns what a standing grant covers: one tool and its exact targets, or a place that holds them. Never an executable,
 * a shell or the end of a domain name; of the network only plain looks, and of the computer outside the workspace only
 * single paths.
 */
import { canonicalText, type Resource, type UrlResource } from '@countersign/contract'

export type GrantCover =
  | { readonly type: 'call'; readonly hash: string }
  | { readonly type: 'file'; readonly path: string; readonly op: string }
  | {
      readonly type: 'url'
      readonly scheme: string
      readonly host: string
      readonly port: number
      readonly method: string
    }
  /** Everything in the folder and below. */
  | { readonly type: 'folder'; readonly path: string; readonly op: string }
  | { readonly type: 'host'; readonly scheme: string; readonly host: string; readonly port: number }
  /** Whatever this tool touches in the workspace and looks at on the network, below the tier that needs a device's seal. */
  | { readonly type: 'tool' }

/** From the narrowest to the broadest: this exact call, its targets, the place of its targets, the whole tool. */
export const stops = ['call', 'target', 'place', 'tool'] as const
export type Stop = (typeof stops)[number]

export interface CoveredCall {
  readonly tool: string
  readonly argsHash: string
  readonly resources: readonly Resource[]
}

/** What a grant of this call names at that stop, or null when the call has no target that a grant could name. */
export function coversAt(stop: Stop, call: CoveredCall): GrantCover[] | null {
  const targets = targetsOf(call.resources)
  if (!targets) return null
  switch (stop) {
    case 'call':
      return [{ type: 'call', hash: call.argsHash }]
    case 'target':
      return targets
    case 'place':
      return targets.some(isOutside) ? null : distinct(targets.map(placeOf))
    case 'tool':
      return targets.some(isOutside) ? null : [{ type: 'tool' }]
  }
}

/** Whether every target of the call lies inside. The caller has compared the tool. */
export function isCovered(covers: readonly GrantCover[], call: CoveredCall): boolean {
  if (covers.some((cover) => cover.type === 'call' && cover.hash === call.argsHash)) return true
  const targets = targetsOf(call.resources)
  return targets?.every((target) => covers.some((cover) => contains(cover, target))) ?? false
}

/** The targets of a call, or null when it touches something that can never be granted. */
function targetsOf(resources: readonly Resource[]): GrantCover[] | null {
  const targets: GrantCover[] = []
  for (const resource of resources) {
    if (resource.type === 'file') {
      const { root, path, op } = resource
      targets.push({ type: 'file', path: `${root}:${path}`, op })
    } else if (resource.type === 'url' && isPlainLook(resource)) {
      const { scheme, host, port, method } = resource
      targets.push({ type: 'url', scheme, host, port, method })
    } else return null
  }
  return targets.length > 0 ? targets : null
}

/** Nothing goes along but the address. Words in headers or a body are not what was approved the first time. */
function isPlainLook({ method, carries }: UrlResource): boolean {
  return carries === 'address' && (method === 'GET' || method === 'HEAD')
}

function placeOf(target: GrantCover): GrantCover {
  if (target.type === 'file') return { type: 'folder', path: folderOf(target.path), op: target.op }
  if (target.type === 'url')
    return { type: 'host', scheme: target.scheme, host: target.host, port: target.port }
  return target
}

function isOutside(target: GrantCover): boolean {
  return target.type === 'file' && target.path.startsWith('host:')
}

function contains(cover: GrantCover, target: GrantCover): boolean {
  if (isOutside(target) && cover.type !== 'file') return false
  if (cover.type === 'tool') return true
  if (cover.type === 'folder')
    return target.type === 'file' && target.op === cover.op && isBelow(target.path, cover.path)
  if (cover.type === 'host')
    return (
      target.type === 'url' &&
      target.scheme === cover.scheme &&
      target.host === cover.host &&
      target.port === cover.port
    )
  return canonicalText({ ...cover }) === canonicalText({ ...target })
}

/** The root of a tree is `root:`, and everything in it lies below. */
function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(':') ? folder : `${folder}/`)
}

function folderOf(path: string): string {
  const slash = path.lastIndexOf('/')
  return slash === -1 ? path.slice(0, path.indexOf(':') + 1) : path.slice(0, slash)
}

function distinct(covers: readonly GrantCover[]): GrantCover[] {
  return [...new Map(covers.map((cover) => [canonicalText({ ...cover }), cover])).values()]
}
