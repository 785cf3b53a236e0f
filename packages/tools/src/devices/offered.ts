/**
 * Owns whether tools of nodes are offered. Where the operator has no node there are none, so that nobody pays for reading
 * of them; where there are some, a call must name one of them, and the only one is named for it.
 */
import type { JsonObject, ParsedArgs, ToolCatalogue, ToolFacts } from '@countersign/contract'

/** A node that was let in and not revoked, whether it is connected or not. */
export interface OfferedNode {
  readonly name: string
}

export function withNodes(catalogue: ToolCatalogue, nodes: readonly OfferedNode[]): ToolCatalogue {
  if (nodes.length > 0) {
    const settle = (facts: ToolFacts) => (facts.runs === 'node' ? forNodes(facts, nodes) : facts)
    return {
      ...catalogue,
      list: () => catalogue.list().map(settle),
      find(name) {
        const facts = catalogue.find(name)
        return facts && settle(facts)
      },
    }
  }
  const isOffered = (facts: ToolFacts) => facts.runs !== 'node'
  return {
    find(name) {
      const facts = catalogue.find(name)
      return facts && isOffered(facts) ? facts : undefined
    },
    list: () => catalogue.list().filter(isOffered),
    missing: (name) => (catalogue.find(name)?.runs === 'node' ? noNode : catalogue.missing(name)),
  }
}

const noNode =
  'There is no other computer. The operator adds one with `countersign node pair` on that computer.'

function forNodes(facts: ToolFacts, nodes: readonly OfferedNode[]): ToolFacts {
  return { ...facts, parse: (value) => parseFor(facts, nodes, value) }
}

function parseFor(facts: ToolFacts, nodes: readonly OfferedNode[], value: unknown): ParsedArgs {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return facts.parse(value)
  const given = value as JsonObject
  const [only, ...others] = nodes
  const wanted = given['node'] ?? (others.length === 0 ? only?.name : undefined)
  const names = nodes.map(({ name }) => name).join(', ')
  if (wanted === undefined) return { kind: 'invalid', problems: [`node: say which one: ${names}`] }
  if (!nodes.some(({ name }) => name === wanted))
    return { kind: 'invalid', problems: [`node: there is none of this name, only ${names}`] }
  return facts.parse({ ...given, node: wanted })
}
