/**
 * Owns the folder of an agent at the door: a call of an agent that has one, or of work that it began, touches no file
 * of the workspace outside of it. Read from the rows in the transaction of the decision.
 */
import { isProductCall } from '@countersign/contract'
import type { CallMiddleware } from '@countersign/kernel'
import { folderProblem } from '../goals/limits.ts'
import { agentById } from './agents.ts'
import { servedAgents } from './lineage.ts'

export function agentFolders(): CallMiddleware {
  return {
    name: 'folders of agents',
    async before(unit, call) {
      const { run, tool } = call
      // What the product itself does, as an undo, is not the work of the agent.
      // No folder at all holds more than any: what it lets through touches no file.
      if (isProductCall(tool) || folderProblem([], call) === undefined) return undefined
      for (const id of await servedAgents(unit.db, run)) {
        const agent = await agentById(unit.records, id)
        if (!agent)
          return 'An agent for which this work is done was removed, so it is not known which files it may touch. End here and tell the operator.'
        const problem = agent.folder === undefined ? undefined : folderProblem([agent.folder], call)
        if (problem !== undefined) return `The agent ${agent.name} has a folder of its own and ${problem}`
      }
      return undefined
    },
  }
}
