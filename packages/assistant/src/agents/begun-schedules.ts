/**
 * Owns that nobody leaves their limits by way of a schedule: what a schedule sets going was begun by nobody, so work that
 * an agent with limits of its own began as somebody else makes and changes none.
 */
import { schedulesCollection } from '@countersign/contract'
import type { CallMiddleware } from '@countersign/kernel'
import { agentById } from './agents.ts'
import { hasLineage, lineageOf } from './lineage.ts'

export function begunSchedules(): CallMiddleware {
  return {
    name: 'schedules of work that others began',
    async before(unit, { run, tool, resources }) {
      const writes = resources.some(
        (each) => each.type === 'record' && each.collection === schedulesCollection && each.op === 'write',
      )
      if (!writes || tool.hidden || !hasLineage(run)) return undefined
      for (const id of (await lineageOf(unit.db, run.id)).agents) {
        const agent = await agentById(unit.records, id)
        // Its own schedules are done by itself, which the tools see to.
        const isFree = agent?.kind !== 'custom' && agent?.folder === undefined
        if (id !== run.agent && (agent === undefined || !isFree))
          return `This work was begun by the agent ${agent?.name ?? id}, whose limits a scheduled task would not have. Tell the operator what should be scheduled.`
      }
      return undefined
    },
  }
}
