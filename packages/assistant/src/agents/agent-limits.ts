/** Owns what an agent's runs are held to: the limits of its kind, and its own where it has some. */
import {
  conversationLimits,
  conversationWindow,
  feedLimits,
  type Limits,
  planLimits,
  taskLimits,
} from '@countersign/agent'
import type { Agent, AgentKind, Purpose } from '@countersign/contract'

const kindLimits: Readonly<Record<AgentKind, Limits>> = {
  user: conversationLimits,
  goal: conversationLimits,
  task: taskLimits,
  plan: planLimits,
  feed: feedLimits,
  guest: taskLimits,
  custom: conversationLimits,
}

export function agentLimits(
  agent: Pick<Agent, 'kind' | 'conversational' | 'maxTokens' | 'maxTurns' | 'maxToolCalls'>,
): Limits {
  const usual = agent.kind === 'custom' && !agent.conversational ? taskLimits : kindLimits[agent.kind]
  return {
    ...usual,
    turns: agent.maxTurns ?? usual.turns,
    toolCalls: agent.maxToolCalls ?? usual.toolCalls,
    maxOutputTokens: agent.maxTokens ?? usual.maxOutputTokens,
  }
}

export function historyTokensOf({ kind, historyTokens }: Pick<Agent, 'kind' | 'historyTokens'>): number {
  const usual =
    kind === 'task' || kind === 'feed'
      ? conversationWindow.taskHistoryTokens
      : conversationWindow.historyTokens
  return historyTokens ?? usual
}

export function purposeOf({ kind }: Pick<Agent, 'kind'>): Purpose {
  return kind === 'plan' ? 'planning' : 'chat'
}
