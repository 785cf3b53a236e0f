/** Owns which calls are the product's own and no work of an agent, so that no limit of an agent, goal or schedule is on them. Pure. */
import type { ToolFacts } from './tool.ts'

export function isProductCall({
  hidden,
  worksForAgents,
}: Pick<ToolFacts, 'hidden' | 'worksForAgents'>): boolean {
  return hidden && worksForAgents !== true
}
