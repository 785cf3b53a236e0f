/** Owns the tools of one process, by source. Refuses two tools of one name, and names that could be mistaken. */
import type { ToolCatalogue, ToolFacts } from '@countersign/contract'
import { withPrograms } from './cli/switched-programs.ts'
import { type ToolDefinition, toFacts } from './definition.ts'
import { type GroupName, groups } from './groups.ts'

/** Tools that come and go together: the built-in ones, those of a server, those of a skill. */
export interface ToolProvider {
  readonly source: string
  tools(): readonly ToolDefinition[]
}

export interface RegisteredTool {
  readonly definition: ToolDefinition
  readonly facts: ToolFacts
  readonly source: string
}

export interface ToolRegistry {
  /** All of them or none. */
  add(provider: ToolProvider): void
  /** Says how many were removed. */
  removeSource(source: string): number
  find(name: string): RegisteredTool | undefined
  list(): readonly RegisteredTool[]
}

export interface Catalogue extends ToolCatalogue {
  /** The code of the tool, which only an executor needs. */
  definition(name: string): ToolDefinition | undefined
}

/** What the operator chose: a tool by its name, else its group, else what the group is from the start. */
export interface ToolSwitches {
  readonly tools: ReadonlyMap<string, boolean>
  readonly groups: ReadonlyMap<string, boolean>
  /** The programs that may be started by name, sorted. */
  readonly programs: readonly string[]
}

const nameShape = /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/
const longestName = 64

export function isToolName(name: string): boolean {
  return nameShape.test(name) && name.length <= longestName
}

export function createRegistry(): ToolRegistry {
  const known = new Map<string, RegisteredTool>()
  return {
    add({ source, tools }) {
      const added = new Map<string, RegisteredTool>()
      for (const definition of tools()) {
        const { name } = definition
        if (!isToolName(name)) throw new TypeError(`Bad tool name: ${JSON.stringify(name)}.`)
        if (known.has(name) || added.has(name)) throw new TypeError(`Two tools are named ${name}.`)
        added.set(name, { definition, facts: toFacts(definition), source })
      }
      for (const [name, registered] of added) known.set(name, registered)
    },
    removeSource(source) {
      const gone = [...known.values()].filter((each) => each.source === source)
      for (const { facts } of gone) known.delete(facts.name)
      return gone.length
    },
    find: (name) => known.get(name),
    list: () => [...known.values()],
  }
}

/** Every tool, whatever is switched off: for an executor, which runs what a permit names. */
export function createCatalogue(definitions: readonly ToolDefinition[]): Catalogue {
  const registry = createRegistry()
  registry.add({ source: 'built-in', tools: () => definitions })
  return catalogueOf(registry)
}

/** The same, of a registry that others fill. */
export function catalogueOf(registry: ToolRegistry): Catalogue {
  const shown = () => registry.list().flatMap(({ facts }) => (facts.hidden ? [] : [facts]))
  return {
    find: (name) => registry.find(name)?.facts,
    list: shown,
    missing: (name) => unknownTool(name, shown()),
    definition: (name) => registry.find(name)?.definition,
  }
}

/** The tools of one operator: what is switched on, and what they made themselves. */
export function catalogueFor(
  registry: ToolRegistry,
  switches: ToolSwitches,
  own: readonly ToolFacts[] = [],
): ToolCatalogue {
  const all = new Map(
    [...own, ...registry.list().map(({ facts }) => withPrograms(facts, switches.programs))].map((facts) => [
      facts.name,
      facts,
    ]),
  )
  const usable = (facts: ToolFacts) => facts.hidden || isOn(facts, switches)
  const shown = [...all.values()].filter((facts) => !facts.hidden && isOn(facts, switches))
  return {
    find(name) {
      const facts = all.get(name)
      return facts && usable(facts) ? facts : undefined
    },
    list: () => shown,
    missing(name) {
      const facts = all.get(name)
      if (!facts || facts.hidden) return unknownTool(name, shown)
      return `${name} is switched off. Only the operator can switch it on: \`countersign tool enable ${name}\`.`
    },
  }
}

export function isOn({ name, group }: Pick<ToolFacts, 'name' | 'group'>, switches: ToolSwitches): boolean {
  return (
    switches.tools.get(name) ?? switches.groups.get(group) ?? groups[group as GroupName]?.enabled ?? false
  )
}

function unknownTool(name: string, shown: readonly ToolFacts[]): string {
  const words = name.toLowerCase().split(/[^a-z0-9]+/)
  const near = shown
    .map((facts) => ({ facts, hits: facts.name.split('_').filter((word) => words.includes(word)).length }))
    .filter(({ hits }) => hits > 0)
    .toSorted((left, right) => right.hits - left.hits)
    .slice(0, 3)
    .map(({ facts }) => facts.name)
  const hint = near.length > 0 ? ` Near it: ${near.join(', ')}.` : ''
  return `There is no tool named ${name}.${hint} Find one with search_tools.`
}
