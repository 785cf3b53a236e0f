/** The part of the typed client that speaks of what agents have learned. */
import type { AgentLearningText } from '../agent-learnings.ts'
import type { Call } from './call.ts'

/** Loaded with the first call, as those of e-mail. */
const routes = async () => (await import('../routes/agent-learnings.ts')).agentLearningRoutes

export function agentLearningCalls(call: Call) {
  return {
    agentLearnings: async (id: string) => call((await routes()).agentLearnings, { params: { id } }),
    addAgentLearning: async (id: string, body: AgentLearningText) =>
      call((await routes()).addAgentLearning, { params: { id }, body }),
    /** With the words that it has, it is accepted. */
    setAgentLearning: async (id: string, entry: string, body: AgentLearningText) =>
      call((await routes()).setAgentLearning, { params: { id, entry }, body }),
    removeAgentLearning: async (id: string, entry: string) =>
      call((await routes()).removeAgentLearning, { params: { id, entry } }),
  }
}
