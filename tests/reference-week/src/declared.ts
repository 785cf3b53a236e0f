/** Owns what a tool that the product does not carry yet would say of a call: its declared effects, with the arguments put in. */
import type { Effect, JsonObject, Resource } from '@countersign/contract'
import { sha256Hex } from '@countersign/contract/node'
import type { DeclaredTool } from './call.ts'

export interface DeclaredFound {
  readonly kind: 'found'
  readonly effects: readonly Effect[]
  readonly resources: readonly Resource[]
}

export function declaredFound(tool: DeclaredTool, args: JsonObject): DeclaredFound {
  const fill = (text: string) =>
    text.replaceAll(/\$([a-z]+)/g, (_, name: string) => {
      const value = args[name]
      const words = Array.isArray(value) ? value : [value]
      return words.map((word) => (typeof word === 'string' ? word : JSON.stringify(word))).join(', ')
    })
  return {
    kind: 'found',
    effects: tool.effects.map((effect) => ({ ...effect, object: fill(effect.object) })),
    resources: resourcesOf(tool.target, fill),
  }
}

function resourcesOf(target: DeclaredTool['target'], fill: (text: string) => string): Resource[] {
  switch (target.type) {
    case 'none':
      return []
    case 'record': {
      const { collection, op } = target
      return [{ type: 'record', collection, id: fill(target.id), op, version: null }]
    }
    case 'peer':
      return [{ type: 'peer', channel: target.channel, account: target.account, peer: fill(target.peer) }]
    case 'file': {
      const path = fill(target.path)
      const isRead = target.op === 'read'
      const content = isRead ? sha256Hex(path) : null
      return [{ type: 'file', root: 'workspace', path, op: target.op, identity: 'absent', content }]
    }
  }
}
