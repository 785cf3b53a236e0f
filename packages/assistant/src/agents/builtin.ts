/** Owns the agents that come with the product and cannot be removed: their data, which the operator may change. */

import { type AgentKind, AgentSettings } from '@countersign/contract'
import { basePrompts } from '../context/composer.ts'

export interface BuiltInAgent {
  readonly id: string
  readonly kind: Exclude<AgentKind, 'custom'>
  readonly settings: AgentSettings
}

/** Answers where nobody is named and nobody else was chosen. */
export const assistantId = 'assistant'
/** Answers where others read. */
export const receptionId = 'reception'

export const builtInAgents: readonly BuiltInAgent[] = [
  builtIn(assistantId, 'user', {
    name: 'Assistant',
    description: 'Talks with you, across all your goals.',
  }),
  builtIn('goal', 'goal', { name: 'Goal', description: 'Works on one goal and keeps its steps.' }),
  builtIn('task', 'task', {
    name: 'Task',
    description: 'Does one piece of work in the background and ends.',
    conversational: false,
  }),
  builtIn('plan', 'plan', {
    name: 'Plan',
    description: 'Goes through the steps of a plan and makes its decisions.',
    conversational: false,
  }),
  builtIn('feed', 'feed', {
    name: 'Feed',
    description: 'Writes what happened, once a day.',
    conversational: false,
  }),
  builtIn(receptionId, 'guest', {
    name: 'Reception',
    description: 'Answers in groups, and people whom you let in on channels. It is told nothing of yours.',
  }),
]

export function builtInAgent(id: string): BuiltInAgent | undefined {
  return builtInAgents.find((each) => each.id === id)
}

function builtIn(
  id: string,
  kind: BuiltInAgent['kind'],
  words: { name: string; description: string; conversational?: boolean },
): BuiltInAgent {
  return { id, kind, settings: AgentSettings.parse({ ...words, systemPrompt: basePrompts[kind] }) }
}
