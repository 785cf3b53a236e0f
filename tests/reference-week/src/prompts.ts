/** Owns what counts as one prompt: a card, or a row of cards that are alike and wait together. */
import type { Resource } from '@countersign/contract'
import { askedPart, type JudgedCall } from './call.ts'
import type { Judgement } from './judge.ts'

export interface AskedCall {
  readonly call: JudgedCall
  readonly judgement: Judgement
}

/** Cards of one turn with the same tool, rules, tier and destination are one row. A T4 card always stands alone. */
export function promptsOf(asked: readonly AskedCall[]): readonly (readonly AskedCall[])[] {
  const rows = Map.groupBy(asked, ({ call, judgement: { tier, rules } }) => {
    const row = [call.run, call.turn, call.tool, tier, rules.join(), destinationOf(askedPart(call))]
    return JSON.stringify(tier === 4 ? [...row, call.id] : row)
  })
  return [...rows.values()]
}

/** Where the call reaches: a host, a person, a folder, a collection. */
export function destinationOf({ resources }: Pick<JudgedCall, 'resources'>): string {
  return [...new Set(resources.map(placeOf))].toSorted().join(' ')
}

function placeOf(resource: Resource): string {
  switch (resource.type) {
    case 'url':
      return `${resource.scheme}://${resource.host}:${resource.port}`
    case 'peer':
      return `${resource.channel}:${resource.peer}`
    case 'record':
      return resource.collection
    case 'file':
      return `${resource.root}:${resource.path.slice(0, Math.max(0, resource.path.lastIndexOf('/')))}`
    case 'exec':
      return `program in ${resource.cwd}`
    case 'node':
      return `${resource.capability} of ${resource.name}`
    case 'extension':
      return `${resource.kind} ${resource.name}`
    case 'server-tool':
      return `server ${resource.server}`
  }
}
