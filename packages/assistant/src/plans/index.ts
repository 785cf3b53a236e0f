export { createPlans, type Plans, type PlansParts, planAgent, plansCollection } from './plans.ts'
export { type PlanPortParts, planPort } from './port.ts'
export { leaseOf, type PreviewParts, previewPlan } from './preview.ts'
export { stepStates } from './states.ts'
