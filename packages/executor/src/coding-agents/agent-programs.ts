/** Owns the coding agents that the operator added: how each is found on the host, and where its program is inside. */
import { join } from 'node:path'
import type { CodingAgents } from '@countersign/contract'
import type { FoundCodingAgent } from '@countersign/tools'
import type { Programs } from '../programs.ts'
import type { SandboxMount } from '../sandbox/port.ts'

/** Where the folder of an agent is inside its sandbox. */
export const sandboxAgent = '/opt/agent'

export interface AgentPrograms {
  names(): readonly string[]
  find(name: string): Promise<FoundCodingAgent | undefined>
  mounts(name: string): readonly SandboxMount[]
}

export function createAgentPrograms(agents: CodingAgents, programs: Programs): AgentPrograms {
  const known = (name: string) => (Object.hasOwn(agents, name) ? agents[name] : undefined)
  return {
    names: () => Object.keys(agents).toSorted(),
    async find(name) {
      const agent = known(name)
      if (!agent) return undefined
      const [word = ''] = agent.command
      const inside = word.startsWith(`${sandboxAgent}/`) ? word.slice(sandboxAgent.length + 1) : undefined
      if (inside?.split('/').includes('..')) return { agent, program: undefined }
      const program =
        inside !== undefined && agent.folder !== undefined
          ? await programs.at(join(agent.folder, inside))
          : await programs.find(word)
      return { agent, program }
    },
    mounts(name) {
      const folder = known(name)?.folder
      return folder === undefined ? [] : [{ from: folder, at: sandboxAgent }]
    },
  }
}
