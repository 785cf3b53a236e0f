/** Saves what was learned for a goal, for all later work on it. Refuses tasks, which report and remember nothing. */
import { entryTool } from './entry-tool.ts'

export const saveLearning = entryTool({
  name: 'save_learning',
  description:
    'Save what was learned for a goal, so that all later work on it knows: what works, what to avoid.',
  tags: ['objective', 'lesson', 'insight', 'remember', 'for next time'],
  list: 'learnings',
  noun: 'learning',
  not: {
    agents: ['task'],
    reason:
      'A task cannot save learnings. Put what you learned into your last reply; whoever gave you the task decides.',
  },
})
