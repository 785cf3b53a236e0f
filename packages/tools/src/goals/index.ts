import type { ToolDefinition } from '../definition.ts'
import { addGoalNote } from './add-goal-note.ts'
import { completeStep } from './complete-step.ts'
import { createGoal } from './create-goal.ts'
import { decomposeGoal } from './decompose-goal.ts'
import { getGoalDetails } from './get-goal-details.ts'
import { getNextActions } from './get-next-actions.ts'
import { goalStats } from './goal-stats.ts'
import { listGoals } from './list-goals.ts'
import { restoreGoals } from './restore-goals.ts'
import { saveLearning } from './save-learning.ts'
import { updateGoal } from './update-goal.ts'

export const goalsTools: readonly ToolDefinition[] = [
  createGoal,
  listGoals,
  updateGoal,
  decomposeGoal,
  getNextActions,
  completeStep,
  getGoalDetails,
  goalStats,
  addGoalNote,
  saveLearning,
  restoreGoals,
]
