/** Owns what a prompt is made of: pieces of content, each with what it is worth. */
import type { Autonomy, Label } from '@countersign/contract'

/** Content and where it comes from. */
export interface Told {
  readonly text: string
  readonly label: Label
}

export interface PromptContext {
  /** What the agent is. Always in the prompt, and as it stands where it is the operator's own. */
  readonly base: Told
  readonly profile?: ProfileTold
  /** The operator's standing instructions. */
  readonly instructions?: readonly Told[]
  readonly tools?: ToolsTold
  readonly automation?: AutomationTold
  readonly workspace?: WorkspaceTold
  readonly capabilities?: CapabilitiesTold
  readonly autonomy?: AutonomyTold
  readonly time?: TimeTold
  readonly conversation?: ConversationTold
}

export interface ProfileTold {
  readonly name?: string
  readonly communicationStyle?: string
  readonly facts: readonly string[]
  readonly interests: readonly string[]
  readonly label: Label
}

/** How many tools of each category the agent can reach. */
export interface ToolsTold {
  readonly categories: readonly { readonly name: string; readonly tools: number }[]
}

/** What it can set going. */
export interface AutomationTold {
  readonly schedules: boolean
  readonly plans: boolean
  readonly tasks: boolean
}

export interface WorkspaceTold {
  /** Where the agent is told that the workspace lies, if it is to know. */
  readonly folder?: string
}

export interface CapabilitiesTold {
  readonly has: readonly string[]
  /** Switched off; only the operator can change that. */
  readonly lacks: readonly string[]
}

export interface AutonomyTold {
  readonly level: Autonomy
  /** Nobody asked for the work just now and nobody waits for its words. */
  readonly unattended: boolean
}

export interface TimeTold {
  readonly now: Date
  readonly zone: string
}

export interface ConversationTold {
  /** Messages so far. */
  readonly messages?: number
  /** What is being worked on. */
  readonly task?: Told
  readonly goal?: GoalTold
  /** All goals in a line each, for who works across them. */
  readonly goals?: readonly GoalLine[]
  /** Of conversations that ended, the newest first. */
  readonly summaries?: readonly SummaryTold[]
  /** Those that fit best come first. */
  readonly memories?: readonly MemoryTold[]
}

export interface GoalTold {
  readonly id: string
  readonly title: string
  readonly description: string
  readonly label: Label
  readonly steps: readonly StepTold[]
  readonly notes: readonly Told[]
  readonly learnings: readonly Told[]
}

export interface StepTold {
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

export interface SummaryTold extends Told {
  /** When the conversation ended. */
  readonly at: string
}

export interface MemoryTold extends Told {
  readonly id: string
  readonly type: string
}

export interface PromptOptions {
  readonly includeToolDescriptions?: boolean
  readonly includeUserProfile?: boolean
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
  /** Sections that had no room, in the order in which they went. */
  readonly dropped: readonly SectionName[]
  /** Lists of which only the beginning is there, or nothing. */
  readonly cut: readonly { readonly list: string; readonly kept: number; readonly of: number }[]
}

export const sectionNames = [
  'base',
  'profile',
  'instructions',
  'tools',
  'automation',
  'workspace',
  'capabilities',
  'autonomy',
  'time',
  'conversation',
] as const
export type SectionName = (typeof sectionNames)[number]
