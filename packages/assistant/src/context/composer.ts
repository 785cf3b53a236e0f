/** The one place where this package meets the composer of prompts. */
export {
  basePrompts,
  composePrompt,
  type GoalLine,
  type GoalTold,
  type MemoryTold,
  type PromptContext,
  type SummaryTold,
  type Told,
} from '@countersign/agent'
