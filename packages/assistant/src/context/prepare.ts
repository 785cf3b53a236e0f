/**
 * Owns what a run of an agent is prepared with: its prompt, what that is worth, its tools, its limits and its model.
 * Refuses to let another agent do the work of one that is gone: then there is one that says so and has no tools.
 */
import { promptLimits, usualTemperature } from '@countersign/agent'
import type { AgentPrompt, SessionId, ToolCatalogue } from '@countersign/contract'
import type { RunPreparation } from '@countersign/kernel'
import { agentLimits, historyTokensOf, purposeOf } from '../agents/agent-limits.ts'
import { agentTools } from '../agents/agent-tools.ts'
import type { KnownAgent } from '../agents/agents.ts'
import { goneAgent } from '../agents/gone-agent.ts'
import { composePrompt, type PromptOptions } from './composer.ts'
import type { RunContext, RunFacts } from './gather.ts'

/** A model decides, and the agent has a name. */
export type PreparedRun = Omit<RunPreparation, 'port'> & { readonly name: string }

export interface PreparationParts {
  /** By id. */
  readonly agent: (id: string) => Promise<KnownAgent | undefined>
  readonly context: RunContext
  /** Tools that the operator gave the agent for one conversation. */
  readonly extraTools: (session: SessionId | null) => Promise<readonly string[]>
  /** The longest prompt, in characters. */
  readonly longest?: number
}

export interface Preparation {
  prepare(run: RunFacts, catalogue: ToolCatalogue): Promise<PreparedRun>
  /** The same for eyes: what the next run would be told. */
  show(run: RunFacts, catalogue: ToolCatalogue): Promise<AgentPrompt>
}

export function createPreparation(parts: PreparationParts): Preparation {
  const longest = parts.longest ?? promptLimits.longest

  async function made(run: RunFacts, catalogue: ToolCatalogue) {
    const [found, extra] = await Promise.all([parts.agent(run.agent), parts.extraTools(run.session)])
    const agent = found?.enabled ? found : goneAgent(run.agent)
    const tools = agentTools(agent, catalogue, found?.enabled ? extra : [])
    const gathered = await parts.context.gather(run, agent, tools.catalogue)
    const composed = composePrompt(gathered, { maxPromptLength: longest, ...toldOf(agent) })
    return { agent, tools, extra, composed }
  }

  return {
    async prepare(run, catalogue) {
      const { agent, tools, extra, composed } = await made(run, catalogue)
      return {
        name: agent.name,
        system: composed.text,
        label: composed.label,
        limits: agentLimits(agent),
        catalogue: tools.catalogue,
        restrict: (all) => agentTools(agent, all, extra).catalogue,
        shown: tools.shown,
        historyTokens: historyTokensOf(agent),
        ...(agent.model === 'default' ? {} : { model: agent.model }),
        purpose: purposeOf(agent),
        temperature: agent.temperature ?? usualTemperature,
      }
    },
    async show(run, catalogue) {
      const { agent, tools, composed } = await made(run, catalogue)
      const { text, length, tokens, label, sections, dropped, cut } = composed
      return {
        agent: agent.id,
        text,
        length,
        tokens,
        longest,
        label,
        sections: sections.map((section) => ({ ...section })),
        dropped: [...dropped],
        cut: cut.map((each) => ({ ...each })),
        tools: { has: tools.catalogue.list().length, shown: [...tools.shown] },
        model: agent.model,
      }
    },
  }
}

/** What its prompt holds, as the operator wants it. */
function toldOf({ leaveOut = [] }: Pick<KnownAgent, 'leaveOut'>): PromptOptions {
  return {
    includeUserProfile: !leaveOut.includes('profile'),
    includeInstructions: !leaveOut.includes('instructions'),
    includeToolDescriptions: !leaveOut.includes('tools'),
    includeCapabilities: !leaveOut.includes('capabilities'),
    includeTimeContext: !leaveOut.includes('time'),
  }
}
