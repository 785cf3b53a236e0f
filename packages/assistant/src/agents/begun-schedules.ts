/**
 * Owns that nobody leaves their limits by way of a schedule: what a schedule sets going was begun by nobody, so work that
 * is done for an agent with limits of its own makes one for itself or none.
 */
import { isProductCall, schedulesCollection } from '@countersign/contract'
import type { CallInReview, CallMiddleware } from '@countersign/kernel'
import { agentById } from './agents.ts'
import { servedAgents } from './lineage.ts'

export function begunSchedules(): CallMiddleware {
  return {
    name: 'schedules of work that others began',
    async before(unit, call) {
      const { run, tool, resources } = call
      const writes = resources.some(
        (each) => each.type === 'record' && each.collection === schedulesCollection && each.op === 'write',
      )
      if (!writes || isProductCall(tool)) return undefined
      for (const id of await servedAgents(unit.db, run)) {
        const agent = await agentById(unit.records, id)
        const isFree = agent !== undefined && agent.kind !== 'custom' && agent.folder === undefined
        if (isFree || (id === run.agent && (agent?.kind === 'custom' || isForItself(call)))) continue
        return `A scheduled task would not have the limits of the agent ${agent?.name ?? id}, for which this work is done. Tell the operator what should be scheduled.`
      }
      return undefined
    },
  }
}

/** Those of the operator's own agents the tools keep to themselves; those of the product may otherwise name anybody. */
function isForItself({ tool, args, run }: CallInReview): boolean {
  const { agent = 'assistant' } = JSON.parse(args) as { readonly agent?: unknown }
  return tool.name === 'create_scheduled_task' && agent === run.agent
}
