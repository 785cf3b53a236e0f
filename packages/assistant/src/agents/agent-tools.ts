/**
 * Owns which tools an agent has: those of its kind, of those the ones that it was given. To the agent there are no
 * others; a name outside leads nowhere, as if there had never been such a tool.
 */
import type { Agent, AgentKind, DataAccess, ToolCatalogue, ToolFacts } from '@countersign/contract'
import { DataAccess as DataGroups } from '@countersign/contract'
import type { GroupName } from '@countersign/tools'

export interface AgentTools {
  readonly catalogue: ToolCatalogue
  /** The names of those whose schemas a model is shown from the start. */
  readonly shown: readonly string[]
}

/** What of an agent decides on its tools. */
export type ToolChoice = Pick<Agent, 'kind' | 'tools' | 'toolGroups' | 'conversational' | 'dataAccess'>

interface BarredTools {
  readonly groups: readonly GroupName[]
  /** Groups of which only what looks is there. */
  readonly onlyLooking: readonly GroupName[]
  readonly tools: readonly string[]
}

const makingTools = ['create_tool', 'delete_custom_tool', 'toggle_custom_tool']

/** What no agent of a kind has, whatever it was given. */
export const barred: Readonly<Record<AgentKind, BarredTools>> = {
  user: { groups: [], onlyLooking: [], tools: [] },
  goal: { groups: [], onlyLooking: [], tools: [] },
  // It works on what it was told, ends, and leaves nothing behind that works on: no chat, no memory, no more work.
  task: {
    groups: ['memory', 'goals', 'agents', 'plans', 'scheduler', 'history'],
    onlyLooking: [],
    tools: ['ask_operator', 'remember', 'save_learning', 'start_agent_task', 'propose_skill', ...makingTools],
  },
  // Its steps are what the operator saw; a plan that made or started plans would show nothing of those.
  plan: { groups: ['plans'], onlyLooking: [], tools: [] },
  // It tells what happened and changes nothing of it.
  feed: {
    groups: [
      'codeExecution',
      'cliTools',
      'codingAgents',
      'skills',
      'webFetch',
      'weather',
      'browser',
      'git',
      'devices',
      'servers',
      'customTools',
    ],
    onlyLooking: [
      'memory',
      'goals',
      'agents',
      'plans',
      'scheduler',
      'history',
      'tasks',
      'notes',
      'bookmarks',
      'calendar',
      'contacts',
      'finance',
      'customData',
      'filesystem',
      'pdf',
      'image',
      'audio',
      'email',
      'chats',
      'vectorSearch',
    ],
    tools: ['ask_operator', 'save_learning', 'start_agent_task'],
  },
  // Whoever writes to it is not the operator: it runs no programs, remembers nothing, and begins no work elsewhere.
  guest: {
    groups: [
      'memory',
      'goals',
      'agents',
      'plans',
      'scheduler',
      'history',
      'codeExecution',
      'cliTools',
      'codingAgents',
      'skills',
      'browser',
      'git',
      'devices',
      'servers',
      'customTools',
    ],
    onlyLooking: [],
    tools: ['ask_operator', 'remember', 'save_learning', 'start_agent_task', ...makingTools],
  },
  custom: { groups: [], onlyLooking: [], tools: [] },
}

/** Without it an agent could find and use nothing. */
const always: GroupName = 'core'
const asking = 'ask_operator'
const mostShown = 24

/** `extra` are tools that the operator gave it for one conversation; what its kind never has it does not get by them. */
export function agentTools(
  agent: ToolChoice,
  catalogue: ToolCatalogue,
  extra: readonly string[] = [],
): AgentTools {
  const has = (facts: ToolFacts) => facts.hidden || mayHave(agent, facts, extra)
  const list = () => catalogue.list().filter(has)
  const named = new Set([...agent.tools, ...extra])
  return {
    catalogue: {
      find(name) {
        const facts = catalogue.find(name)
        return facts && has(facts) ? facts : undefined
      },
      list,
      // Whoever has everything may know what is switched off; to the others it never was.
      missing: (name) =>
        list().length === catalogue.list().length ? catalogue.missing(name) : missingText(name, list()),
    },
    shown: list()
      .filter(({ listed, name }) => listed || named.has(name))
      .slice(0, mostShown)
      .map(({ name }) => name),
  }
}

/** Of a private conversation nothing is to be left behind: it remembers nothing and begins no work elsewhere. */
const leavesTraces: readonly string[] = [
  'remember',
  'batch_remember',
  'save_learning',
  'start_agent_task',
  'restart_agent_task',
  'execute_plan',
  // Its words would be those of a conversation that is kept, at the time that it names or at once.
  'create_scheduled_task',
  'update_scheduled_task',
  'trigger_task',
  // What it was told and what came of it are kept for every later conversation.
  'run_coding_task',
  'propose_skill',
]

export function withoutTraces(catalogue: ToolCatalogue): ToolCatalogue {
  const isThere = (name: string) => !leavesTraces.includes(name)
  return {
    find: (name) => (isThere(name) ? catalogue.find(name) : undefined),
    list: () => catalogue.list().filter(({ name }) => isThere(name)),
    missing: (name) =>
      isThere(name)
        ? catalogue.missing(name)
        : `In a private conversation there is no ${name}: nothing of it is kept.`,
  }
}

export function mayHave(
  agent: ToolChoice,
  facts: Pick<ToolFacts, 'name' | 'group' | 'floor'>,
  extra: readonly string[] = [],
): boolean {
  const { groups, onlyLooking, tools } = barred[agent.kind]
  const group = facts.group as GroupName
  if (tools.includes(facts.name) || groups.includes(group)) return false
  if (onlyLooking.includes(group) && facts.floor > 0) return false
  if (!agent.conversational && facts.name === asking && agent.kind !== 'plan') return false
  if (extra.includes(facts.name)) return true
  if (agent.dataAccess && isData(group) && !agent.dataAccess.includes(group)) return false
  if (group === always) return true
  if (agent.tools.length === 0 && agent.toolGroups.length === 0) return true
  return agent.tools.includes(facts.name) || agent.toolGroups.includes(group)
}

function isData(group: string): group is DataAccess {
  return (DataGroups.options as readonly string[]).includes(group)
}

function missingText(name: string, there: readonly ToolFacts[]): string {
  const words = name.toLowerCase().split(/[^a-z0-9]+/)
  const near = there
    .map((facts) => ({ facts, hits: facts.name.split('_').filter((word) => words.includes(word)).length }))
    .filter(({ hits }) => hits > 0)
    .toSorted((left, right) => right.hits - left.hits)
    .slice(0, 3)
    .map(({ facts }) => facts.name)
  const hint = near.length > 0 ? ` Near it: ${near.join(', ')}.` : ''
  return `There is no tool named ${name}.${hint} Find one with search_tools.`
}
