/** Lets the work of a plan go on. */
import { holdTool } from './hold-plan.ts'

export const resumePlan = holdTool({
  name: 'resume_plan',
  description: 'Let a paused plan go on where it was.',
  tags: ['continue', 'go on', 'unpause', 'restart', 'carry on', 'proceed', 'workflow'],
  from: 'paused',
  to: 'in_progress',
  undo: 'pause_plan',
  verb: 'Go on with',
  done: 'Went on with',
})
