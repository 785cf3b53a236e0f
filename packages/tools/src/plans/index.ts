import type { ToolDefinition } from '../definition.ts'
import { addPlanStep } from './add-plan-step.ts'
import { createPlan } from './create-plan.ts'
import { deletePlan } from './delete-plan.ts'
import { executePlan } from './execute-plan.ts'
import { getPlanDetails } from './get-plan-details.ts'
import { listPlans } from './list-plans.ts'
import { pausePlan } from './pause-plan.ts'
import { resumePlan } from './resume-plan.ts'
import { updatePlanStep } from './update-plan-step.ts'

export const plansTools: readonly ToolDefinition[] = [
  createPlan,
  addPlanStep,
  updatePlanStep,
  executePlan,
  pausePlan,
  resumePlan,
  deletePlan,
  listPlans,
  getPlanDetails,
]
