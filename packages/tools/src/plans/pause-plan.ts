/** Holds the work of a plan. */
import { holdTool } from './hold-plan.ts'

export const pausePlan = holdTool({
  name: 'pause_plan',
  description: 'Pause a plan that is being carried out; it goes on with resume_plan.',
  tags: ['hold', 'wait', 'suspend', 'halt', 'stop for now', 'freeze', 'interrupt', 'workflow'],
  from: 'in_progress',
  to: 'paused',
  undo: 'resume_plan',
  verb: 'Pause',
  done: 'Paused',
})
