/** Owns an agent as its form has it, and the change that the form asks for. */
import {
  type Agent,
  type AgentChange,
  type AgentSettings,
  DataAccess,
  PromptPart,
} from '@countersign/contract'
import type { Problems } from '../../kit/index.ts'
import { words } from '../../words/agents.tsx'

export interface AgentValues {
  readonly name: string
  readonly emoji: string
  readonly category: string
  readonly description: string
  readonly systemPrompt: string
  readonly model: string
  readonly told: readonly string[]
  readonly historyTokens: string
  readonly groups: readonly string[]
  readonly tools: string
  readonly data: readonly string[]
  readonly keywords: string
  readonly maxTurns: string
  readonly maxToolCalls: string
  readonly maxTokens: string
  readonly temperature: string
  readonly folder: string
  readonly talks: boolean
  readonly enabled: boolean
}

export function agentValues(agent: Agent): AgentValues {
  return {
    name: agent.name,
    emoji: agent.emoji ?? '',
    category: agent.category ?? '',
    description: agent.description,
    systemPrompt: agent.systemPrompt,
    model: agent.model,
    told: PromptPart.options.filter((part) => !agent.leaveOut?.includes(part)),
    historyTokens: figure(agent.historyTokens),
    groups: agent.toolGroups,
    tools: agent.tools.join(', '),
    data: agent.dataAccess ?? DataAccess.options,
    keywords: agent.triggers.keywords.join(', '),
    maxTurns: figure(agent.maxTurns),
    maxToolCalls: figure(agent.maxToolCalls),
    maxTokens: figure(agent.maxTokens),
    temperature: figure(agent.temperature),
    folder: agent.folder ?? '',
    talks: agent.conversational,
    enabled: agent.enabled,
  }
}

export function agentProblems(values: AgentValues): Problems<AgentValues> {
  const said = words.form
  const within = (text: string, least: number, most: number) => {
    const given = limit(text)
    return given === null || (Number.isInteger(given) && given >= least && given <= most)
  }
  const temperature = limit(values.temperature)
  return {
    name: values.name.trim() === '' ? said.nameProblem : undefined,
    systemPrompt: values.systemPrompt.trim() === '' ? said.promptProblem : undefined,
    historyTokens: within(values.historyTokens, 2_000, 200_000) ? undefined : said.historyProblem,
    maxTurns: within(values.maxTurns, 1, 200) ? undefined : said.turnsProblem,
    maxToolCalls: within(values.maxToolCalls, 0, 1_000) ? undefined : said.callsProblem,
    maxTokens: within(values.maxTokens, 256, 64_000) ? undefined : said.tokensProblem,
    temperature:
      temperature === null || (temperature >= 0 && temperature <= 2) ? undefined : said.temperatureProblem,
    folder: /^(?!\/)(?!.*(^|\/)\.\.(\/|$)).{0,200}$/.test(values.folder.trim())
      ? undefined
      : said.folderProblem,
  }
}

/** Only what differs: an agent that is left as it came stays one that updates reach. */
export function agentChange(agent: Agent, values: AgentValues): AgentChange {
  const before = wholeChange(agentValues(agent))
  const after = wholeChange(values)
  return Object.fromEntries(
    Object.entries(after).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name as keyof AgentChange]),
    ),
  )
}

function wholeChange(values: AgentValues): AgentChange {
  const isAll = DataAccess.options.every((name) => values.data.includes(name))
  return {
    name: values.name.trim(),
    emoji: values.emoji.trim() === '' ? null : values.emoji.trim(),
    category: values.category.trim() === '' ? null : values.category.trim(),
    description: values.description,
    systemPrompt: values.systemPrompt,
    model: values.model as AgentSettings['model'],
    leaveOut: PromptPart.options.filter((part) => !values.told.includes(part)),
    historyTokens: limit(values.historyTokens),
    toolGroups: [...values.groups],
    tools: listOf(values.tools),
    dataAccess: isAll ? null : DataAccess.options.filter((name) => values.data.includes(name)),
    triggers: { keywords: listOf(values.keywords) },
    maxTurns: limit(values.maxTurns),
    maxToolCalls: limit(values.maxToolCalls),
    maxTokens: limit(values.maxTokens),
    temperature: limit(values.temperature),
    folder: values.folder.trim() === '' ? null : values.folder.trim(),
    conversational: values.talks,
    enabled: values.enabled,
  }
}

/** The settings of another agent like this one. */
export function copyOf(agent: Agent): AgentSettings {
  const {
    id: _id,
    kind: _kind,
    builtIn: _builtIn,
    changed: _changed,
    isDefault: _isDefault,
    label: _label,
    updatedAt: _updatedAt,
    ...settings
  } = agent
  return { ...settings, name: words.copyOf(agent.name) }
}

const figure = (value: number | undefined): string => (value === undefined ? '' : String(value))
const limit = (text: string): number | null =>
  text.trim() === '' ? null : Number(text.trim().replace(',', '.'))

function listOf(text: string): string[] {
  return text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
}
