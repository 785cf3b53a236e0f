/** Owns the table of the routes of what agents have learned. */
import { z } from 'zod'
import {
  AgentLearning,
  AgentLearningChanged,
  AgentLearningRemoved,
  AgentLearningText,
} from '../agent-learnings.ts'
import { define } from './define.ts'

const Ref = z.string().min(1).max(100)
const ofAgent = { params: z.object({ id: Ref }) }
const one = { params: z.object({ id: Ref, entry: z.string().min(1).max(100) }) }

export const agentLearningRoutes = {
  agentLearnings: define(
    'get',
    '/v1/agents/{id}/learnings',
    'What an agent has learned, the newest first.',
    z.array(AgentLearning),
    ofAgent,
  ),
  addAgentLearning: define(
    'post',
    '/v1/agents/{id}/learnings',
    'Adds a learning to an agent.',
    AgentLearningChanged,
    { ...ofAgent, body: AgentLearningText },
  ),
  setAgentLearning: define(
    'put',
    '/v1/agents/{id}/learnings/{entry}',
    'Changes the words of a learning, or accepts it as it is.',
    AgentLearningChanged,
    { ...one, body: AgentLearningText },
  ),
  removeAgentLearning: define(
    'delete',
    '/v1/agents/{id}/learnings/{entry}',
    'Removes a learning of an agent.',
    AgentLearningRemoved,
    one,
  ),
}
