/** The one place where this package meets the composer of prompts. */
export {
  basePrompts,
  composePrompt,
  type FileItem,
  type GoalContext,
  type GoalLine,
  type MemoryItem,
  type PluginWords,
  type PromptContext,
  type PromptItem,
  type PromptOptions,
  type SkillItem,
  type SummaryItem,
  type TeamContext,
} from '@countersign/agent'
