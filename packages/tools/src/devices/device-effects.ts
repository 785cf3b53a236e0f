/** Owns how the tools of nodes name what they touch there: the node as it says itself that it is, and the thing. */
import type { Effect, Label, NodeCapability, NodeResource } from '@countersign/contract'
import type { EffectsResult } from '../definition.ts'
import type { FileInspection, Inspector } from '../inspector.ts'
import { nameText } from '../text.ts'
import type { NodeIdentity, NodeInspector, NodeRefusal } from './node-inspector.ts'

/** As long as a name of a node may be. */
export const nodeInput = { node: nameText(60).describe('Name of the computer') }

/** Nobody vouches for what is on another computer, and it is the operator's own. */
export const nodeOutput: Label = {
  integrity: 'untrusted',
  confidentiality: 'private',
  sources: ['another computer'],
}

export type NotFound = Exclude<EffectsResult, { kind: 'found' }>
export type TouchedThing = Pick<NodeResource, 'capability' | 'op' | 'object' | 'content'>

/** What is touched, or why it is not. The owner's own policy there is asked about the thing as it really is. */
export async function foundOnNode(
  { node }: { readonly node: string },
  inspect: NodeInspector,
  thing: TouchedThing,
  effect: Pick<Effect, 'verb' | 'object' | 'reversible'> & Partial<Effect>,
): Promise<EffectsResult> {
  const identity = await readyNode(node, thing.capability, inspect)
  if ('kind' in identity) return identity
  const refusal = await inspect.refusalOf(thing)
  if (refusal) return unavailable(refusal)
  return {
    kind: 'found',
    resources: [{ type: 'node', ...identity, ...thing }],
    effects: [
      {
        scope: 'boundary',
        outward: false,
        leaves: [],
        ...effect,
        object: `${effect.object} on ${identity.name}`,
      },
    ],
  }
}

/** Before any look at what is there. */
export async function readyNode(
  node: string,
  capability: NodeCapability,
  inspect: NodeInspector,
): Promise<NodeIdentity | NotFound> {
  const identity = await inspect.identity()
  if ('reason' in identity) return unavailable(identity)
  if (identity.name !== node) return { kind: 'invalid', reason: `This is ${identity.name} and not ${node}.` }
  const refusal = await inspect.refusal(capability)
  return refusal ? unavailable(refusal) : identity
}

export interface SeenOnNode {
  readonly kind: 'seen'
  /** As the kernel there gives it, with every link followed. */
  readonly path: string
  readonly inspection: Extract<FileInspection, { kind: 'absent' | 'file' | 'directory' }>
}

/** Looks at a path of the shared folder, once the node may be asked for files at all. */
export async function seeOnNode(
  wish: { readonly node: string; readonly path: string; readonly links: 'followed' | 'refused' },
  inspect: NodeInspector,
): Promise<SeenOnNode | NotFound> {
  const ready = await readyNode(wish.node, 'files', inspect)
  if ('kind' in ready) return ready
  return seeInFolder(wish, inspect.folder)
}

export async function seeInFolder(
  { path, links }: { readonly path: string; readonly links: 'followed' | 'refused' },
  folder: Pick<Inspector, 'locate' | 'file'>,
): Promise<SeenOnNode | NotFound> {
  const location = folder.locate(path)
  if (location.root !== 'workspace')
    return { kind: 'invalid', reason: `${path} is outside the folder that the computer shares.` }
  const inspection = await folder.file(location)
  if (inspection.kind === 'refused') return { kind: 'invalid', reason: inspection.reason }
  if (inspection.kind === 'unavailable') return inspection
  if (links === 'refused' && inspection.path !== location.path) {
    const reason = `${path} leads through a symbolic link. It really is ${inspection.path}: use that.`
    return { kind: 'invalid', reason }
  }
  return { kind: 'seen', path: inspection.path, inspection }
}

function unavailable({ reason, fix }: NodeRefusal): NotFound {
  return { kind: 'unavailable', reason, fix }
}
