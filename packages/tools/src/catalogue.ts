/** Owns the set of tools of one process. Refuses two tools of one name, and names that could be mistaken. */
import type { ToolCatalogue, ToolFacts } from '@countersign/contract'
import { type ToolDefinition, toFacts } from './definition.ts'

export interface Catalogue extends ToolCatalogue {
  /** The code of the tool, which only an executor needs. */
  definition(name: string): ToolDefinition | undefined
}

const nameShape = /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/
const longestName = 64

export function createCatalogue(definitions: readonly ToolDefinition[]): Catalogue {
  const known = new Map<string, { definition: ToolDefinition; facts: ToolFacts }>()
  for (const definition of definitions) {
    const { name } = definition
    if (!nameShape.test(name) || name.length > longestName)
      throw new TypeError(`Bad tool name: ${JSON.stringify(name)}.`)
    if (known.has(name)) throw new TypeError(`Two tools are named ${name}.`)
    known.set(name, { definition, facts: toFacts(definition) })
  }
  const listed = [...known.values()]
    .filter((entry) => entry.definition.hidden !== true)
    .map((entry) => entry.facts)
  return {
    find: (name) => known.get(name)?.facts,
    list: () => listed,
    definition: (name) => known.get(name)?.definition,
  }
}
