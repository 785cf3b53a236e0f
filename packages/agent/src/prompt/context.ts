/** Owns what a prompt is made of: pieces of content, each with what it is worth. */
import type { Autonomy, Label } from '@countersign/contract'

/** Content and where it comes from. */
export interface PromptItem {
  readonly text: string
  readonly label: Label
}

export interface PromptContext {
  /** What the agent is. Always in the prompt, and as it stands where it is the operator's own. */
  readonly base: PromptItem
  readonly profile?: ProfileContext
  /** The operator's standing instructions. */
  readonly instructions?: readonly PromptItem[]
  /** For which the agent answers. */
  readonly team?: TeamContext
  /** Tools by which the agent learns what is known of the operator, where it is not told. */
  readonly known?: readonly string[]
  readonly tools?: ToolsContext
  /** That the agent can read when the work fits them. */
  readonly skills?: readonly SkillItem[]
  /** Words of plugins that the operator has reviewed. */
  readonly plugins?: readonly PluginWords[]
  readonly automation?: AutomationContext
  readonly workspace?: WorkspaceContext
  /** Of the workspace, as the operator accepted them. */
  readonly files?: readonly FileItem[]
  /** What the agent wrote down for itself, or the operator for it. */
  readonly learnings?: readonly PromptItem[]
  readonly capabilities?: CapabilitiesContext
  readonly autonomy?: AutonomyContext
  readonly time?: TimeContext
  readonly conversation?: ConversationContext
}

export interface ProfileContext {
  readonly name?: string
  readonly communicationStyle?: string
  readonly facts: readonly string[]
  readonly interests: readonly string[]
  readonly preferences?: readonly string[]
  readonly label: Label
}

/** What everybody of a team is told. */
export interface TeamContext extends PromptItem {
  readonly name: string
}

/** How many tools of each category the agent can reach. */
export interface ToolsContext {
  readonly categories: readonly { readonly name: string; readonly tools: number }[]
  /** It can have the web read by somebody who knows nothing. */
  readonly readsWeb?: boolean
}

export interface PluginWords {
  readonly name: string
  readonly title: string
  readonly words: PromptItem
}

/** What is told of a skill beforehand. */
export interface SkillItem {
  readonly name: string
  /** What it is for; null where a stranger says so and nobody has reviewed it. */
  readonly description: PromptItem | null
}

/** What it can set going. */
export interface AutomationContext {
  readonly schedules: boolean
  readonly plans: boolean
  readonly tasks: boolean
}

export interface WorkspaceContext {
  /** Where the agent is told that the workspace lies, if it is to know. */
  readonly folder?: string
  /** The folder of it that is the agent's own; nothing else of it may be touched. */
  readonly only?: string
}

/** A file whose content the operator accepted. */
export interface FileItem extends PromptItem {
  readonly path: string
}

export interface CapabilitiesContext {
  readonly has: readonly string[]
  /** Switched off; only the operator can change that. */
  readonly lacks: readonly string[]
}

export interface AutonomyContext {
  readonly level: Autonomy
  /** Nobody asked for the work just now and nobody waits for its words. */
  readonly unattended: boolean
}

export interface TimeContext {
  readonly now: Date
  readonly zone: string
}

export interface ConversationContext {
  /** Messages so far. */
  readonly messages?: number
  /** What is being worked on. */
  readonly task?: PromptItem
  readonly goal?: GoalContext
  /** All goals in a line each, for who works across them. */
  readonly goals?: readonly GoalLine[]
  /** Of conversations that ended, the newest first. */
  readonly summaries?: readonly SummaryItem[]
  /** Those that fit best come first. */
  readonly memories?: readonly MemoryItem[]
}

export interface GoalContext {
  readonly id: string
  readonly title: string
  readonly description: string
  readonly label: Label
  readonly steps: readonly StepContext[]
  readonly notes: readonly PromptItem[]
  readonly learnings: readonly PromptItem[]
}

export interface StepContext {
  readonly title: string
  readonly status: string
  readonly label: Label
}

export interface GoalLine {
  readonly id: string
  readonly title: string
  readonly status: string
  /** What comes next in it. */
  readonly next?: string
  readonly label: Label
}

export interface SummaryItem extends PromptItem {
  /** When the conversation ended. */
  readonly at: string
}

export interface MemoryItem extends PromptItem {
  readonly id: string
  readonly type: string
}

export interface PromptOptions {
  readonly includeToolDescriptions?: boolean
  readonly includeUserProfile?: boolean
  readonly includeInstructions?: boolean
  readonly includeTimeContext?: boolean
  readonly includeCapabilities?: boolean
  /** In characters. The base stands even where it alone is longer. */
  readonly maxPromptLength?: number
}

export interface ComposedPrompt {
  readonly text: string
  readonly length: number
  /** Counted roughly. */
  readonly tokens: number
  /** The join of the labels of everything that is in it. */
  readonly label: Label
  readonly sections: readonly { readonly name: SectionName; readonly length: number }[]
  /** Sections that had no space, in the order in which they went. */
  readonly dropped: readonly SectionName[]
  /** Lists of which only the beginning is there, or nothing. */
  readonly cut: readonly { readonly list: string; readonly kept: number; readonly of: number }[]
}

export const sectionNames = [
  'base',
  'profile',
  'instructions',
  'team',
  'known',
  'tools',
  'skills',
  'plugins',
  'automation',
  'workspace',
  'files',
  'learned',
  'capabilities',
  'autonomy',
  'time',
  'conversation',
] as const
export type SectionName = (typeof sectionNames)[number]
