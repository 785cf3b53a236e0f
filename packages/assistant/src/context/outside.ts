/**
 * Owns what is only named in a prompt. What stands in every prompt must not be what outsiders wrote: one page that was
 * read once would taint every run from then on. So it is named, and who needs it reads it, which taints that run alone.
 */
import type { Label } from '@countersign/contract'
import type { GoalLine, PromptItem, SummaryItem } from './composer.ts'

/** What a record is worth that remembers nothing else. */
export const keptLabel: Label = { integrity: 'tool', confidentiality: 'private', sources: [] }

export const named = {
  summary: (summary: SummaryItem): SummaryItem =>
    isOutside(summary.label)
      ? { ...summary, text: 'It drew on outside content; search_agent_history finds it.', label: keptLabel }
      : summary,
  goal: (goal: GoalLine): GoalLine =>
    isOutside(goal.label)
      ? {
          id: goal.id,
          status: goal.status,
          title: 'It drew on outside content; list_goals tells it.',
          label: keptLabel,
        }
      : goal,
  note: (note: PromptItem): PromptItem =>
    isOutside(note.label)
      ? { text: 'It drew on outside content; get_goal_details tells it.', label: keptLabel }
      : note,
} as const

function isOutside({ integrity }: Label): boolean {
  return integrity === 'untrusted'
}
