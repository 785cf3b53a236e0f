/** Owns what a prompt says of an agent's tools: how many of which category, what it can set going, what is off. */
import { readerTool, type ToolCatalogue, type ToolFacts } from '@countersign/contract'
import { type GroupName, groups } from '@countersign/tools'
import type { PromptContext } from './composer.ts'

/** Ways to find and use tools are shown to a model anyway. */
const shownAnyway = 'meta'

/** Worth a word where they are off: a model would promise them otherwise. */
const missed: readonly GroupName[] = ['webFetch', 'browser', 'codeExecution', 'git']

type ToolParts = Pick<PromptContext, 'tools' | 'automation' | 'workspace' | 'capabilities'>

export function toolParts(catalogue: ToolCatalogue, workspace: string | undefined, only?: string): ToolParts {
  const tools = catalogue.list()
  const counted = countedBy(
    tools.filter(({ category, listed }) => category !== shownAnyway && !listed),
    'category',
  )
  const there = countedBy(tools, 'group')
  const has = (name: GroupName) => there.has(name)
  const begins = (name: GroupName) => tools.some(({ group, floor }) => group === name && floor > 0)
  const automation = { schedules: begins('scheduler'), plans: begins('plans'), tasks: begins('agents') }
  const lacks = missed.filter((name) => !has(name)).map((name) => groups[name].title.toLowerCase())
  return {
    ...(counted.size > 0
      ? {
          tools: {
            categories: [...counted]
              .map(([name, count]) => ({ name, tools: count }))
              .toSorted((left, right) => (left.name < right.name ? -1 : 1)),
            ...(catalogue.find(readerTool) ? { readsWeb: true } : {}),
          },
        }
      : {}),
    ...(Object.values(automation).some(Boolean) ? { automation } : {}),
    ...(has('filesystem')
      ? {
          workspace: {
            ...(workspace === undefined ? {} : { folder: workspace }),
            ...(only === undefined ? {} : { only }),
          },
        }
      : {}),
    ...(lacks.length > 0 ? { capabilities: { has: [], lacks } } : {}),
  }
}

function countedBy(tools: readonly ToolFacts[], by: 'category' | 'group'): Map<string, number> {
  const counted = new Map<string, number>()
  for (const tool of tools) counted.set(tool[by], (counted.get(tool[by]) ?? 0) + 1)
  return counted
}
