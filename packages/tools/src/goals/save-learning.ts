/** Saves what was learned for a goal, or by the agent itself, for all later work. Refuses tasks, which report and remember nothing. */
import { entryTool } from './entry-tool.ts'
import { ownLearnings } from './own-learning.ts'

export const saveLearning = entryTool({
  name: 'save_learning',
  description:
    'Save what was learned for a goal, or for yourself where the work has no goal, so that all later work knows: what works, what to avoid.',
  tags: ['objective', 'lesson', 'insight', 'remember', 'for next time'],
  list: 'learnings',
  noun: 'learning',
  own: ownLearnings,
  not: {
    agents: ['task'],
    reason:
      'A task cannot save learnings. Put what you learned into your last reply; whoever gave you the task decides.',
  },
})
