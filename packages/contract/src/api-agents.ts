/**
 * Owns the shapes of agents, teams and the operator's profile: what a person may set, and what the HTTP API carries.
 * Refuses names that could be mistaken and prompts that no model should pay for.
 */
import { z } from 'zod'
import { ModelRef } from './api-models.ts'
import { OwnFolder } from './goal-limits.ts'
import { line, prose } from './text-shapes.ts'
import { Autonomy, Label } from './trust.ts'

/**
 * What an agent is: one that talks across everything, one for a goal, one that does a task or a decision of a plan
 * and ends, one that writes the feed, or one that the operator made.
 */
export const AgentKind = z.enum(['user', 'goal', 'task', 'plan', 'feed', 'guest', 'custom'])
export type AgentKind = z.infer<typeof AgentKind>

export const AgentId = z
  .string()
  .regex(/^[a-z][a-z0-9_-]{0,63}$/, 'an id of lower case letters, digits, - and _, such as researcher')

/** What of the operator's data an agent may reach; each is a group of tools. */
export const DataAccess = z.enum([
  'tasks',
  'bookmarks',
  'notes',
  'calendar',
  'contacts',
  'finance',
  'customData',
  'memory',
  'goals',
  'history',
])
export type DataAccess = z.infer<typeof DataAccess>

/** `default` is what the route of the purpose says. */
export const AgentModel = z.union([z.literal('default'), ModelRef], {
  error: 'default, or provider/model as `countersign model list` names it',
})

/** What of a prompt can be left out. What the agent is, its autonomy and what it works on always stand there. */
export const PromptPart = z.enum([
  'profile',
  'instructions',
  'tools',
  'files',
  'learnings',
  'capabilities',
  'time',
  'summaries',
  'memories',
])
export type PromptPart = z.infer<typeof PromptPart>

const HistoryTokens = z.int().min(2_000).max(200_000)

export const AgentSettings = z.strictObject({
  name: line(80),
  emoji: line(16).exactOptional(),
  category: line(50).exactOptional(),
  description: prose(500).default(''),
  systemPrompt: prose(8_000).refine((text) => text.trim() !== '', 'must say what the agent is'),
  model: AgentModel.default('default'),
  /** Left out of its prompt. */
  leaveOut: z.array(PromptPart).max(PromptPart.options.length).exactOptional(),
  /** How much of a conversation it is shown, in tokens; the oldest exchanges leave first. */
  historyTokens: HistoryTokens.exactOptional(),
  /** The longest reply, in tokens. */
  maxTokens: z.int().min(256).max(64_000).exactOptional(),
  maxTurns: z.int().min(1).max(200).exactOptional(),
  /** How freely the model words things: 0 is the likeliest word each time. Models that take none go without. */
  temperature: z.number().min(0).max(2).exactOptional(),
  maxToolCalls: z.int().min(0).max(1_000).exactOptional(),
  /** With `toolGroups`, all that it has; both empty is every tool that its kind may have. */
  tools: z.array(line(64)).max(50).default([]),
  toolGroups: z.array(line(40)).max(40).default([]),
  /** Talks, and stops after its reply. One that does not can ask nobody. */
  conversational: z.boolean().default(true),
  /** Left out, all of it. */
  dataAccess: z.array(DataAccess).max(20).exactOptional(),
  triggers: z
    .strictObject({ keywords: z.array(line(50)).max(30).default([]) })
    .default(() => ({ keywords: [] })),
  /** Of the workspace: the only one whose files it may touch. Left out, all of it. */
  folder: OwnFolder.exactOptional(),
  enabled: z.boolean().default(true),
})
export type AgentSettings = z.infer<typeof AgentSettings>

/** Any of the settings; null takes one away that may be missing. */
export const AgentChange = z.strictObject({
  name: AgentSettings.shape.name.exactOptional(),
  emoji: line(16).nullable().exactOptional(),
  category: line(50).nullable().exactOptional(),
  description: prose(500).exactOptional(),
  systemPrompt: AgentSettings.shape.systemPrompt.exactOptional(),
  model: AgentModel.exactOptional(),
  leaveOut: z.array(PromptPart).max(PromptPart.options.length).nullable().exactOptional(),
  historyTokens: HistoryTokens.nullable().exactOptional(),
  maxTokens: z.int().min(256).max(64_000).nullable().exactOptional(),
  maxTurns: z.int().min(1).max(200).nullable().exactOptional(),
  temperature: z.number().min(0).max(2).nullable().exactOptional(),
  maxToolCalls: z.int().min(0).max(1_000).nullable().exactOptional(),
  tools: z.array(line(64)).max(50).exactOptional(),
  toolGroups: z.array(line(40)).max(40).exactOptional(),
  conversational: z.boolean().exactOptional(),
  dataAccess: z.array(DataAccess).max(20).nullable().exactOptional(),
  triggers: z.strictObject({ keywords: z.array(line(50)).max(30) }).exactOptional(),
  folder: OwnFolder.nullable().exactOptional(),
  enabled: z.boolean().exactOptional(),
})
export type AgentChange = z.infer<typeof AgentChange>

export const Agent = AgentSettings.extend({
  id: AgentId,
  kind: AgentKind,
  /** Comes with the product and cannot be removed, only changed and put back. */
  builtIn: z.boolean(),
  /** By the operator, from what came with the product. */
  changed: z.boolean(),
  /** Answers where nobody is named. */
  isDefault: z.boolean(),
  /** What led to it, where that is worth less than the operator's own words. */
  label: Label.nullable(),
  updatedAt: z.string().nullable(),
})
export type Agent = z.infer<typeof Agent>

export const AgentChanged = z.strictObject({ agent: Agent, ledger: z.int() })
export type AgentChanged = z.infer<typeof AgentChanged>

/** A built-in agent is put back as it came; every other is gone. */
export const AgentRemoved = z.strictObject({ id: AgentId, restored: z.boolean(), ledger: z.int() })
export type AgentRemoved = z.infer<typeof AgentRemoved>

export const AgentReset = z.strictObject({ id: AgentId, conversations: z.int(), ledger: z.int() })
export type AgentReset = z.infer<typeof AgentReset>

/** What became of each of the agents that come with the product, by id. */
export const AgentsResynced = z.strictObject({
  added: z.array(AgentId),
  updated: z.array(AgentId),
  unchanged: z.array(AgentId),
  /** Left alone, because the operator changed them. */
  kept: z.array(AgentId),
  ledger: z.int(),
})
export type AgentsResynced = z.infer<typeof AgentsResynced>

/** What the next run of an agent is told before the first word. */
export const AgentPrompt = z.strictObject({
  agent: AgentId,
  text: z.string(),
  /** In characters. */
  length: z.int(),
  /** Counted roughly, four characters each. */
  tokens: z.int(),
  longest: z.int(),
  /** What the prompt is worth: the least of everything in it. */
  label: Label,
  sections: z.array(z.strictObject({ name: z.string(), length: z.int() })),
  /** Left out for want of room, in the order in which they went. */
  dropped: z.array(z.string()),
  /** Lists of which only the beginning is there. */
  cut: z.array(z.strictObject({ list: z.string(), kept: z.int(), of: z.int() })),
  /** Tools that it has, and those of them whose schemas it is shown from the start. */
  tools: z.strictObject({ has: z.int(), shown: z.array(z.string()) }),
  model: z.string(),
})
export type AgentPrompt = z.infer<typeof AgentPrompt>

export const TeamRouter = z.strictObject({ kind: z.enum(['keywords', 'model', 'first']) })
export type TeamRouter = z.infer<typeof TeamRouter>

export const TeamSettings = z.strictObject({
  name: line(80),
  description: prose(500).default(''),
  /** By id, in order; where two fit alike, the earlier is taken. */
  agents: z.array(AgentId).min(1).max(20),
  router: TeamRouter.default({ kind: 'keywords' }),
  /** Who is taken where nobody fits; left out, the first. */
  fallback: AgentId.exactOptional(),
  /** Told to whoever of the team answers for it: what all of them should know. */
  sharedContext: prose(4_000).exactOptional(),
})
export type TeamSettings = z.infer<typeof TeamSettings>

export const TeamChange = z.strictObject({
  name: TeamSettings.shape.name.exactOptional(),
  description: prose(500).exactOptional(),
  agents: TeamSettings.shape.agents.exactOptional(),
  router: TeamRouter.exactOptional(),
  fallback: AgentId.nullable().exactOptional(),
  sharedContext: prose(4_000).nullable().exactOptional(),
})
export type TeamChange = z.infer<typeof TeamChange>

export const AgentTeam = TeamSettings.extend({ id: z.string(), updatedAt: z.string() })
export type AgentTeam = z.infer<typeof AgentTeam>

export const TeamChanged = z.strictObject({ team: AgentTeam, ledger: z.int() })
export type TeamChanged = z.infer<typeof TeamChanged>

export const TeamRemoved = z.strictObject({ id: z.string(), ledger: z.int() })
export type TeamRemoved = z.infer<typeof TeamRemoved>

/** Who answers a message that names nobody: the team, else whoever's keywords fit, else the agent. */
export const Answering = z.strictObject({
  agent: AgentId,
  /** By id; null where no team is the default. */
  team: z.string().nullable(),
  /** An agent whose keywords stand in the first message takes it. */
  byKeywords: z.boolean(),
})
export type Answering = z.infer<typeof Answering>

/** By id or name; null takes the team away. */
export const AnsweringChange = z.strictObject({
  agent: z.string().min(1).max(100).exactOptional(),
  team: z.string().min(1).max(100).nullable().exactOptional(),
  byKeywords: z.boolean().exactOptional(),
})
export type AnsweringChange = z.infer<typeof AnsweringChange>

export const AnsweringChanged = z.strictObject({ answering: Answering, ledger: z.int() })
export type AnsweringChanged = z.infer<typeof AnsweringChanged>

/** Who of a team takes a message, and why. */
export const TeamRoute = z.strictObject({
  agent: AgentId,
  by: z.enum(['keywords', 'model', 'first', 'fallback']),
  /** The keywords that were found. */
  matched: z.array(z.string()),
})
export type TeamRoute = z.infer<typeof TeamRoute>

/** What the operator says of themselves. Told to agents; it gives them no authority. */
export const Profile = z.strictObject({
  name: line(100).exactOptional(),
  facts: z.array(line(300)).max(50).default([]),
  communicationStyle: prose(500).exactOptional(),
  interests: z.array(line(100)).max(30).default([]),
  /** How they like things: where to sit, what to eat, which words to use. */
  preferences: z.array(line(300)).max(30).exactOptional(),
  /** Always to be followed. */
  instructions: z.array(line(500)).max(30).default([]),
  /** How much it should do by itself. Can make an agent more careful than the policy, never less. */
  autonomy: Autonomy.exactOptional(),
})
export type Profile = z.infer<typeof Profile>

export const ProfileView = z.strictObject({
  profile: Profile,
  label: Label.nullable(),
  /** Null where nothing was said yet. */
  updatedAt: z.string().nullable(),
})
export type ProfileView = z.infer<typeof ProfileView>

export const ProfileChanged = z.strictObject({ profile: Profile, ledger: z.int() })
export type ProfileChanged = z.infer<typeof ProfileChanged>
